// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A state that a kernel writes in place (`tfl.svdf`) and other nodes read. A read before the write returns the old value, a read after it
// the new one, with every memory policy and every selection of delegated nodes.
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/executor.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/split_cycles.hpp>
#include <baton/plan/memory_policies.hpp>

#include "properties/executed.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace {

using namespace baton;

constexpr auto floats_from(int count) -> text_buffer {
  text_buffer bytes;
  for (int i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(i + 1));
    for (int b = 0; b < 4; ++b) bytes.push_back(static_cast<char>(bits >> (8 * b) & 0xff));
  }
  return bytes;
}

constexpr auto two = tensor(dtype::float32, 1, 2);
constexpr auto six = tensor(dtype::float32, 1, 6);

/// How other nodes use the state.
enum class use : std::uint8_t { read_before, read_after, returned, view_before, view_of_view, written_twice };

template <use Use>
constexpr auto model_of() -> exported_program {
  program_builder b;
  const auto features = floats_from(4);
  const auto times = floats_from(6);
  const auto x = b.user_input("x", two);
  const auto by_feature = b.constant("by_feature", tensor(dtype::float32, 2, 2), view(features));
  const auto by_time = b.constant("by_time", tensor(dtype::float32, 2, 3), view(times));
  const auto state = b.mutable_buffer("state", six);
  const auto svdf = [&] {
    return b.call("y", "tfl.svdf", {x, by_feature, by_time, none<value_id>, state}, two,
                  {{"rank", 1}, {"fused_activation_function", "none"}, {"asymmetric_quantize_inputs", false}});
  };
  const auto join_with = [&](value_id read, value_id y) {
    b.output(
        b.call("z", "tfl.concatenation", {read, y}, tensor(dtype::float32, 1, 8), {{"axis", 1}, {"fused_activation_function", "none"}}));
  };
  switch (Use) {
    case use::read_before: {
      const auto read = b.call("a", "tfl.neg", {state}, six);
      join_with(read, svdf());
      break;
    }
    case use::read_after: {
      const auto y = svdf();
      join_with(b.call("a", "tfl.neg", {state}, six), y);
      break;
    }
    case use::returned:
      b.output(svdf());
      b.output(state);
      break;
    case use::view_before: {
      const auto read = b.call("a", "tfl.reshape", {state}, six);
      join_with(read, svdf());
      break;
    }
    case use::view_of_view: {
      const auto read = b.call("a", "tfl.reshape", {state}, tensor(dtype::float32, 6));
      const auto again = b.call("b", "tfl.reshape", {read}, six);
      join_with(again, svdf());
      break;
    }
    case use::written_twice: {
      const auto y = svdf();
      b.mutation(b.call("a", "tfl.neg", {state}, six), "state");
      b.output(y);
      break;
    }
  }
  return b.finish();
}

/// The operator with its state, as defined by TensorFlow Lite (`kernels/internal/reference/svdf.h`), for rank 1.
struct model_state {
  std::array<float, 6> elements{};

  auto step(float x0, float x1) -> std::array<float, 2> {
    std::array<float, 2> y{};
    for (std::size_t f = 0; f < 2; ++f) {
      elements[3 * f] = elements[3 * f + 1];
      elements[3 * f + 1] = elements[3 * f + 2];
      elements[3 * f + 2] = static_cast<float>(2 * f + 1) * x0 + static_cast<float>(2 * f + 2) * x1;
      for (std::size_t t = 0; t < 3; ++t) y[f] += static_cast<float>(3 * f + t + 1) * elements[3 * f + t];
    }
    return y;
  }
};

auto expected(use kind) -> std::vector<float> {
  model_state state;
  std::vector<float> all;
  const auto add = [&](const auto& some, float sign) {
    for (const auto each : some) all.push_back(sign * each);
  };
  for (int run = 1; run <= 4; ++run) {
    const auto before = state.elements;
    const auto y = state.step(static_cast<float>(run), 2);
    if (kind == use::read_before) add(before, -1);
    if (kind == use::read_after) add(state.elements, -1);
    if (kind == use::view_before || kind == use::view_of_view) add(before, 1);
    add(y, 1);
    if (kind == use::returned) add(state.elements, 1);
    if (kind == use::written_twice) {
      for (auto& each : state.elements) each = -each;
    }
  }
  return all;
}

template <auto Model, class Policy>
auto results_of() -> std::vector<float> {
  static executor<Model, Policy> net;
  std::vector<float> all;
  const auto collect = [&](const auto& output) {
    std::vector<float> some(output.size() / 4);
    std::memcpy(some.data(), output.data(), output.size());
    all.insert(all.end(), some.begin(), some.end());
  };
  for (int run = 1; run <= 4; ++run) {
    const float x[2] = {static_cast<float>(run), 2};
    std::memcpy(net.template input<0>().data(), x, sizeof x);
    net.run();
    collect(net.template output<0>());
    if constexpr (net.output_count > 1) collect(net.template output<1>());
  }
  return all;
}

/// Tags the nodes with these names as one part.
template <fixed_string Names>
struct part_of {
  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged(program);
    const auto tag = tagged.add_tag("t", delegation_spec{"First"});
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      if (std::string_view(Names).find(program.text(program.nodes[n].name)) != std::string_view::npos) tagged.tag_node(node_id{n}, tag);
    }
    return tagged;
  }
};

constexpr auto target = backends<properties::first_executed>;

template <use Use>
inline constexpr static_program model{[] { return model_of<Use>(); }};
template <use Use, fixed_string Names>
inline constexpr auto lowered = to_backend(target, model<Use>, split_cycles<part_of<Names>>{});

template <use Use>
void check_policies() {
  CHECK(results_of<model<Use>, planned_by<memory_policies::no_overlap>>() == expected(Use));
  CHECK(results_of<model<Use>, planned_by<memory_policies::in_place>>() == expected(Use));
  CHECK(results_of<model<Use>, planned_by<memory_policies::row_streaming>>() == expected(Use));
}

constexpr auto text_of_refusal(const failure& why) -> std::string_view { return view(why.reason); }

}  // namespace

TEST_CASE("a read before an operator that writes the state returns the old value, a read after it the new one") {
  check_policies<use::read_before>();
  check_policies<use::read_after>();
  check_policies<use::returned>();
  check_policies<use::written_twice>();
}

TEST_CASE("a view of a state has the value of the state at the position of the view") {
  check_policies<use::view_before>();
  check_policies<use::view_of_view>();
}

TEST_CASE("delegated readers of a state keep their order") {
  using policy = planned_by<memory_policies::no_overlap>;
  CHECK(results_of<lowered<use::read_before, "a">, policy>() == expected(use::read_before));
  CHECK(results_of<lowered<use::read_before, "a z">, policy>() == expected(use::read_before));
  CHECK(results_of<lowered<use::read_after, "a z">, policy>() == expected(use::read_after));
  CHECK(results_of<lowered<use::view_before, "a">, policy>() == expected(use::view_before));
  CHECK(results_of<lowered<use::view_of_view, "b z">, policy>() == expected(use::view_of_view));
  CHECK(results_of<lowered<use::written_twice, "a">, policy>() == expected(use::written_twice));
}

TEST_CASE("a part around an operator that writes a state is refused, and the error names the step of the state") {
  const auto outcome = try_to_backend(target, model_of<use::read_before>(), part_of<"a z">{}, validation::on);
  CHECK(outcome.error.is<"dependency_cycle">());
  CHECK(text_of_refusal(outcome.error) == "a of t -> y -> z of t; y accesses a state after a");
}

TEST_CASE("a part that writes a state without owning it is refused") {
  const auto outcome = try_to_backend(target, model_of<use::returned>(), part_of<"y">{}, validation::on);
  CHECK(outcome.error.is<"unowned_state">());
  CHECK(text_of_refusal(outcome.error) == "buffer b_state");
}
