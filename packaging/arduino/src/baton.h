// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Arduino finds a library by this header.
#pragma once

#include "baton/baton.hpp"
