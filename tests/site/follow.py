# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of a page and compares their output with the page: follow.py PAGE

A block of commands is `sh` after the line `<!-- run -->`. Its output is the next block, after a line `<!-- output: FILE -->`.
"""

import re
import subprocess
import sys

page = sys.argv[1]
with open(page, encoding="utf-8") as file:
    steps = re.findall(r"<!-- run -->\n```sh\n(.*?)```\n\n<!-- output: \S+ -->\n```text\n(.*?)```\n", file.read(), re.S)
if len(steps) < 3:
    sys.exit(f"{page}: fewer than three steps with an output")
for commands, expected in steps:
    done = subprocess.run(["sh", "-e", "-c", commands], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False)
    if done.returncode != 0 or done.stdout != expected:
        sys.exit(f"{page}: exit status {done.returncode}, and the output differs:\n{commands}\nexpected:\n{expected}\nactual:\n{done.stdout}")
print(f"{page}: {len(steps)} steps have the expected output")
