# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from . import arith as arith
from . import buffer_ops as buffer_ops
from . import coop as coop
from . import extern as extern
from . import gpu as gpu
from . import ktrace as ktrace
from . import math as math
from . import random as random
from . import rocdl as rocdl
from . import tdm_ops as tdm_ops
from . import utils as utils
from .arith import *
from .derived import *
from .enum import *
from .gpu import *
from .llvm import *
from .math import *
from .meta import *
from .numeric import *
from .primitive import *
from .printing import *
from .struct import *
from .typing import *
