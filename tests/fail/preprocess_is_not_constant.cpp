// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: static assertion
// EXPECT: opcode_of_relu
// FIRST: any
// The compiler's own words say where: the function that is not constexpr, and who calls it.
#include <baton/lower/preprocess_is_constant.hpp>

#include "fail/calls_a_table.hpp"

static_assert(baton::preprocess_is_constant<calls_a_table>(relu_model, relu_partitioner{}));
