# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names that rewritten code finds in the globals of its module."""
from __future__ import annotations

from . import alias, boolean, dispatch


def const_expr(value):
    """Says that `value` is known at trace time; returns it."""
    return value


HELPERS = {
    "const_expr": const_expr,
    "scf_if_collect_results": dispatch.collect_results,
    "scf_for_collect_results": dispatch.collect_results,
    "scf_while_collect_results": dispatch.collect_results,
}
for _module, _names in ((boolean, ("dsl_and_", "dsl_or_", "dsl_not_", "dsl_compare_", "scf_set_any_", "scf_clear_",
                                   "scf_set_", "dsl_static_test_", "dsl_plain_range_", "dsl_assert_", "dsl_format_", "dsl_print_")),
                        (alias, ("scf_check_", )),
                        (dispatch, ("scf_if_dispatch", "scf_ifexp_dispatch", "scf_for_dispatch", "scf_while_dispatch",
                                    "scf_bounds_", "scf_range", "scf_yield_", "scf_leaked_", "scf_returned_",
                                    "scf_static_subject_"))):
    for _name in _names:
        HELPERS[_name] = getattr(_module, _name)


class ReplaceIfWithDispatch:
    """The functions of `if` and the ternary, under their public name."""

    scf_if_dispatch = staticmethod(dispatch.scf_if_dispatch)
    scf_ifexp_dispatch = staticmethod(dispatch.scf_ifexp_dispatch)


class InsertEmptyYieldForSCFFor:
    """The functions of `for`, under their public name."""

    scf_for_dispatch = staticmethod(dispatch.scf_for_dispatch)
    scf_range = staticmethod(dispatch.scf_range)
    scf_yield_ = staticmethod(dispatch.scf_yield_)


class CanonicalizeWhile:
    """The functions of `while`, under their public name."""

    scf_while_dispatch = staticmethod(dispatch.scf_while_dispatch)
