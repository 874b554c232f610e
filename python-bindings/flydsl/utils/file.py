# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that other processes may read at any time."""
from __future__ import annotations

import os
import tempfile


def write_atomically(path: str, parts: list, mode: int = 0o600) -> None:
    """Writes the byte strings `parts` to `path`: whole, or not at all. The folder must exist."""
    descriptor, temporary = tempfile.mkstemp(prefix=".tmp-", dir=os.path.dirname(path))
    try:
        with os.fdopen(descriptor, "wb") as file:
            for part in parts:
                file.write(part)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        try:
            os.unlink(temporary)
        except OSError:
            pass
        raise
