// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators on what stays from run to run: variables and tables behind handles, generators of random numbers.
#pragma once

#include <baton/operators/operator_definition.hpp>

namespace baton::definitions {

inline constexpr operand_definition handle_operands[] = {{"handle"}};
inline constexpr operand_definition assignment_operands[] = {{"handle"}, {"value"}};

/// What is known of operators on variables, tables and generators. A handle, and what is read by one, has a state's life.
inline constexpr operator_definition stateful[] = {
    {.name = "tfl.var_handle", .keeps_state = true},
    {.name = "tfl.read_variable", .operands = handle_operands, .keeps_state = true},
    {.name = "tfl.assign_variable", .operands = assignment_operands, .keeps_state = true},
    {.name = "tfl.call_once", .keeps_state = true},
    {.name = "tfl.hashtable", .keeps_state = true},
    {.name = "tfl.hashtable_import", .keeps_state = true},
    {.name = "tfl.hashtable_find", .keeps_state = true},
    {.name = "tfl.hashtable_size", .operands = handle_operands, .keeps_state = true},
    {.name = "tfl.multinomial", .keeps_state = true},
    {.name = "tfl.random_standard_normal", .keeps_state = true},
    {.name = "tfl.random_uniform", .keeps_state = true},
};

}  // namespace baton::definitions
