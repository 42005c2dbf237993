// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/infer.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/is_shape_like.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/rules.hpp>

#include "conformance/graphs.hpp"
#include "properties/random_program.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

namespace {

using namespace baton;
using enum dtype;

/// A program with a `tfl.add` node whose stated output type is `stated`. Its first operand is the output of an unknown operator.
constexpr auto sum_of_type(const tensor_type& stated) -> exported_program {
  program_builder b;
  const auto x = b.call("my.source", {b.user_input("in", tensor(int8))}, tensor(int8, 2, -1));
  b.output(b.call("sum", "tfl.add", {x, b.user_input("y", tensor(int8, 3))}, stated));
  return b.finish();
}
constexpr auto is_reported(const failure& why, std::string_view rule, std::string_view reason) -> bool {
  return why.rule == rule && view(why.reason) == reason && why.node == 1 && view(why.node_name) == "sum" && view(why.op) == "tfl.add";
}

constexpr auto stated_types_are_compared() -> bool {
  const auto mismatched = rule<"mismatched_inference">::sentence;
  return !check_inference(sum_of_type(tensor(int8, 2, 3))) && !check_inference(sum_of_type(tensor(int8, -1, 3))) &&
         is_reported(check_inference(sum_of_type(tensor(int8, 2, 4))), mismatched, "output sum is int8 [2, 4] and should be int8 [2, 3]") &&
         is_reported(check_inference(sum_of_type(tensor(int8, 2, 3, 1))), mismatched,
                     "output sum is int8 [2, 3, 1] and should be int8 [2, 3]") &&
         is_reported(check_inference(sum_of_type(tensor(int8))), mismatched, "output sum is int8 [] and should be int8 [2, 3]") &&
         is_reported(check_inference(sum_of_type(tensor(int16, 2, -1))), mismatched,
                     "output sum is int16 [2, ?] and should be int8 [2, 3]");
}
static_assert(stated_types_are_compared());

constexpr auto mismatched_operands_are_reported_with_their_positions() -> bool {
  program_builder b;
  const auto x = b.call("tfl.relu", {b.user_input("in", tensor(int8, 2))}, tensor(int8, 2));
  b.output(b.call("sum", "tfl.add", {x, b.user_input("y", tensor(int8, 3))}, tensor(int8, 3)));
  return is_reported(check_inference(b.finish()), rule<"malformed_operator">::sentence,
                     "the shapes of operands 0 and 1 cannot be broadcast");
}
static_assert(mismatched_operands_are_reported_with_their_positions());

/// A user-defined rule for an operator that the library does not know.
constexpr void infer_source(inference& node) { node.set_output(0, int8, {2, 5}); }
constexpr operator_definition my_operators[] = {{.name = "my.source", .infer = infer_source}};
constexpr auto user_defined_rules_are_applied() -> bool {
  program_builder b;
  b.output(b.call("my.source", {}, tensor(int8, 2, 4)));
  auto program = b.finish();
  const bool is_unknown = !check_inference(program);
  program.operators = my_operators;
  return is_unknown && check_inference(program);
}
static_assert(user_defined_rules_are_applied());

TEST_CASE("check_inference compares stated types with inferred types, and reports the first mismatch") {
  CHECK(stated_types_are_compared());
  CHECK(mismatched_operands_are_reported_with_their_positions());
  CHECK(user_defined_rules_are_applied());
}

/// A program with a `tfl.if` node whose stated output type is `stated`.
constexpr auto choice_of_type(const tensor_type& stated) -> exported_program {
  program_builder b;
  const auto root = b.current();
  vector<graph_id> branches;
  for (const auto* op : {"tfl.relu", "tfl.abs"}) {
    branches.push_back(b.add_graph(op));
    b.output(b.call(op, {b.user_input("y", tensor(int8, 2, 3))}, tensor(int8, 2, 3)));
  }
  b.enter(root);
  const auto flag = b.user_input("flag", tensor(boolean));
  b.output(b.call_many("sum", "tfl.if", {flag, b.user_input("x", tensor(int8, 2, 3))}, {stated}, {}, {branches[0], branches[1]})[0]);
  return b.finish();
}
constexpr auto subgraphs_determine_the_types_of_outputs() -> bool {
  const auto why = check_inference(choice_of_type(tensor(int8, 2, 4)));
  return !check_inference(choice_of_type(tensor(int8, 2, 3))) && why.is<"mismatched_inference">() && view(why.op) == "tfl.if" &&
         view(why.reason) == "output sum_0 is int8 [2, 4] and should be int8 [2, 3]";
}
static_assert(subgraphs_determine_the_types_of_outputs());
TEST_CASE("check_inference compares the outputs of a node with those of its subgraphs") {
  CHECK(subgraphs_determine_the_types_of_outputs());
}

/// Checks the inferred shapes of all outputs against the stated shapes, and returns the number of inferred shapes. Types are not compared,
/// because random programs compute real numbers from booleans. They may also state [1] as the shape of a total.
auto count_inferred_shapes(const exported_program& program) -> int {
  int known = 0;
  for (const auto& record : program.nodes) {
    const auto types = infer(program, record);
    const auto text = message(types.error);
    CHECK_MESSAGE(types, std::string_view(view(text)), program.text(record.name));
    for (std::size_t i = 0; i < types.value.size(); ++i) {
      if (!types.value[i].has_shape) continue;
      const auto inferred = types.value[i].shape.view();
      const auto stated = program.shape(program_view(program).outputs_of(record)[i]);
      const bool is_total = record.is("aten.sum.default") && inferred.empty() && element_count(stated) == 1;
      CHECK_MESSAGE((is_total || is_shape_like(inferred, stated)), program.text(record.target));
      ++known;
    }
  }
  return known;
}
TEST_CASE("infer agrees with the shapes in conformance programs and in random programs") {
  int known = 0;
  std::size_t nodes = 0;
  const auto count = [&](const exported_program& program) {
    known += count_inferred_shapes(program);
    nodes += program.nodes.size();
  };
  for (const auto& program : {conformance::g_mmadd(), conformance::g_crt(), conformance::g_add3(), conformance::g_reuse(),
                              conformance::g_mut(), conformance::g_mlp(), conformance::g_seq(), conformance::g_const(),
                              conformance::g_cond(), conformance::g_map(), conformance::g_lstm()}) {
    count(program);
  }
  for (std::uint64_t seed = 0; seed < 200; ++seed) count(properties::random_program(seed).make());
  CHECK(known * 10 > static_cast<int>(nodes) * 8);
}

namespace fs = std::filesystem;

auto bytes_of(const fs::path& path) -> baton::vector<char> {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct statistics {
  int models = 0;
  int nodes = 0;
  int inferred = 0;  ///< nodes whose rule infers the shape of output 0
  int damaged = 0;
};

/// Changes each inferred size and type of the outputs of node `n`, one at a time. `check_inference` must report each change.
void damage(exported_program& program, std::size_t n, const baton::vector<inferred_type>& known, statistics& all) {
  for (std::size_t o = 0; o < known.size(); ++o) {
    const auto id = program.outputs_of(program.nodes[n])[o];
    auto& stated = program.values[index(id)];
    for (std::uint32_t d = 0; known[o].has_shape && d < stated.shape.size; ++d) {
      if (known[o].shape.sizes[d] < 0) continue;
      auto& size = program.integers[stated.shape.first + d];
      size += 1;
      const auto why = check_inference(program);
      CHECK(why.is<"mismatched_inference">());
      CHECK(why.node == static_cast<std::int64_t>(n));
      size -= 1;
      ++all.damaged;
    }
    if (!known[o].has_type) continue;
    const auto type = stated.type;
    stated.type = type == complex64 ? int8 : complex64;
    CHECK(check_inference(program).is<"mismatched_inference">());
    stated.type = type;
    ++all.damaged;
  }
}

void check_model(const fs::path& path, statistics& all) {
  CAPTURE(path.string());
  const auto bytes = bytes_of(path);
  if (!tflite::importer::recognizes(bytes)) return;  // one file of the zoo is not a model
  auto imported = tflite::try_read_bytes(bytes);
  const auto text = message(imported.error);
  CHECK_MESSAGE(imported, std::string_view(view(text)));
  if (!imported) return;
  ++all.models;
  auto& program = imported.value;
  // A state with a mutation is written by the graph, so any node may read it. Any other state is written by a node that keeps it.
  bool has_mutations = false;
  for (const auto& output : program.outputs) has_mutations = has_mutations || output.kind == output_kind::buffer_mutation;
  for (std::size_t n = 0; n < program.nodes.size(); ++n) {
    ++all.nodes;
    const auto& record = program.nodes[n];
    const auto& definition = find_definition(record.op);
    const auto known = infer(program, record);
    REQUIRE(known);
    CHECK(known.value.size() == (definition.infer != nullptr ? record.outputs.size : 0));
    bool has_state = false;
    for (const auto id : program.inputs(record)) {
      has_state = has_state || (id != none<value_id> && program[id].kind == value_kind::mutable_buffer);
    }
    if (has_state && !has_mutations && &definition != &baton::detail::undefined_operator) CHECK(definition.keeps_state);
    if (known.value.empty()) continue;
    all.inferred += known.value[0].has_shape ? 1 : 0;
    damage(program, n, known.value, all);
  }
}

TEST_CASE("check_inference accepts every available model, and rejects it if an output type is changed") {
  const fs::path shared = BATON_SHARED_DIR;
  statistics all;
  for (const auto* folder : {"models", "zoo", "zoo-vela"}) {
    if (shared.empty() || !fs::exists(shared / folder)) {
      MESSAGE("skipped: there is no folder of shared models: ", folder);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(shared / folder)) {
      if (entry.path().extension() == ".tflite") check_model(entry.path(), all);
    }
  }
  check_model(fs::path(BATON_EXAMPLES_DIR) / "digits" / "digits_int8.tflite", all);
  CHECK(all.models > 0);
  CHECK(all.damaged > all.inferred);
  // Shapes are inferred for most nodes; the exceptions are operators on variables and custom operators.
  CHECK(all.inferred * 10 > all.nodes * 7);
  MESSAGE(all.models, " models, ", all.nodes, " nodes, ", all.inferred, " with a shape that follows, ", all.damaged, " damages");
}

}  // namespace
