// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated, do not edit. Includes baton.hpp, which has the contents of this header.
#pragma once

#include "baton.hpp"
