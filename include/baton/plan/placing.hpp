// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The list of memory policies. To add one, add a line here. `memory_policy.hpp` contains the concept.
#pragma once

#include <baton/plan/placing/apart.hpp>
#include <baton/plan/placing/best.hpp>
#include <baton/plan/placing/overlap.hpp>
#include <baton/plan/placing/stream.hpp>
