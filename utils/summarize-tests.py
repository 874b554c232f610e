#!/usr/bin/env python3
"""Adds up JUnit result files and prints one line, "N passed, M failed".

usage: summarize-tests.py RESULTS.xml...

A file that is missing or holds no test counts as one failure, so that a suite
which did not run is never taken for one that passed. Skipped tests are named;
they count neither way. Exit status 1 if anything failed.
"""
import os
import sys
import xml.etree.ElementTree as ET


def count(path):
    """(passed, names of failed, names of skipped) of one result file."""
    try:
        cases = list(ET.parse(path).getroot().iter("testcase"))
    except (OSError, ET.ParseError) as error:
        return 0, [f"{os.path.basename(path)}: no results ({error})"], []
    if not cases:
        return 0, [f"{os.path.basename(path)}: no test ran"], []
    passed, failed, skipped = 0, [], []
    for case in cases:
        name = f"{case.get('classname', '')} {case.get('name', '?')}".strip()
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(name)
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            skipped.append(name)
        else:
            passed += 1
    return passed, failed, skipped


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    passed, failed, skipped = 0, [], []
    for path in sys.argv[1:]:
        p, f, s = count(path)
        passed, failed, skipped = passed + p, failed + f, skipped + s
    for name in skipped:
        print(f"skipped: {name}")
    for name in failed:
        print(f"failed: {name}")
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
