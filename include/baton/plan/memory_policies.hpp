// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The list of memory policies. To add a policy, include its header here. `memory_policy.hpp` contains the concept.
#pragma once

#include <baton/plan/memory_policies/in_place.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/memory_policies/no_reuse.hpp>
#include <baton/plan/memory_policies/row_streaming.hpp>
