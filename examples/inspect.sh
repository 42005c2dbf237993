#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# The command `baton inspect` (docs/tool.md).
exec sh "$(dirname -- "$0")/../tools/baton" inspect "$@"
