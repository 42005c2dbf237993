// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Declarations that callers and owners of the models share.
#pragma once

inline bool device_is_on = false;
inline int softmaxes_run = 0;
