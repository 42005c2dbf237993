// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The sizes of hidden states in bytes (`operator_definition::hidden_state`).
#include <baton/operators/find_definition.hpp>
#include <baton/operators/operator_definition.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/tensor.hpp>

#include "reference/flexbuffer.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>

namespace {

using namespace baton;

constexpr auto state_of(literal_name op, const tensor_type& input, std::initializer_list<reference::flex_option> options) -> std::uint64_t {
  const auto bytes = reference::flex_map(options);
  program_builder b;
  b.output(b.call(op.text, {b.user_input("x", input)}, input, {reference::flex_attribute(bytes)}));
  const auto program = b.finish();
  return find_definition(program.nodes[0].op).hidden_state(program, program.nodes[0]);
}
constexpr auto framer_state(std::int64_t signals) -> std::uint64_t {
  return state_of("tfl.custom.SignalFramer", tensor(dtype::int16, signals, 6),
                  {{"frame_size", 5}, {"frame_step", 3}, {"prefill", 1, true}});
}
constexpr auto delay_state(std::int64_t signals) -> std::uint64_t {
  return state_of("tfl.custom.SignalDelay", tensor(dtype::int16, signals, 6), {{"delay_length", 7}});
}
constexpr auto overlap_add_state(std::int64_t signals) -> std::uint64_t {
  return state_of("tfl.custom.SignalOverlapAdd", tensor(dtype::int16, signals, 2, 6), {{"frame_step", 4}});
}
constexpr auto stacker_state(std::int64_t channels) -> std::uint64_t {
  return state_of("tfl.custom.SignalStacker", tensor(dtype::int16, 3),
                  {{"num_channels", channels}, {"stacker_left_context", 2}, {"stacker_right_context", 1}});
}
constexpr auto subtraction_state(std::int64_t channels) -> std::uint64_t {
  return state_of("tfl.custom.SignalFilterBankSpectralSubtraction", tensor(dtype::uint32, 3), {{"num_channels", channels}});
}

constexpr auto known_states_have_their_size() -> bool {
  return framer_state(2) == 4 + 2 * 2 * 2 && delay_state(2) == 2 * 2 * 7 && overlap_add_state(2) == 2 * 2 * 2 &&
         stacker_state(3) == 4 + 3 * 2 * 3 && subtraction_state(3) == 3 * 4;
}
static_assert(known_states_have_their_size());

/// -1 signals: an open batch size. 0 channels: the option is missing.
constexpr auto states_of_unknown_counts_are_unknown() -> bool {
  return framer_state(-1) == 0 && delay_state(-1) == 0 && overlap_add_state(-1) == 0 && stacker_state(0) == 0 && subtraction_state(0) == 0;
}
static_assert(states_of_unknown_counts_are_unknown());

}  // namespace

TEST_CASE("hidden states of signal operators have the size that the options and the input require") {
  CHECK(known_states_have_their_size());
}

TEST_CASE("a hidden state is unknown if the number of signals or channels is unknown") { CHECK(states_of_unknown_counts_are_unknown()); }
