// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/detail/layout.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace baton;
using detail::layout_choice;
using detail::layout_query;
using detail::layout_rule;

constexpr literal_name rule_names[] = {
    "test.fixed",   "test.image",    "test.same",    "test.merging", "test.flexible_operand_0", "test.flexible_operand_1",
    "test.to_last", "test.to_first", "test.constant"};

constexpr auto rule_of(const layout_query& node) -> layout_rule {
  for (std::size_t i = 0; i < std::size(rule_names); ++i) {
    if (node.record.is(rule_names[i])) return static_cast<layout_rule>(i);
  }
  return layout_rule::fixed;
}
constexpr auto op_of(layout_rule how) -> std::string_view { return rule_names[static_cast<std::size_t>(how)].text; }
constexpr auto image = tensor(dtype::float32, 1, 3, 4, 5);

/// An image operator between two elementwise ones. The copy of `first` with the channels last is read twice. This copy costs as much as a
/// copy of `x`, so fewer values have the channels last.
constexpr auto images_are_channels_last() -> bool {
  program_builder b;
  const auto x = b.user_input("x", image);
  const auto first = b.call("first", op_of(layout_rule::same), {x}, image);
  const auto conv = b.call("conv", op_of(layout_rule::image), {first}, image);
  const auto sum = b.call("sum", op_of(layout_rule::same), {conv, first}, image);
  const auto row = b.call("row", op_of(layout_rule::merging), {sum}, tensor(dtype::float32, 1, 60));
  const auto product = b.call("product", op_of(layout_rule::flexible_operand_0), {row}, tensor(dtype::float32, 1, 7));
  b.output(product);
  const auto program = b.finish();
  const auto chosen = detail::choose_layout(program, rule_of);
  const auto is_channels_last = [&](value_id id) { return chosen.values[index(id)].is_channels_last; };
  const auto& merged = chosen.values[index(row)];
  return !is_channels_last(x) && !is_channels_last(first) && is_channels_last(conv) && is_channels_last(sum) && is_channels_last(row) &&
         !is_channels_last(product) && merged.has_layout && merged.channels == 3 && merged.inner == 20 &&
         !chosen.values[index(product)].has_layout;
}
static_assert(images_are_channels_last());

/// Sizes do not give a layout: without an image operator nothing is converted, and a graph output stays as in the file.
constexpr auto layouts_come_from_operators_alone() -> bool {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::float32, 1, 4, 4, 4));
  const auto relu = b.call("relu", op_of(layout_rule::same), {x}, tensor(dtype::float32, 1, 4, 4, 4));
  b.output(relu);
  const auto program = b.finish();
  const auto chosen = detail::choose_layout(program, rule_of);
  return std::ranges::none_of(chosen.values, [](const auto& layout) { return layout.is_channels_last; });
}
static_assert(layouts_come_from_operators_alone());

/// Transposes of the file around an image operator have no additional cost, because the operator uses their layout.
constexpr auto transposes_of_the_file_cancel() -> bool {
  program_builder b;
  const auto stored = tensor(dtype::float32, 1, 4, 5, 3);
  const auto x = b.user_input("x", stored);
  const auto first = b.call("first", op_of(layout_rule::to_first), {x}, image);
  const auto conv = b.call("conv", op_of(layout_rule::image), {first}, image);
  const auto relu = b.call("relu", op_of(layout_rule::same), {conv}, image);
  const auto last = b.call("last", op_of(layout_rule::to_last), {relu}, stored);
  b.output(last);
  const auto program = b.finish();
  const auto chosen = detail::choose_layout(program, rule_of);
  const auto is_channels_last = [&](value_id id) { return chosen.values[index(id)].is_channels_last; };
  return is_channels_last(first) && is_channels_last(conv) && is_channels_last(relu) && !is_channels_last(last);
}
static_assert(transposes_of_the_file_cancel());

/// A random program of images, and the cost of each choice of layouts, computed without a cut.
class random_program {
 public:
  explicit random_program(std::uint32_t seed) : state_(seed * 2654435761u + 77) {
    for (int i = 0; i < 4; ++i) next();
    program_builder b;
    std::vector<value_id> values{b.user_input("x", type())};
    const auto nodes = 2 + next() % 11;
    for (std::uint32_t n = 0; n < nodes; ++n) {
      const layout_rule rules[] = {layout_rule::same,    layout_rule::same,    layout_rule::same,
                                   layout_rule::image,   layout_rule::fixed,   layout_rule::flexible_operand_0,
                                   layout_rule::to_last, layout_rule::to_first};
      const auto how = rules[next() % std::size(rules)];
      const auto pick = [&] { return values[values.size() - 1 - next() % std::min<std::size_t>(values.size(), 4)]; };
      values.push_back(b.call("n" + std::to_string(n), op_of(how), {pick(), pick(), pick()}, type()));
    }
    for (const auto id : values) {
      if (id == values.back() || next() % 6 == 0) b.output(id);
    }
    program = b.finish();
  }

  /// Returns the cost of a choice, given the side of each node of layout rule `same`, as bits.
  auto cost(std::uint32_t sides) const -> std::int64_t {
    const program_view view = program;
    std::vector<char> is_channels_last(view.values.size(), 0);
    std::uint32_t next_free = 0;
    std::vector<char> side(view.nodes.size(), 0);
    for (std::size_t n = 0; n < view.nodes.size(); ++n) {
      const auto how = rule_of_node(n);
      if (how == layout_rule::same) side[n] = static_cast<char>(sides >> next_free++ & 1);
      if (how == layout_rule::image || how == layout_rule::to_first) side[n] = 1;
      is_channels_last[index(view.outputs_of(view.nodes[n])[0])] = side[n];
    }
    std::int64_t sum = 0;
    for (std::size_t v = 0; v < view.values.size(); ++v) {
      bool wants_file_layout = false, wants_channels_last = false;
      for (const auto& spec : view.outputs_of(view.root())) wants_file_layout = wants_file_layout || index(spec.value) == v;
      for (std::size_t n = 0; n < view.nodes.size(); ++n) {
        const auto inputs = view.inputs(view.nodes[n]);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
          if (index(inputs[i]) != v) continue;
          const auto how = rule_of_node(n);
          if (how == layout_rule::flexible_operand_0 && i == 0) continue;
          const bool last = how == layout_rule::same ? side[n] != 0 : i == 0 && (how == layout_rule::image || how == layout_rule::to_last);
          (last ? wants_channels_last : wants_file_layout) = true;
        }
      }
      if (is_channels_last[v] != 0 ? wants_file_layout : wants_channels_last) sum += cost_of(static_cast<value_id>(v));
    }
    return sum;
  }
  auto free_nodes() const -> std::uint32_t {
    std::uint32_t count = 0;
    for (std::size_t n = 0; n < program.nodes.size(); ++n) count += rule_of_node(n) == layout_rule::same ? 1 : 0;
    return count;
  }
  /// Returns the sides of a choice, as bits.
  auto sides_of(const layout_choice& chosen) const -> std::uint32_t {
    const program_view view = program;
    std::uint32_t sides = 0, next_free = 0;
    for (std::size_t n = 0; n < view.nodes.size(); ++n) {
      if (rule_of_node(n) != layout_rule::same) continue;
      sides |= (chosen.values[index(view.outputs_of(view.nodes[n])[0])].is_channels_last ? 1u : 0u) << next_free++;
    }
    return sides;
  }

  exported_program program;

 private:
  auto next() -> std::uint32_t {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    return (state_ ^= state_ << 5) >> 5;
  }
  auto type() -> tensor_type {
    const auto channels = 1 + next() % 3, height = 1 + next() % 3;
    return tensor(next() % 2 == 0 ? dtype::float32 : dtype::int8, 1, channels, height, 1 + next() % 2);
  }
  auto rule_of_node(std::size_t n) const -> layout_rule {
    const program_view view = program;
    const vector<detail::value_layout> none_known(view.values.size());
    return rule_of(layout_query(view, view.nodes[n], none_known));
  }
  auto cost_of(value_id id) const -> std::int64_t {
    const program_view view = program;
    const auto shape = view.shape(id);
    const auto element = static_cast<std::int64_t>(facts(view[id].type).bits / 8);
    const bool moves = shape[1] != 1 && shape[2] * shape[3] != 1;
    return moves ? 1024 * byte_count(view[id].type, shape) : element;
  }

  std::uint32_t state_;
};

}  // namespace

TEST_CASE("images have the channels last, and other values if that costs less") { CHECK(images_are_channels_last()); }
TEST_CASE("layouts depend only on operators") { CHECK(layouts_come_from_operators_alone()); }
TEST_CASE("transposes of the file cancel") { CHECK(transposes_of_the_file_cancel()); }
TEST_CASE("on random programs, the choice of layouts has the minimum cost") {
  const char* const seeds = std::getenv("BATON_PROPERTY_SEEDS");
  const std::uint32_t count = seeds != nullptr ? static_cast<std::uint32_t>(std::atoi(seeds)) : 3000;
  std::uint32_t with_conversions = 0;
  for (std::uint32_t seed = 0; seed < count; ++seed) {
    const random_program random(seed);
    std::int64_t best = INT64_MAX;
    for (std::uint32_t sides = 0; sides < 1u << random.free_nodes(); ++sides) best = std::min(best, random.cost(sides));
    const auto chosen = detail::choose_layout(random.program, rule_of);
    REQUIRE_MESSAGE(random.cost(random.sides_of(chosen)) == best, "seed ", seed);
    with_conversions += best != 0 ? 1 : 0;
  }
  CHECK(with_conversions > count / 2);
}
