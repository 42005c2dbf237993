// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: static assertion
// EXPECT: opcode_of_relu
// FIRST: any
// The notes of the compiler name the function that is not constexpr, and its caller.
#include <baton/lower/preprocess_is_constant.hpp>

#include "fail/calls_a_table.hpp"

static_assert(baton::preprocess_is_constant<calls_a_table>(relu_model, relu_partitioner{}));
