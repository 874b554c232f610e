#!/usr/bin/env python3
"""Prints the messages of a session with a language server: opens a document
whose types nest N levels, changes another one, that was good, to one whose
regions nest N levels, and asks for what is in both and in a third one.

usage: session.py N
"""
import json
import sys


def main():
    depth = int(sys.argv[1])
    types = "func.func private @deep_types(" + "tuple<" * depth + "f32" + ">" * depth + ")\n"
    regions = ("func.func @deep_regions(%c: i1) {\n" + "scf.if %c {\n" * (depth - 1) + "}\n" * (depth - 1) +
               "return\n}\n")
    good = "func.func @good(%a: i32) -> i32 {\n  return %a : i32\n}\n"
    number = 0

    def send(method, params, is_request=True):
        nonlocal number
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if is_request:
            message["id"] = number
            number += 1
        body = json.dumps(message)
        sys.stdout.write(f"Content-Length: {len(body)}\r\n\r\n{body}")

    def open_document(name, text):
        document = {"uri": f"test:///{name}.mlir", "languageId": "mlir", "version": 1, "text": text}
        send("textDocument/didOpen", {"textDocument": document}, is_request=False)

    send("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    open_document("types", types)
    open_document("regions", good)
    send("textDocument/didChange",
         {"textDocument": {"uri": "test:///regions.mlir", "version": 2}, "contentChanges": [{"text": regions}]},
         is_request=False)
    open_document("good", good)
    for name in ("types", "regions", "good"):
        send("textDocument/documentSymbol", {"textDocument": {"uri": f"test:///{name}.mlir"}})
    send("textDocument/completion",
         {"textDocument": {"uri": "test:///types.mlir"}, "position": {"line": 0, "character": 5}})
    send("shutdown", {})
    send("exit", {}, is_request=False)


if __name__ == "__main__":
    main()
