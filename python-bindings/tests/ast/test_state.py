# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""State that a run-time condition decides about: carried as Python would have it, or refused at its line.

Each program is run as Python on ints and traced. It must give the same, or be
refused: `REFUSED` names the programs that are, and the line.
"""
import traceback

import pytest
from support import Traced, define
from test_random_programs import python_result

HEAD = """
import array, collections, functools, heapq, itertools, operator, types
import numpy as np
G, D, T = [1, 2], {"k": 1}, ([3], [4])
IT = iter([10, 20, 30])
class Box:
    total = 0
    shared = [0, 0]
    def __init__(self, x=0):
        self.x, self.items = x, [x, x]
    def add(self, v):
        self.x = self.x + v
        self.items[0] = self.items[0] + v
    def count(self):
        Box.total += 1
class Slotted:
    __slots__ = ("x", "__y")
    def __init__(self, x):
        self.x, self.__y = x, [x]
    def bump(self):
        self.__y[0] = self.__y[0] + 1
        return self.__y[0]
def push(v):
    G[0] = v
def grow(v):
    G.append(v)
def default(v, l=[0]):
    l[0] = l[0] + v
    return l[0]
def attribute(v):
    attribute.last = v
attribute.last = 0
def generator():
    for i in range(5):
        yield i
"""

# Programs that are right: the body of f(n, m, k).
RIGHT = {
    "read_only_alias": "l, m_ = [n, 1], [m, 2]\nif n > m:\n    m_ = l\nreturn m_[0] + l[0]",
    "alias_changed_alone": "l = [n, 1]\nif n > m:\n    l = [m, 2]\nl[0] = 9\nreturn l[0] + l[1]",
    "same_pair_twice": "a = [n]\nb = a\nif n > m:\n    a = b = [m]\na[0] = 7\nreturn b[0]",
    "inner_list_stays": "l = [n]\np = (l, 1)\nif n > m:\n    p = (l, 2)\np[0][0] = 5\nreturn l[0] + p[1]",
    "list_of_a_global": "G[0] = 1\nif n > m:\n    G[0] = n\nreturn G[0]",
    "global_by_a_helper": "G[0] = 1\nif n > m:\n    push(n)\nreturn G[0]",
    "global_in_a_loop": "G[0] = 0\nfor i in range(n):\n    G[0] = G[0] + i\nreturn G[0]",
    "dict_of_a_global": "D['k'] = 0\nif n > m:\n    D.update(k=n)\nreturn D['k']",
    "bound_method": "l = [n, m]\nput = l.__setitem__\nif n > m:\n    put(0, 9)\nreturn l[0]",
    "operator_setitem": "l = [n, m]\nif n > m:\n    operator.setitem(l, 0, 9)\nreturn l[0]",
    "reverse": "l = [n, m]\nif n > m:\n    l.reverse()\nreturn l[0] * 3 + l[1]",
    "method": "b = Box(n)\nif n > m:\n    b.add(5)\nreturn b.x + b.items[0]",
    "method_in_a_loop": "b = Box(n)\nfor i in range(m):\n    b.add(i)\nreturn b.x + b.items[0]",
    "bound_method_of_an_object": "b = Box(n)\nadd = b.add\nif n > m:\n    add(5)\nreturn b.x + b.items[0]",
    "partial": "b = Box(n)\nadd = functools.partial(Box.add, b, 5)\nif n > m:\n    add()\nreturn b.x",
    "class_attribute": "Box.total = 0\nif n > m:\n    Box.total += 1\nreturn Box.total",
    "class_attribute_by_a_method": "Box.total = 0\nb = Box(0)\nif n > m:\n    b.count()\nreturn Box.total",
    "class_list": "Box.shared[0] = 0\nb = Box(0)\nif n > m:\n    b.shared[0] = n\nreturn Box.shared[0]",
    "setattr": "b = Box(n)\nif n > m:\n    setattr(b, 'x', m)\nreturn b.x",
    "private_slots": "s = Slotted(n)\nif n > m:\n    s.bump()\nreturn s.bump()",
    "mutable_default": "default(-default(0))\nif n > m:\n    default(4)\nreturn default(0)",
    "function_attribute": "attribute(0)\nif n > m:\n    attribute(n)\nreturn attribute.last",
    "nonlocal_in_a_list": ("c = 0\ndef bump(v):\n    nonlocal c\n    c = c + v\nfs = [bump]\nif n > m:\n    fs[0](3)\nreturn c"),
    "nested_objects": "b = [Box(n), [Box(m)]]\nif n > m:\n    b[1][0].add(2)\nreturn b[1][0].x",
    "deep": "l = [[[[[[[[[[[[[[n]]]]]]]]]]]]]]\nq = l\nfor _ in fx_range(13):\n    q = q[0]\nif n > m:\n    q[0] = m\nreturn q[0]",
    "list_in_a_deque": "d = collections.deque([[n]])\nif n > m:\n    d[0][0] = m\nreturn d[0][0]",
    "starred": "if n > m:\n    a, *b = n, m, 3\nelse:\n    a, *b = m, n, 4\nreturn a + b[0] * 2 + b[1] * 3",
    "walrus": "if (q := n + 1) > m and (r := q * 2) > 4:\n    return r\nreturn q",
    "comprehension": "x = 3\nif n > m:\n    l = [x * n for x in (1, 2)]\nelse:\n    l = [x for x in (m, n)]\nreturn l[0] + l[1] + x",
    "delete_again": "x = n\nif n > m:\n    del x\n    x = m\nreturn x",
    "try_inside": "x = 0\nif n > m:\n    try:\n        raise ValueError\n    except ValueError:\n        x = n\nreturn x",
    "finally": "x = 0\ntry:\n    if n > m:\n        return 5\n    x = 1\nfinally:\n    emit(x)\nreturn x",
    "return_in_with": "with types.SimpleNamespace and open_() as c:\n    if n > m:\n        return c + 1\nreturn 7",
    "early_return_of_a_list": "def pick():\n    if n > m:\n        return l\n    return [1, 2]\nl = [n, m]\nreturn pick()[0]",
    "defaultdict": "d = collections.defaultdict(int, a=n)\nif n > m:\n    d = collections.defaultdict(int, a=m)\nreturn d['a'] + d['z']",
    "swap_in_a_loop": "a, b = [n, 1], [m, 2]\nfor i in range(k):\n    a, b = b, a\nreturn a[0] * 3 + b[0] + a[1]",
    "inner_list_replaced_in_a_loop": "l = [n]\nx = [l, [m]]\nfor i in range(k):\n    x = [x[1], [i]]\nreturn l[0] + x[0][0] * 2 + x[1][0] * 3",
    "lists_of_a_loop": "a = [n, m]\nfor i in range(k):\n    a[0] = a[0] + i\n    a = [v + 1 for v in a]\nreturn a[0] + 2 * a[1]",
    "iterator_inside": "x = 0\nif n > m:\n    it = iter([n, m])\n    x = next(it) + next(it)\nreturn x",
    "generator_expression_inside": "x = 0\nif n > m:\n    x = sum(v for v in (n, m))\nreturn x",
    "cycle": "l = [n]\nl.append(l)\nif n > m:\n    l[0] = m\nreturn l[1][0]",
    "set_read": "s = {1, 2}\nif n > m:\n    x = len(s)\nelse:\n    x = 5\nreturn x",
}

# Programs that are refused: the body, the line (1 is the `def`), and a part of the message.
REFUSED = {
    "alias": ("l, p = [n, 1], [m, 2]\nif n > m:\n    p = l\np[0] = 9\nreturn l[0]", 5, "'p' is changed, and 'l' may be the same list"),
    "alias_the_other_way": ("l, p = [n, 1], [m, 2]\nif n > m:\n    p = l\nl[0] = 9\nreturn p[0]", 5, "'l' is changed, and 'p' may"),
    "alias_of_the_old": ("q = p = [m, 2]\nif n > m:\n    p = [n, 3]\np[0] = 9\nreturn q[0]", 5, "'p' is changed, and 'q' may"),
    "alias_by_a_method": ("l, p = [n, 1], [m, 2]\nif n > m:\n    p = l\np.reverse()\nreturn l[0]", 5, "may be the same list"),
    "alias_by_a_helper": ("l, p = [n, 1], [m, 2]\ndef h():\n    p[0] = 3\nif n > m:\n    p = l\nh()\nreturn l[0]", 4, "may be the same list"),
    "alias_of_a_dict": ("l, p = {'a': n}, {'a': m}\nif n > m:\n    p = l\np['a'] = 9\nreturn l['a']", 5, "may be the same dict"),
    "alias_of_an_object": ("l, p = Box(n), Box(m)\nif n > m:\n    p = l\np.x = 9\nreturn l.x", 5, "may be the same Box"),
    "alias_by_an_object's_method": ("l, p = Box(n), Box(m)\nif n > m:\n    p = l\np.add(3)\nreturn l.x", 5, "may be the same"),
    "alias_in_a_tuple": ("l, p = [n], ([m], 1)\nif n > m:\n    p = (l, 2)\np[0][0] = 9\nreturn l[0]", 5, "may be the same list"),
    "alias_in_an_attribute": ("l, b = [n, 1], Box(m)\nif n > m:\n    b.items = l\nb.items[0] = 9\nreturn l[0]", 5, "may be the same list"),
    "alias_in_a_dict": ("l, d = [n, 1], {'a': [m, 2]}\nif n > m:\n    d['a'] = l\nd['a'][0] = 9\nreturn l[0]", 5, "may be the same list"),
    "alias_by_a_ternary": ("l, q = [n], [m]\np = l if n > m else q\np[0] = 9\nreturn l[0]", 4, "may be the same list"),
    "alias_by_a_match": ("l, p = [n], [m]\nmatch n:\n    case 1:\n        p = l\np[0] = 9\nreturn l[0]", 6, "may be the same list"),
    "alias_in_a_for": ("l, p = [n], [m]\nfor i in range(k):\n    p = l\np[0] = 9\nreturn l[0]", 5, "may be the same list"),
    "alias_in_a_while": ("l, p = [n], [m]\nwhile k > 0:\n    p = l\n    k = k - 1\np[0] = 9\nreturn l[0]", 6, "may be the same list"),
    "alias_of_the_last_round": ("l, p = [n], [m]\nfor i in range(k):\n    p[0] = p[0] + 1\n    p = l\nreturn l[0]", 3, "same list after a"),
    "two_of_a_round": ("p, q = [n], [m]\nfor i in range(k):\n    p[0] = p[0] + 1\n    t = [i]\n    p = t\n    q = t\nreturn q[0]", 3, "same list"),
    "alias_before_the_loop": ("p = q = [n]\nfor i in range(k):\n    p[0] = i\n    emit(q[0])\n    p = [m]\nreturn q[0]", 4, "may be the same list"),
    "alias_inside_the_branch": ("l, p = [n], [m]\nif n > m:\n    p = l\nif k > 0:\n    p[0] = 9\nreturn l[0]", 6, "may be the same list"),
    "alias_in_an_inner_branch": ("l, p = [n], [m]\nif n > m:\n    if k > 0:\n        p = l\np[0] = 9\nreturn l[0]", 6, "'p' is changed, and 'l' may"),
    "alias_in_an_elif": ("l, b = [n, 1], Box(m)\nif n > m:\n    l[0] = 1\nelif k > 0:\n    n = 2\nelse:\n    b.items = l\nl[0] = 9\nreturn b.items[0]", 9, "may be the same list"),
    "alias_in_a_branch_of_a_loop": ("l, p = [n], [m]\nfor i in range(k):\n    if n > i:\n        p = l\np[0] = 9\nreturn l[0]", 6, "may be the same list"),
    "alias_of_an_alias": ("l, p, q = [n], [m], [k]\nif n > m:\n    p = l\nif k > 0:\n    q = p\np = 0\nq[0] = 9\nreturn l[0]", 8, "'q' is changed, and 'l' may"),
    "two_of_an_inner_branch": ("p, q, l = [n], [m], [k]\nif n > m:\n    if k > 0:\n        p = l\n    if k < 9:\n        q = l\nl = 0\np[0] = 9\nreturn q[0]", 9, "'p' is changed, and 'q' may"),
    "alias_of_a_closure": ("l, p = [n], [m]\nread_l = lambda: l[0]\nif n > m:\n    p = l\np[0] = 9\nreturn read_l()", 6, "may be the same list"),
    "alias_returned": ("l = [n]\ndef pick():\n    if n > m:\n        return l\n    return [m]\np = pick()\np[0] = 9\nreturn l[0]", 8, "may be the same list"),
    "global_append": ("if n > m:\n    G.append(n)\nreturn len(G)", 2, "'G' changed container shape"),
    "global_append_by_a_helper": ("if n > m:\n    grow(n)\nreturn len(G)", 2, "'G' changed container shape"),
    "global_append_in_a_loop": ("for i in range(n):\n    G.append(i)\nreturn len(G)", 2, "'G' changed container shape"),
    "append_by_a_bound_method": ("l = [n]\nadd = l.append\nif n > m:\n    add(m)\nreturn len(l)", 4, "changed container shape"),
    "iterator": ("it = iter([1, 2, 3])\nif n > m:\n    next(it)\nreturn next(it)", 3, "list_iterator, whose state cannot depend"),
    "iterator_in_a_loop": ("it = iter([1, 2, 3])\nx = 0\nfor i in range(n):\n    x = next(it)\nreturn x", 4, "list_iterator"),
    "iterator_of_the_module": ("if n > m:\n    next(IT)\nreturn next(IT)", 2, "'IT' is a list_iterator"),
    "generator": ("g = generator()\nnext(g)\nif n > m:\n    next(g)\nreturn next(g)", 4, "generator"),
    "count": ("c = itertools.count()\nif n > m:\n    next(c)\nreturn next(c)", 3, "count"),
    "zip": ("z = zip([1, 2], [3, 4])\nif n > m:\n    next(z)\nreturn next(z)[0]", 3, "list_iterator|zip"),
    "enumerate": ("z = enumerate(generator())\nif n > m:\n    next(z)\nreturn next(z)[0]", 3, "enumerate|generator"),
    "cycle": ("z = itertools.cycle([1, 2, 3])\nfor _ in (1, 2, 3, 4):\n    next(z)\nif n > m:\n    next(z)\nreturn next(z)", 5, "cycle"),
    "set": ("s = {1}\nif n > m:\n    s.add(2)\nreturn len(s)", 3, "changed container shape"),
    "deque": ("s = collections.deque([1])\nif n > m:\n    s.rotate(1)\n    s.append(2)\nreturn len(s)", 3, "deque"),
    "array": ("s = array.array('i', [1])\nif n > m:\n    s[0] = 2\nreturn s[0]", 3, "array"),
    "large_array": ("s = np.zeros(1 << 18)\nif n > m:\n    s[5] = 2\nreturn int(s[5])", 3, "ndarray"),
    "heap": ("h = [1, 3]\nif n > m:\n    heapq.heappush(h, 2)\nreturn len(h)", 3, "changed container shape"),
    "defaultdict": ("d = collections.defaultdict(int)\nif n > m:\n    d['a']\nreturn len(d)", 3, "changed container shape"),
    "memo": ("d = {}\nif n > m:\n    d['a'] = 1\nreturn len(d)", 3, "a memo of trace-time values is filled before, or is a function with functools.cache"),
    "delete_an_item": ("l = [n, m]\nif n > m:\n    del l[0]\nreturn l[0]", 3, "changed container shape"),
    "delete_an_attribute": ("b = Box(n)\nif n > m:\n    del b.x\nreturn 1", 3, "changed container shape"),
    "new_attribute": ("b = Box(n)\nif n > m:\n    b.fresh = 1\nreturn 1", 3, "changed container shape"),
    "new_function_attribute": ("def g():\n    pass\nif n > m:\n    g.fresh = 1\nreturn 1", 4, "changed container shape"),
    "caught_outside": ("x = 0\ntry:\n    if n > m:\n        raise ValueError('no')\n    x = 1\nexcept ValueError:\n    x = 2\nreturn x", 5,
                       r"ValueError \(no\) leaves a branch or loop"),
    "caught_by_all": ("x = 0\ntry:\n    for i in range(n):\n        {}['k']\nexcept:\n    x = 2\nreturn x", 5, "KeyError"),
    "suppressed": ("import contextlib\nx = 0\nwith contextlib.suppress(KeyError):\n    if n > m:\n        {}['k']\nreturn x", 6, "KeyError"),
    "refusal_caught": ("l = [n]\ntry:\n    if n > m:\n        l.append(1)\nexcept TypeError:\n    pass\nreturn len(l)", 4, "changed container shape"),
    "raise": ("if n > m:\n    raise ValueError('no')\nreturn n", 3, "no"),
    "delete_a_variable": ("x = n\nif n > m:\n    del x\nreturn x", 5, "assigned only in one branch"),
}

INPUTS = [(0, 0, 0), (1, 2, 3), (3, 1, 2), (5, -2, 4), (-3, 4, 1)]


class _Manager:
    def __enter__(self):
        return 3

    def __exit__(self, *_):
        return False


def make(body):
    lines = "\n".join("    " + line for line in body.split("\n"))
    function = define(HEAD + "def f(n, m, k):\n" + lines + "\n", emit=None, fx_range=lambda n: tuple(range(n)), open_=_Manager)
    from support import emit, read
    function.__globals__.update(emit=emit, read=read)
    return function


@pytest.mark.parametrize("name", RIGHT)
def test_as_python(name):
    plain, traced = make(RIGHT[name]), Traced(make(RIGHT[name]))
    for arguments in INPUTS:
        want, log = python_result(plain, arguments)
        assert (traced(*arguments), traced.log) == (want, log), arguments


@pytest.mark.parametrize("name", REFUSED)
def test_refused_at_its_line(name):
    body, line, text = REFUSED[name]
    function = make(body)
    first = function.__code__.co_firstlineno
    with pytest.raises(Exception, match=text) as caught:
        Traced(function)
    notes = "".join(getattr(caught.value, "__notes__", ()))
    if "while tracing:" in notes:
        assert f"line {line + first - 1}\n" in notes and "^" in notes
        return
    frames = [f for f in traceback.extract_tb(caught.value.__traceback__) if "fly-ast-" in f.filename]
    assert frames[-1].lineno == line + first - 1, frames


ODD = """
class Raises:
    def __getattribute__(self, name):
        raise ValueError("no " + name)
class Endless:
    def __getattr__(self, name):
        return getattr(self, name + "x")
class Lies:
    def __eq__(self, other):
        raise RuntimeError("eq")
    def __hash__(self):
        return 1
    def __bool__(self):
        raise RuntimeError("bool")
    def __len__(self):
        return -1
    def __repr__(self):
        raise RuntimeError("repr")
    @property
    def __class__(self):
        return dict
class Meta(type):
    def __getattr__(cls, name):
        raise ValueError("meta")
    def __eq__(cls, other):
        raise ValueError("eq")
    def __hash__(cls):
        raise ValueError("hash")
class OfMeta(metaclass=Meta):
    pass
class OddList(list):
    def __iter__(self):
        raise RuntimeError("iter")
    __len__ = __getitem__ = __setitem__ = __iter__
class OddDict(dict):
    def keys(self):
        raise RuntimeError("keys")
    __iter__ = items = keys
def look(o, v):
    return v
"""
OBJECTS = ["Raises()", "Endless()", "Lies()", "OfMeta()", "OfMeta", "OddList([1])", "OddDict(a=1)", "{Lies(): 1}", "{Lies()}",
           "(Raises(), Lies())"]
USES = ["x = 0\nif n > m:\n    x = look(o, 1)", "x = 0\nfor i in range(n):\n    x = look(o, 1)", "x = 0\nif n > m:\n    o = {0}",
        "x = 0\nfor i in range(n):\n    look(o, 1)\n    o = {0}", "x = 0\nif o is None:\n    x = 1", "x = 1 if n > m and look(o, n) > 3 else 2",
        "x = o if n > m else {0}"]


@pytest.mark.parametrize("made", OBJECTS)
@pytest.mark.parametrize("use", USES)
def test_odd_objects(made, use):
    """No code of such a class runs; if two cannot become one, the message says so."""
    function = make(f"o = {made}\n{use.format(made)}\nreturn n")
    exec(ODD, function.__globals__)
    try:
        assert Traced(function)(1, 2, 3) == 1
    except TypeError as error:
        assert "{0}" in use, error
        assert any(text in str(error) for text in ("carried variable 'o'", "dynamic ifexp", "cannot be copied")), error


def test_class_without_source():
    for scope in ({}, {"__name__": "made"}):
        exec("class Made:\n    def __init__(self, x):\n        self.x = x\n    def add(self, v):\n        self.x = self.x + v\n", scope)
        function = make("o = Made(n)\nif n > m:\n    o.add(k)\nfor i in range(m):\n    o.x = o.x + 1\nreturn o.x")
        function.__globals__["Made"] = scope["Made"]
        traced = Traced(function)
        assert traced(5, 2, 3) == 10 and traced(1, 2, 3) == 3


def test_warning_names_the_users_line():
    import flydsl.compiler as flyc
    import flydsl.expr as fx
    function = define("def f(x: int):\n    pass\n", fx=fx)
    launcher = flyc.jit(function)
    with pytest.warns(UserWarning, match="no type of a traced value") as caught:
        assert launcher.parameters
    assert caught[0].filename == function.__code__.co_filename and caught[0].lineno == 1


def test_large_state_is_refused():
    function = make("l = [[v] for v in (0, ) * 30000]\nif n > m:\n    l[0] = 1\nreturn n")
    with pytest.raises(TypeError, match="can reach more than 20000 Python objects"):
        Traced(function)
