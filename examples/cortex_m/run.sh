#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# The command `baton firmware` (docs/tool.md).
exec sh "$(dirname -- "$0")/../../tools/baton" firmware "$@"
