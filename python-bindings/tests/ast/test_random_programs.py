# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs run twice: as Python on ints, and traced. Results and effects must agree.

The programs nest branches, loops, `break`, `continue`, `return`, `for ... else`,
closures, lists, objects, other names of lists, ternaries and boolean operators, and call `emit` here and there.
FLY_AST_PROGRAMS sets their number, FLY_AST_SEED the first one.
"""
import os
import random
import types

import pytest
from support import Traced, define, emit, read

PROGRAMS = int(os.environ.get("FLY_AST_PROGRAMS", "200"))
SEED = int(os.environ.get("FLY_AST_SEED", "1"))
GROUP = 25

INPUTS = [(0, 0, 0), (1, 2, 3), (3, 1, 2), (5, -2, 4), (-3, 4, 1), (2, 6, -5)]


class Program:
    """Writes a function of three ints."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.depth, self.loops, self.names, self.budget = [], 1, 0, 0, 24
        self.variables = ["a", "b", "c"]
        self.closures, self.lists = [], []
        # Other names of lists, objects with a method, and a list in a tuple; all of them hold numbers.
        self.fields, self.refused = [], False

    def text(self):
        r = self.random
        self.valued = r.random() < 0.8
        for name in ("x", "y"):
            self.line(f"{name} = {r.choice(['0', '1', 'a', 'b + 2', '-3'])}")
            self.variables.append(name)
        if r.random() < 0.4:
            self.line("items = [a, 0, b]")
            self.lists.append("items")
        if r.random() < 0.3:
            self.line("box, shared = Box(a), [b, c]")
            self.line("nest = {'k': shared, 't': (box, [a, 1])}")
            self.fields += ["box.x", "box.items[0]", "nest['k'][1]", "nest['t'][0].x", "nest['t'][1][0]", "G[0]", "Box.total[0]"]
            if r.random() < 0.5:
                self.line("spare = [c, a]")
                self.aliases = ["shared", "spare", "box.items", "nest['k']"]
                self.refused = True
            self.line("def poke(v):")
            self.line("    G[0] = G[0] + v")
            self.line("    return box.add(v)")
            self.closures.append("poke")
        if r.random() < 0.3:
            self.line("def bump(v):")
            self.line("    nonlocal x")
            self.line("    x = x + v")
            self.line("    return x + 1")
            self.closures.append("bump")
        if r.random() < 0.3:
            self.line("def pick(v, w):")
            self.line("    if v > w:")
            self.line("        return v - w")
            self.line("    for t in range(3):")
            self.line("        if t + v > 2:")
            self.line("            return t")
            self.line("    return 7")
            self.closures.append("pick2")
        self.block(r.randint(2, 5), in_loop=False)
        known = self.variables + [f"{n}[{i}]" for n in self.lists for i in range(3)] + self.fields
        if self.valued:
            self.line("return " + " + ".join(f"{i + 1} * {v}" for i, v in enumerate(known)))
        else:
            for v in known:
                self.line(f"emit({v})")
        return "def f(a, b, c):\n" + "\n".join(self.lines) + "\n"

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def atom(self):
        r = self.random
        choices = self.variables + [str(r.randint(-4, 6))]
        if self.lists and r.random() < 0.3:
            return f"items[{r.randint(0, 2)}]"
        return r.choice(choices + self.fields)

    def value(self, level=0):
        r = self.random
        kind = r.random()
        if level > 1 or kind < 0.4:
            return self.atom()
        if kind < 0.7:
            return f"({self.value(level + 1)} {r.choice('+-*+-')} {self.value(level + 1)}) % 61"
        if kind < 0.8:
            return f"({self.value(level + 1)} if {self.test(level + 1)} else {self.value(level + 1)})"
        if kind < 0.85:
            return f"read({self.value(level + 1)})"
        if kind < 0.9 and "bump" in self.closures:
            return f"bump({self.atom()})"
        if kind < 0.95 and "pick2" in self.closures:
            return f"pick({self.atom()}, {self.atom()})"
        return f"({self.atom()} - {self.atom()})"

    def test(self, level=0):
        r = self.random
        kind = r.random()
        if level > 1 or kind < 0.5:
            return f"{self.value(level + 1)} {r.choice(['<', '>', '==', '!=', '<=', '>='])} {self.value(level + 1)}"
        if kind < 0.65:
            return f"({self.test(level + 1)} {r.choice(['and', 'or'])} {self.test(level + 1)})"
        if kind < 0.75:
            return f"not ({self.test(level + 1)})"
        if kind < 0.85:
            return f"{self.atom()} < {self.value(level + 1)} <= {self.atom()}"
        return r.choice(["True", "False", f"{self.atom()} > 0"])

    def bound(self):
        return f"{self.atom()} % 7 - {self.random.randint(0, 2)}"

    def target(self):
        r = self.random
        if self.lists and r.random() < 0.3:
            return f"items[{r.randint(0, 2)}]"
        return r.choice(self.variables + self.fields)

    def block(self, count, in_loop):
        for _ in range(count):
            self.statement(in_loop)

    def nested(self, in_loop, low=1, high=3):
        self.depth += 1
        before = len(self.lines)
        self.block(self.random.randint(low, high), in_loop)
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    def statement(self, in_loop):
        r = self.random
        self.budget -= 1
        kind = r.random()
        if self.budget < 0 or self.depth > 5 or kind < 0.32:
            if "poke" in self.closures and r.random() < 0.2:
                self.line(r.choice([f"poke({self.atom()})", f"box.add({self.atom()})", "shared.reverse()", "nest['t'][1].reverse()"]))
            elif self.refused and r.random() < 0.2:
                self.line(f"{r.choice(self.aliases)} = {r.choice(self.aliases + ['[a, b]'])}")
            elif r.random() < 0.25:
                self.line(f"emit({self.value()})")
            elif r.random() < 0.3:
                self.line(f"{self.target()} {r.choice(['+=', '-='])} {self.atom()}")
            else:
                self.line(f"{self.target()} = {self.value()}")
            return
        if kind < 0.58:
            self.line(f"if {self.test()}:")
            self.nested(in_loop)
            if r.random() < 0.3:
                self.line(f"elif {self.test()}:")
                self.nested(in_loop)
            if r.random() < 0.5:
                self.line("else:")
                self.nested(in_loop)
        elif kind < 0.78 and self.loops < 3:
            self.loop(r)
        elif kind < 0.9 and in_loop:
            word = r.choice(["break", "continue"])
            self.line(f"if {self.test()}:")
            self.depth += 1
            if r.random() < 0.5:
                self.line(f"{self.target()} = {self.value()}")
            self.line(word)
            self.depth -= 1
        elif kind < 0.96:
            self.line(f"if {self.test()}:")
            self.depth += 1
            self.line(f"return {self.value()}" if self.valued else "return")
            self.depth -= 1
        else:
            # Static conditions, about exits as well.
            self.line(f"if const_expr({r.choice(['True', 'False', '1 < 2'])}):")
            self.depth += 1
            choices = [f"{self.target()} = {self.value()}", f"return {self.value()}" if self.valued else "return"]
            self.line(r.choice(choices + (["break", "continue"] if in_loop else [])))
            self.depth -= 1

    def loop(self, r):
        self.loops += 1
        self.names += 1
        name = f"i{self.names}"
        kind = r.random()
        if kind < 0.35:
            self.line(f"for {name} in range({self.bound()}):")
        elif kind < 0.45:
            self.line(f"for {name} in range({self.bound()}, {self.bound()}, {r.choice([1, 2, -1, -2, 3])}):")
        elif kind < 0.52:
            step = self.atom()
            self.line(f"for {name} in range({self.bound()}, {self.bound()}, ({step} if {step} != 0 else 1)):")
        elif kind < 0.6:
            self.line(f"for {name} in range({r.randint(0, 4)}):")
        elif kind < 0.72:
            self.line(f"for {name} in (1, 2, {r.randint(0, 5)}):")
        elif kind < 0.9:
            self.line(f"{name} = n{name} = 0")
            self.line(f"while {name} < {self.bound()} and {self.test()}:" if r.random() < 0.5 else
                      f"while {name} < {self.bound()}:")
            self.depth += 1
            self.line(f"{name} += 1")
            self.line(f"n{name} += 1")
            self.line(f"if n{name} > 7: break")
            self.depth -= 1
            self._body(name)
            return
        else:
            # A counter that nothing else sets, so that the program ends.
            self.line(f"{name} = n{name} = 0")
            self.line("while True:")
            self.depth += 1
            self.line(f"{name} = {name} + 1")
            self.line(f"n{name} += 1")
            self.line(f"if n{name} > 5 or {name} > {r.choice(['3', self.atom()])}:")
            self.line("    break")
            self.depth -= 1
            self._body(name)
            return
        self._body(name)

    def _body(self, name):
        r = self.random
        self.variables.append(name)
        self.nested(True, 1, 4)
        self.variables.remove(name)
        if r.random() < 0.25:
            self.line("else:")
            self.nested(False, 1, 2)
            if r.random() < 0.3:
                self.line("    " + (f"return {self.value()}" if self.valued else "return"))
        self.loops -= 1


HEAD = """
class Box:
    total = [0]
    def __init__(self, x):
        self.x, self.items = x, [x, x]
    def add(self, v):
        self.x = (self.x + v) % 61
        Box.total[0] = v
        self.items[0] = self.x - v
        return self.x
G = [0]
"""


class TooLarge(Exception):
    """A number outside 32 bits, where Python's ints and the traced ones part."""


class Number(int):
    """An int that stays one of 32 bits or raises TooLarge."""


def _checked(name):
    plain = getattr(int, name)

    def operation(*operands):
        result = plain(*operands)
        if result is NotImplemented:
            return result
        if not -(1 << 31) <= result < 1 << 31:
            raise TooLarge
        return Number(result)

    return operation


for _name in ("add", "sub", "mul", "mod", "floordiv", "radd", "rsub", "rmul", "rmod", "rfloordiv"):
    setattr(Number, f"__{_name}__", _checked(f"__{_name}__"))


def const_expr(value):
    return value


def python_result(function, arguments):
    log = []

    def emit_(value):
        log.append(int(value))

    def read_(value):
        log.append(int(value))
        return value

    copy = types.FunctionType(function.__code__, {**function.__globals__, "emit": emit_, "read": read_, "const_expr": const_expr}, "f")
    return copy(*[Number(a) for a in arguments]), log


def check(seed):
    program = Program(seed)
    source = HEAD + program.text()
    plain = define(source, emit=emit, read=read)
    expected = {}
    for arguments in INPUTS:
        try:
            plain.__globals__["Box"].total[:], plain.__globals__["G"][:] = [0], [0]
            expected[arguments] = python_result(plain, arguments)
        except TooLarge:
            pass
    try:
        traced = Traced(define(source, emit=emit, read=read))
    except BaseException as error:
        if program.refused and "same list" in str(error):
            # Lists that only the run tells apart.
            return
        raise AssertionError(f"seed {seed}: {type(error).__name__}: {error}\n{source}") from error
    for arguments, (want, log) in expected.items():
        found = traced(*arguments)
        assert (found, traced.log) == (want, log), f"seed {seed}, arguments {arguments}\n{source}\n{traced.text}"


@pytest.mark.parametrize("first", range(SEED, SEED + PROGRAMS, GROUP))
def test_programs(first):
    for seed in range(first, min(first + GROUP, SEED + PROGRAMS)):
        check(seed)
