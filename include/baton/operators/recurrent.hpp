// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Recurrent networks.
#pragma once

#include <baton/operators/operator_definition.hpp>
#include <baton/operators/work_rules.hpp>

namespace baton::definitions {

/// What is known of recurrent networks.
inline constexpr operator_definition recurrent[] = {
    {.name = "tfl.svdf", .keeps_state = true, .multiply_adds = work_rules::rnn},
    {.name = "tfl.rnn", .keeps_state = true, .multiply_adds = work_rules::rnn},
    {.name = "tfl.unidirectional_sequence_rnn", .keeps_state = true, .multiply_adds = work_rules::rnn},
    {.name = "tfl.bidirectional_sequence_rnn", .keeps_state = true, .multiply_adds = work_rules::both_rnn},
    {.name = "tfl.lstm", .keeps_state = true, .multiply_adds = work_rules::lstm_of_either_kind},
    {.name = "tfl.unidirectional_sequence_lstm", .keeps_state = true, .multiply_adds = work_rules::lstm},
    {.name = "tfl.bidirectional_sequence_lstm", .keeps_state = true, .multiply_adds = work_rules::both_lstm},
};

}  // namespace baton::definitions
