// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton run_time_preprocess: preprocess
// EXPECT: to see the cause:
// EXPECT: baton::preprocess_is_constant
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

#include "fail/calls_a_table.hpp"

constexpr auto lowered = baton::to_backend(baton::backends<calls_a_table>, relu_model, relu_partitioner{});
