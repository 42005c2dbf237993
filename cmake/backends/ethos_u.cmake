# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Header-only. The firmware links Arm's driver for its board (docs/ethos_u.md).
baton_backend(ethos_u)
