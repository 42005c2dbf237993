# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""The command `baton` of the wheel. It replaces this process by the shell script, which needs no Python."""

import os
import signal
import sys

from . import _root


def main() -> None:
    script = os.path.join(_root, "tools", "baton")
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and so would the command.
    try:
        os.execv("/bin/sh", ["sh", script, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"baton: cannot run {script} with /bin/sh: {error.strerror}")


if __name__ == "__main__":
    main()
