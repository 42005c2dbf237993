# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""The folders of an installed Baton, for builds that find it with Python. The library itself needs no Python."""

import os
from importlib.metadata import version

__all__ = ["get_cmake_dir", "get_include"]
__version__ = version("baton")

_root = os.path.dirname(os.path.abspath(__file__))


def get_include() -> str:
    """Returns the include directory, which contains the folder `baton`."""
    return os.path.join(_root, "include")


def get_cmake_dir() -> str:
    """Returns the folder of baton-config.cmake: cmake -Dbaton_DIR=FOLDER."""
    return os.path.join(_root, "share", "cmake", "baton")
