// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that own subgraphs and run them.
#pragma once

#include <baton/operators/operator_definition.hpp>

namespace baton::definitions {

/// What is known of operators that run subgraphs; `control_flow` says which operands they take.
inline constexpr operator_definition branching[] = {
    {.name = "cond", .flow = control_flow::cond},
    {.name = "tfl.if", .flow = control_flow::cond},
    {.name = "while_loop", .flow = control_flow::while_loop},
    {.name = "tfl.while", .flow = control_flow::while_loop},
    {.name = "map", .flow = control_flow::map},
    {.name = "scan", .flow = control_flow::scan},
};

}  // namespace baton::definitions
