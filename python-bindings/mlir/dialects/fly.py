# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The dialect `fly`: op builders, enumerations, types and attributes."""

from ._fly_ops_gen import *  # noqa: F401,F403
from ._fly_ops_gen import _Dialect  # noqa: F401
from ._fly_enum_gen import *  # noqa: F401,F403
from .._mlir_libs._fly import *  # noqa: F401,F403
