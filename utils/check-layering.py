#!/usr/bin/env python3
"""Checks every #include of the tree against the table in docs/Layering.md.

usage: check-layering.py [--root DIR]

Prints one line for each include that the table forbids, with file and line,
and exits with status 1 if there is any. A source file of ours that belongs to
no room is reported, too: a new folder must enter the table first.
"""
import argparse
import os
import re
import subprocess
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
SUFFIXES = (".cpp", ".h", ".c", ".td", ".inc", ".def")
# Folders with sources that are no room: tests may include what they test.
FREE = (".venv/", "test/", "unittests/", "benchmarks/", "examples/", "build/", "cmake/")


class Room:
    def __init__(self, name, folders, may, never):
        self.name, self.folders, self.may = name, folders, may
        self.never = [(e.lstrip("!"), not e.startswith("!")) for e in never]


def ticks(cell):
    return re.findall(r"`([^`]+)`", cell)


def read_tables(path):
    rooms, groups = [], {}
    for line in open(path, encoding="utf-8"):
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if len(cells) == 5 and cells[0].isdigit():
            may = [] if cells[3] == "–" else [m.strip() for m in cells[3].split(",")]
            rooms.append(Room(cells[1], ticks(cells[2]), may, ticks(cells[4])))
        elif len(cells) == 2 and ticks(cells[1]) and not cells[0].startswith("`"):
            groups[cells[0]] = ticks(cells[1])
    return rooms, groups


def allowed_prefixes(room, by_name, groups):
    """Include-path prefixes that the room may use, of all rooms below it."""
    prefixes, seen, todo = [], set(), [room.name]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in groups:
            prefixes += groups[name]
            continue
        if name not in by_name:
            sys.exit(f"docs/Layering.md: room '{room.name}' may include unknown room '{name}'")
        other = by_name[name]
        prefixes += [f[len("include/"):] for f in other.folders if f.startswith("include/")]
        todo += other.may
    return prefixes


def list_files(root):
    """The tree's files: what git tracks or would, or all, where there is no git."""
    try:
        done = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"],
                              capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.split("\n")
    except FileNotFoundError:
        pass
    return [os.path.relpath(os.path.join(folder, name), root)
            for folder, _, names in os.walk(root) for name in names]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--root", default=os.path.join(os.path.dirname(__file__), ".."))
    root = os.path.abspath(parser.parse_args().root)
    rooms, groups = read_tables(os.path.join(root, "docs", "Layering.md"))
    if not rooms:
        sys.exit("docs/Layering.md: no table of rooms found")
    by_name = {r.name: r for r in rooms}
    prefixes = {r.name: allowed_prefixes(r, by_name, groups) for r in rooms}

    names = list_files(root)
    faults = []
    for name in names:
        path = os.path.join(root, name)
        if not name.endswith(SUFFIXES) or name.startswith(FREE) or not os.path.isfile(path):
            continue
        matches = [(len(f), r) for r in rooms for f in r.folders if name.startswith(f)]
        if not matches:
            faults.append(f"{name}: belongs to no room of docs/Layering.md")
            continue
        room = max(matches, key=lambda m: m[0])[1]
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            found = INCLUDE.match(line)
            if not found:
                continue
            inc = found.group(1)
            verdicts = [(len(p), bad) for p, bad in room.never if inc.startswith(p)]
            if verdicts and max(verdicts)[1]:
                faults.append(f"{name}:{number}: room {room.name} never includes '{inc}'")
            elif inc.startswith(("Fly/", "Fly-c/")) or inc in sum(groups.values(), []):
                own = room.name == "runtime" and not inc.startswith("Fly")
                if not own and not any(inc.startswith(p) for p in prefixes[room.name]):
                    faults.append(f"{name}:{number}: room {room.name} may not include '{inc}'")
    for fault in faults:
        print(fault)
    print(f"layering: {len(faults)} forbidden includes in {len(names)} files")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
