// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random quantized networks before and after `shift_to_int8`, `fuse_activations` and `fuse_quantization`: the laws of passes hold, and the
// integers between the nodes are equal, except for results close to a tie. BATON_PROPERTY_SEEDS is the number of networks, 1500 by default.
#include <baton/core/compare.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/transform/fold_scales.hpp>
#include <baton/transform/fuse_activations.hpp>
#include <baton/transform/fuse_quantization.hpp>
#include <baton/transform/pass_list.hpp>
#include <baton/transform/shift_to_int8.hpp>

#include "laws/pass.hpp"
#include "properties/environment.hpp"
#include "properties/random.hpp"
#include "transform/qdq_interpreter.hpp"
#include "transform/random_qdq_net.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace baton;

auto random_inputs(const program_view& program, std::uint64_t seed) -> std::map<std::string, qdq::numbers> {
  properties::random_numbers random(seed ^ 0x5eed);
  std::map<std::string, qdq::numbers> inputs;
  for (const auto id : program.inputs(program.root())) {
    if (program[id].kind != value_kind::user_input) continue;
    auto& numbers = inputs[std::string(program.text(program[id].name))];
    const auto count = element_count(program.shape(id));
    for (std::int64_t i = 0; i < count; ++i) {
      const auto step = static_cast<double>(random.below(256));
      numbers.push_back(program[id].type == dtype::float32 ? static_cast<double>(static_cast<float>(step / 29 - 4.4))
                                                           : step - (program[id].type == dtype::int8 ? 128 : 0));
    }
  }
  return inputs;
}

struct comparison {
  std::size_t elements = 0;                        ///< of integer values that both programs have
  std::size_t different = 0;                       ///< by at most one step
  std::size_t far = 0;                             ///< by more than one step
  std::map<std::string, std::size_t> by_operator;  ///< the number of different elements, by the operator that computes them
};
/// Compares the integers of the values that both programs have, by name. Values after a difference are not compared.
void compare(const program_view& before, const program_view& after, std::uint64_t seed, comparison& sum) {
  const auto inputs = random_inputs(before, seed);
  qdq::interpreter first(before), second(after);
  first.run(inputs);
  second.run(inputs);
  std::map<std::string, value_id> named;
  for (std::uint32_t v = 0; v < after.values.size(); ++v) named[std::string(after.text(after.values[v].name))] = static_cast<value_id>(v);
  for (const auto& record : before.nodes) {
    const auto id = before.outputs_of(record)[0];
    const auto entry = named.find(std::string(before.text(before[id].name)));
    if (entry == named.end() ||
        (before[id].type == dtype::float32 &&
         !std::ranges::any_of(before.outputs_of(before.root()), [&](const output_spec& spec) { return spec.value == id; })))
      continue;
    const auto& a = first[id];
    const auto& b = second[entry->second];
    REQUIRE(a.size() == b.size());
    const bool is_float = before[id].type == dtype::float32;
    const double shift = before[id].type == after[entry->second].type ? 0 : 128;
    bool is_equal = true;
    const auto by = producer_of(after, entry->second);
    const auto op = std::string(by == none<node_id> ? "" : after.text(after[by].target));
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto difference = std::abs(a[i] - b[i] - shift);
      const auto step = is_float ? 1e-4 * (1 + std::abs(a[i])) : 0.5;
      sum.elements += is_float ? 0 : 1;
      sum.different += !is_float && difference > step && difference <= 1 ? 1 : 0;
      if (!is_float && difference > step && difference <= 1) sum.by_operator[op] += 1;
      sum.far += difference > (is_float ? step : 1) ? 1 : 0;
      is_equal = is_equal && difference <= step;
    }
    if (!is_equal) return;  // the following nodes compute with other numbers
  }
}

/// True if each debug handle of the program `before` is on exactly one node.
auto has_each_handle_once(const program_view& after) -> bool {
  std::vector<std::int64_t> handles;
  for (const auto& record : after.nodes) {
    handles.push_back(record.debug_handle);
    for (const auto folded : after.folded_handles(record)) handles.push_back(folded);
  }
  std::ranges::sort(handles);
  return std::ranges::adjacent_find(handles) == handles.end();
}

/// True if the program needs the pass, or the pass does not change it.
template <class Pass>
auto is_needed_or_same(const program_view& program) -> bool {
  return Pass::is_needed(program) || same(Pass::run(program), program);
}

using all = pass_list<shift_to_int8, fuse_activations, fuse_quantization>;

}  // namespace

TEST_CASE("random networks compute the same after the fusion of quantization") {
  const auto seeds = properties::number_from_environment("BATON_PROPERTY_SEEDS", 1500);
  comparison sum;
  std::size_t nodes = 0, nodes_after = 0, in_float = 0, unneeded = 0;
  std::map<std::string, std::size_t> reasons;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto program = qdq::random_net(seed).build();
    std::string wrong;
    if (auto why = verify(program)) wrong = "the network is not valid";
    if (!laws::pass::static_laws<shift_to_int8>(program)) wrong = "laws of shift_to_int8";
    const auto shifted = shift_to_int8::run(program);
    if (!laws::pass::static_laws<fuse_activations>(shifted)) wrong = "laws of fuse_activations";
    const auto activated = fuse_activations::run(shifted);
    if (!laws::pass::static_laws<fuse_quantization>(activated)) wrong = "laws of fuse_quantization";
    const auto fused = fuse_quantization::run(activated);
    if (!has_each_handle_once(fused)) wrong = "a debug handle is on two nodes";
    if (wrong.empty()) {
      const auto different = sum.far;
      compare(program, fused, seed, sum);
      if (sum.far != different) wrong = "an output differs by more than one step";
    }
    const bool are_needed = is_needed_or_same<shift_to_int8>(program) && is_needed_or_same<fuse_activations>(program) &&
                            is_needed_or_same<fold_scales>(program);
    if (!are_needed) wrong = "a pass changes a program that does not need it";
    const bool is_each_needed =
        shift_to_int8::is_needed(program) && fuse_activations::is_needed(program) && fold_scales::is_needed(program);
    unneeded += is_each_needed ? 0 : 1;
    nodes += program.nodes.size();
    nodes_after += fused.nodes.size();
    for (std::uint32_t n = 0; n < fused.nodes.size(); ++n) {
      const auto out = program_view(fused).outputs_of(fused.nodes[n])[0];
      if (fused.values[index(out)].type != dtype::float32 || fused.nodes[n].is("tfl.dequantize")) continue;
      in_float += 1;
      reasons[std::string(float_reason(fused, static_cast<node_id>(n)))] += 1;
    }
    if (!wrong.empty()) {
      const auto text = print(program);
      const auto text_after = print(fused);
      FAIL_CHECK("seed " << seed << ": " << wrong << "\n"
                         << std::string(text.begin(), text.end()) << "\nafter:\n"
                         << std::string(text_after.begin(), text_after.end()));
      break;
    }
  }
  MESSAGE(seeds << " networks, " << nodes << " nodes, " << nodes_after << " after, " << in_float << " in float; " << sum.elements
                << " integers, " << sum.different << " differ by one step");
  for (const auto& [op, count] : sum.by_operator) MESSAGE(count << " of " << op);
  for (const auto& [reason, count] : reasons) MESSAGE(count << ": " << reason);
  CHECK(sum.far == 0);
  CHECK(unneeded * 4 > seeds);
}
