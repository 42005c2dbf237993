# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Headers alone: Arm's driver is the board's, which links it (docs/ethos_u.md).
baton_backend(ethos_u)
