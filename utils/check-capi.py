#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the C API (include/Fly-c) with the dialects' .td files.

Each attribute and type class needs `IsA`, `GetTypeID`, a constructor and an
accessor of every parameter; each enumeration needs its cases with their
numbers. Each function that the headers declare must be documented, exported by
the library and used by a program of test/CAPI or by docs/CApi.md. Prints what is
missing and exits with status 1 if anything is.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The .td files and the prefix that their dialect has in C.
DIALECTS = {
    "Fly/Dialect/Fly/IR/FlyTypes.td": ("Fly_Dialect", "fly"),
    "Fly/Dialect/FlyROCDL/IR/FlyROCDLTypes.td": ("FlyROCDL_Dialect", "flyROCDL"),
    "Fly/Dialect/FlyROCDL/IR/FlyROCDLAttrs.td": ("FlyROCDL_Dialect", "flyROCDL"),
}
# A parameter whose accessor does not bear its name, with the reason.
RENAMED = {"staticFlag": "IsStatic"}  # the flag is the answer to a question

DECLARATION = re.compile(
    r"(^(?://[^\n]*\n)*)^(MLIR_CAPI_EXPORTED|static inline)\s[^;{]*?\b(fly\w+)\(([^;{]*)\)(?:;| \{)",
    re.M,
)
ENUM = re.compile(r"typedef enum (\w+) \{(.*?)\}", re.S)


def upper(name):
    return name[0].upper() + name[1:]


def read_headers():
    """The declared functions (name -> parameters), those of them that are
    inline, the enumerations, and the functions without a comment."""
    functions, inline, enums, bare = {}, set(), {}, []
    for header in sorted((ROOT / "include/Fly-c").glob("*.h")):
        text = header.read_text()
        for comment, linkage, name, parameters in DECLARATION.findall(text):
            functions[name] = parameters
            if linkage == "static inline":
                inline.add(name)
            if not re.search(r"^///", comment, re.M):
                bare.append(f"{header.name}: {name} has no description")
        for name, body in ENUM.findall(text):
            enums[name] = {k: int(v) for k, v in re.findall(r"(\w+) = (\d+)", body)}
        # What the expression above does not match must not go unseen.
        declared = set(re.findall(r"\b(fly[A-Z]\w*)\(", re.sub(r"//.*", "", text)))
        bare += [f"{header.name}: {n} is not declared in the usual form"
                 for n in sorted(declared - set(functions))]
    return functions, inline, enums, bare


def read_dialect(tblgen, includes, file, dialect):
    """The attribute and type classes of a .td file with their parameters, and
    its enumerations."""
    command = [tblgen, "--dump-json", *(f"-I{i}" for i in includes),
               str(ROOT / "include" / file)]
    records = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    classes, enums = {}, {}
    for kind, suffix in (("AttrDef", "Attr"), ("TypeDef", "Type")):
        for name in records["!instanceof"].get(kind, []):
            record = records[name]
            if record["dialect"]["def"] != dialect:
                continue
            parameters = record["parameters"]
            args = parameters["args"] if parameters else []
            lists = {n for p, n in args if isinstance(p, dict)
                     and "ArrayRef" in str(records[p["def"]]["cppType"])}
            stem = record["cppClassName"].removesuffix(suffix)
            classes[stem, suffix] = ([n for _, n in args], lists)
    for name in records["!instanceof"].get("EnumInfo", []):
        record = records[name]
        if record["cppNamespace"].startswith("::fly"):
            cases = [records[c["def"]] for c in record["enumerants"]]
            enums[record["className"]] = {c["symbol"]: c["value"] for c in cases}
    return classes, enums


def check_class(prefix, stem, suffix, parameters, lists, functions):
    """The functions that the class `stem` needs and the headers lack."""
    kind = "Attribute" if suffix == "Attr" else "Type"
    needed = [f"{prefix}{kind}IsA{stem}", f"{prefix}{stem}{suffix}GetTypeID"]
    for name in parameters:
        if name in lists:
            # A list is read by element: modes is NumModes and Mode.
            one = name.removesuffix("s")
            needed += [f"{prefix}{stem}{suffix}GetNum{upper(name)}",
                       f"{prefix}{stem}{suffix}Get{upper(one)}"]
        elif name in RENAMED:
            needed.append(f"{prefix}{stem}{suffix}{RENAMED[name]}")
        else:
            needed.append(f"{prefix}{stem}{suffix}Get{upper(name)}")
    missing = [name for name in needed if name not in functions]
    maker = re.compile(rf"{prefix}{stem}{suffix}Get\w*$")
    if not any(maker.match(name) and args.lstrip().startswith("MlirLocation ")
               for name, args in functions.items()):
        missing.append(f"{prefix}{stem}{suffix}Get(MlirLocation, …)")
    return missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--tblgen", default="llvm-tblgen")
    parser.add_argument("--nm", default="llvm-nm")
    parser.add_argument("--library", required=True, help="libFlyCAPI.so")
    args = parser.parse_args()

    llvm = subprocess.run(["llvm-config", "--includedir"], capture_output=True, text=True)
    includes = [ROOT / "include", llvm.stdout.strip()]
    functions, inline, c_enums, faults = read_headers()

    classes = enumerations = 0
    for file, (dialect, prefix) in DIALECTS.items():
        found, enums = read_dialect(args.tblgen, includes, file, dialect)
        classes += len(found)
        enumerations += len(enums)
        for (stem, suffix), (parameters, lists) in found.items():
            for name in check_class(prefix, stem, suffix, parameters, lists, functions):
                faults.append(f"{file}: {stem}{suffix} has no {name}")
        for name, cases in enums.items():
            want = {f"Fly{name}{case}": value for case, value in cases.items()}
            if c_enums.get(f"Fly{name}") != want:
                faults.append(f"{file}: enum Fly{name} must be {want}, is {c_enums.get(f'Fly{name}')}")
    if not classes or not enumerations:
        faults.append("no class or no enumeration found: the .td files were not read")

    symbols = subprocess.run([args.nm, "-D", "--defined-only", "--format=just-symbols", args.library],
                             check=True, capture_output=True, text=True).stdout.split()
    uses = "".join(p.read_text() for p in (ROOT / "test/CAPI").glob("*.c"))
    uses += (ROOT / "docs/CApi.md").read_text()
    for name in sorted(functions):
        if name not in inline and name not in symbols:
            faults.append(f"{name} is not exported")
        if not re.search(rf"\b{name}\b", uses):
            faults.append(f"{name} is used by no test")
    faults += [f"{s} is exported but not declared" for s in symbols
               if s.startswith("fly") and s not in functions]

    for fault in faults:
        print(fault)
    print(f"C API: {len(functions)} functions for {classes} classes, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
