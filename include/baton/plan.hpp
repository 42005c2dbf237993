// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// For who writes a policy, or looks at a plan: what is placed where, and in which order nodes run.
// Made by: cmake -P cmake/umbrella.cmake
#pragma once

// clang-format off
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/storage_map.hpp>
#include <baton/plan/schedule_policy.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/execution_plan.hpp>
// clang-format on
