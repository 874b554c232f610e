"""usage: check-shuffles.py UP.npy DOWN.npy OFFSET WIDTH: the lanes that shuffles read."""
import sys

import numpy as np

up, down = np.load(sys.argv[1]), np.load(sys.argv[2])
offset, width = int(sys.argv[3]), int(sys.argv[4])
lanes = np.arange(len(up))
np.testing.assert_array_equal(up, np.where(lanes % width >= offset, lanes - offset, -1))
np.testing.assert_array_equal(down, np.where(lanes % width < width - offset, lanes + offset, -1))
