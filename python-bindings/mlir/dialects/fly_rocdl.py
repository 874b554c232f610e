# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The dialect `fly_rocdl`: op builders, atom types and the target attribute."""

from ._fly_rocdl_ops_gen import *  # noqa: F401,F403
from ._fly_rocdl_ops_gen import _Dialect  # noqa: F401
from .._mlir_libs._fly import (  # noqa: F401
    BufferDescAttr,
    CPUTargetAttr,
    CopyOpCDNA3BufferAtomicType,
    CopyOpCDNA3BufferCopyLDSType,
    CopyOpCDNA3BufferCopyType,
    CopyOpCDNA4BufferLoadAsyncLDSType,
    CopyOpCDNA4GlobalLoadAsyncLDSType,
    CopyOpCDNA4LdsReadTransposeType,
    CopyOpCDNA5TensorLoadType,
    CopyOpCDNA5TensorStoreType,
    CopyOpGFX1250TDMType,
    MmaOpCDNA3_MFMAType,
    MmaOpCDNA4_MFMAScaleType,
    MmaOpGFX1250_WMMAScaleType,
    MmaOpGFX1250_WMMAType,
    MmaOpGFX120X_WMMAType,
    MmaOpGFX11_WMMAType,
    tdm_partition_layout,
)
