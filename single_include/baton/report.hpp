// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated, do not edit: baton.hpp has all of it.
#pragma once

#include "baton.hpp"
