// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// State that custom operators keep between runs, for which files have no tensor. tests/nodes/signal has models with one such node.
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/verify.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

auto model_of(std::string_view name) -> std::vector<char> {
  std::ifstream file(std::string(BATON_NODES_DIR) + "/signal/" + std::string(name) + ".tflite", std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}
auto without(std::vector<char> model, std::string_view option) -> std::vector<char> {
  const auto position = std::search(model.begin(), model.end(), option.begin(), option.end());
  REQUIRE(position != model.end());
  *position = '?';
  return model;
}

}  // namespace

TEST_CASE("the hidden state of a node becomes a mutable buffer, its last operand") {
  const auto model = model_of("delay_2_7");  // two signals
  const auto program = baton::tflite::read_bytes(model);
  const auto view = baton::program_view(program);
  const auto& node = view.nodes[0];
  REQUIRE(view.inputs(node).size() == 2);
  const auto id = view.inputs(node)[1];
  CHECK(view[id].kind == baton::value_kind::mutable_buffer);
  CHECK(view[id].type == baton::dtype::uint8);
  CHECK(view.shape(id).size() == 1);
  CHECK(view.shape(id)[0] == 2 * 2 * 7);
  CHECK(view[id].data.size == 0);
  CHECK(view.text(view[id].target) == std::string(view.text(node.name)) + ".state");
  CHECK(view.outputs_of(node).size() == 1);
  CHECK(view.outputs_of(node)[0] == view.outputs_of(view.root())[0].value);
  const auto inputs = view.inputs(view.root());
  CHECK(std::count(inputs.begin(), inputs.end(), id) == 1);
  CHECK_FALSE(baton::verify(view));
  CHECK_FALSE(baton::check_inference(view));
}

TEST_CASE("no buffer is added if the size of the hidden state is unknown") {
  const auto model = without(model_of("spectral_subtraction"), "num_channels");
  const auto program = baton::tflite::read_bytes(model);
  CHECK(baton::program_view(program).inputs(program.nodes[0]).size() == 1);
  CHECK_FALSE(baton::verify(program));
}

TEST_CASE("no buffer is added if the number of signals is unknown") {
  auto model = model_of("framer_signals");
  const char shape[] = {2, 0, 0, 0, 2, 0, 0, 0, 8, 0, 0, 0};  // of the input: the rank, the signals, the samples
  const auto position = std::search(model.begin(), model.end(), std::begin(shape), std::end(shape));
  REQUIRE(position != model.end());
  std::fill_n(position + 4, 4, '\xff');
  const auto program = baton::tflite::read_bytes(model);
  CHECK(baton::program_view(program).inputs(program.nodes[0]).size() == 1);
  CHECK_FALSE(baton::verify(program));
}

TEST_CASE("nodes of other operators have no hidden state") {
  const auto model = model_of("energy");
  const auto program = baton::tflite::read_bytes(model);
  CHECK(baton::program_view(program).inputs(program.nodes[0]).size() == 1);
}

namespace {

constexpr baton::operand_definition custom_operands[] = {{"input"}, {"state", baton::operand_definition::presence::optional}};
constexpr auto custom_state_size(const baton::program_view& program, const baton::node& record) -> std::uint64_t {
  return 3 * static_cast<std::uint64_t>(baton::element_count(program.shape(program.inputs(record)[0])));
}
constexpr baton::operator_definition custom_operators[] = {
    {.name = "tfl.custom.SignalEnergy", .operands = custom_operands, .keeps_state = true, .hidden_state = custom_state_size}};

}  // namespace

TEST_CASE("nodes of a user-defined operator have the hidden state of its definition") {
  const auto model = model_of("energy");
  const auto program = baton::tflite::read_bytes(model, {.operators = custom_operators});
  const auto view = baton::program_view(program);
  REQUIRE(view.inputs(view.nodes[0]).size() == 2);
  const auto state = view.inputs(view.nodes[0])[1];
  CHECK(view[state].kind == baton::value_kind::mutable_buffer);
  CHECK(view.shape(state)[0] == 3 * baton::element_count(view.shape(view.inputs(view.nodes[0])[0])));
  CHECK_FALSE(baton::verify(view));
}

TEST_CASE("damaged models are read or rejected") {
  std::mt19937 random(5);  // NOLINT(cert-msc51-cpp): the same numbers each time
  std::size_t read = 0;
  for (const auto* const name : {"delay_2_7", "framer_prefill", "stacker_2_1_2", "overlap_add_int16_2_2", "spectral_subtraction"}) {
    const auto whole = model_of(name);
    for (int round = 0; round < 400; ++round) {
      auto model = whole;
      for (auto changes = 1 + random() % 4; changes-- > 0;) model[random() % model.size()] = static_cast<char>(random());
      const auto imported = baton::tflite::try_read_bytes(model);
      if (!imported) continue;
      ++read;
      CHECK_FALSE(baton::verify(imported.value));
    }
  }
  CHECK(read > 100);
}
