// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Values inside others: joins, splits and slices of whole rows copy nothing if lifetimes and alignment allow it.
#include <baton/core/builder.hpp>
#include <baton/kernels/portable/joining.hpp>
#include <baton/kernels/portable/moving.hpp>
#include <baton/kernels/portable/pairwise.hpp>
#include <baton/kernels/portable/reshape.hpp>
#include <baton/report/text.hpp>
#include <baton/run/basic_executor.hpp>

#include "nodes/interpreter.hpp"
#include "nodes/kernel_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace baton;
using namespace std::string_view_literals;

using join_parts = nodes::kernel_of<"tfl.concatenation">;
using split_parts = nodes::kernel_of<"tfl.split">;
using move_elements = nodes::kernel_of<"tfl.slice">;
constexpr auto list = kernels<portable::pairwise, portable::reshape, join_parts, split_parts, move_elements>;

/// The same kernels without facts, so that no value is stored in another.
template <class Kernel>
struct without_facts : Kernel {
  static constexpr auto describe(const program_view& program, const node& record) {
    auto result = Kernel::describe(program, record);
    result.facts = {};
    return result;
  }
};
constexpr auto list_without_facts =
    kernels<portable::pairwise, portable::reshape, without_facts<join_parts>, without_facts<split_parts>, without_facts<move_elements>>;

// Rows of four float32 have 16 bytes, so each row is aligned.
constexpr auto rows(int count) -> tensor_type { return tensor(dtype::float32, count, 4); }
constexpr auto sum(program_builder& b, value_id x, value_id y, int count) -> value_id { return b.call("tfl.add", {x, y}, rows(count)); }
constexpr auto joined(program_builder& b, value_id x, value_id y, int count) -> value_id {
  return b.call("tfl.concatenation", {x, y}, rows(count), {{"axis", 0}});
}

using nested_list = std::vector<std::pair<std::string, std::uint64_t>>;

template <class Program>
auto nested_in(const Program& program, const memory_regions& regions = {}) -> nested_list {
  const program_view view(program);
  const auto planned = detail::plan_execution(list, view, {}, {}, {.regions = regions});
  REQUIRE(planned);
  nested_list values;
  for (const auto& each : planned.value.accepted()) {
    const auto& at = planned.value.locations[index(each.value)];
    const auto& whole = planned.value.locations[each.where.id];
    CHECK(at.base == whole.base);
    CHECK(at.offset == whole.offset + static_cast<std::int64_t>(each.where.offset));
    CHECK(at.offset % planned.value.memory.alignment == 0);
    values.emplace_back(view.text(view[each.value].name), each.where.offset);
  }
  std::sort(values.begin(), values.end());
  return values;
}

/// Runs a program as planned, in one arena, with the functions of the kernels.
auto run_planned(const program_view& program, const nodes::bytes& input, nodes::bytes& output, std::size_t& nested) -> bool {
  const auto planned = plan_execution(list, program);
  const auto without = plan_execution(list_without_facts, program);
  if (!planned || !without || planned.value.memory.arena_bytes > without.value.memory.arena_bytes) return false;
  nested += planned.value.accepted().size();
  nodes::bytes arena(planned.value.memory.arena_bytes, '\x33');
  const auto address = [&](value_id id) -> char* {
    const auto& at = planned.value.locations[index(id)];
    if (at.is_constant()) return const_cast<char*>(program.data(program[at.data].data).data());
    return arena.data() + at.offset;
  };
  const auto bytes_of = [&](value_id id) { return static_cast<std::size_t>(byte_count(program[id].type, program.shape(id))); };
  std::size_t at = 0;
  for (const auto id : program.inputs(program.root())) {
    if (program[id].kind != value_kind::user_input) continue;
    std::copy_n(input.data() + at, bytes_of(id), address(id));
    at += bytes_of(id);
  }
  for (const auto& record : program.nodes_of(program.root())) {
    std::vector<const char*> inputs;
    std::vector<char*> outputs;
    for (const auto id : program.inputs(record)) inputs.push_back(address(id));
    for (const auto id : program.outputs_of(record)) outputs.push_back(address(id));
    boost::hana::for_each(list.types, [&](auto candidate) {
      using kernel = typename decltype(candidate)::type;
      if (!ask_kernel<kernel>(program, record).support) return;
      kernel::compute(kernel::describe(program, record).plan, {inputs.data(), outputs.data()});
    });
  }
  output.clear();
  for (const auto& returned : program.outputs_of(program.root())) {
    const auto* from = address(returned.value);
    output.insert(output.end(), from, from + bytes_of(returned.value));
  }
  return true;
}

/// A random program of additions, reshapes, joins, splits and slices of rows.
class random_program {
 public:
  explicit random_program(unsigned seed) : engine_(seed) {}
  auto generate() -> exported_program {
    const auto width = draw(0, 3) == 0 ? 3 : 4;  // with rows of 12 bytes, most offsets are not aligned
    for (int i = 0; i < 2; ++i) values_.push_back({build_.user_input("x" + std::to_string(i), shape(2, width)), 2, width, false});
    const auto bytes = std::string(static_cast<std::size_t>(2 * width) * 4, '\x3f');
    values_.push_back({build_.constant("c", shape(2, width), {bytes.data(), bytes.size()}), 2, width, false});
    for (auto left = draw(3, 12); left > 0; --left) add_node();
    for (auto left = draw(1, 3); left > 0; --left) {
      const auto& out = any();
      if (out.is_computed) build_.output(out.id);
    }
    build_.output(values_.back().id);
    return build_.finish();
  }

 private:
  struct entry {
    value_id id;
    int count;
    int width;
    bool is_computed;
  };
  auto draw(int min, int max) -> int { return std::uniform_int_distribution<int>(min, max)(engine_); }
  auto any() -> entry {
    const auto size = static_cast<int>(values_.size());
    return values_[static_cast<std::size_t>(draw(draw(0, 1) == 0 ? 0 : size / 2, size - 1))];
  }
  static auto shape(int count, int width) -> tensor_type { return tensor(dtype::float32, count, width); }
  auto number(int value) -> value_id {
    const auto bits = static_cast<std::uint32_t>(value);
    const std::string bytes{static_cast<char>(bits), static_cast<char>(bits >> 8), static_cast<char>(bits >> 16),
                            static_cast<char>(bits >> 24)};
    return build_.constant("n" + std::to_string(numbers_++), tensor(dtype::int32), {bytes.data(), bytes.size()});
  }
  auto pair(int first, int second) -> value_id {
    const std::string bytes{static_cast<char>(first), 0, 0, 0, static_cast<char>(second), 0, 0, 0};
    return build_.constant("n" + std::to_string(numbers_++), tensor(dtype::int32, 2), {bytes.data(), bytes.size()});
  }
  void keep(value_id id, int count, int width) { values_.push_back({id, count, width, true}); }

  void add_node() {
    const auto x = any();
    const auto like = [&](const entry& y) { return y.count == x.count && y.width == x.width; };
    auto y = any();
    for (int tries = 0; tries < 6 && !like(y); ++tries) y = any();
    switch (draw(0, 5)) {
      case 0:
      case 1:
        return keep(build_.call("tfl.add", {x.id, like(y) ? y.id : x.id}, shape(x.count, x.width)), x.count, x.width);
      case 2:
        if (y.width != x.width || x.count + y.count > 12) return;
        return keep(build_.call("tfl.concatenation", {x.id, y.id}, shape(x.count + y.count, x.width), {{"axis", 0}}), x.count + y.count,
                    x.width);
      case 3: {
        if (x.count % 2 != 0) return;
        const auto parts = build_.call_many("split" + std::to_string(numbers_++), "tfl.split", {number(0), x.id},
                                            {shape(x.count / 2, x.width), shape(x.count / 2, x.width)});
        for (const auto part : parts) keep(part, x.count / 2, x.width);
        return;
      }
      case 4: {
        const auto begin = draw(0, x.count - 1);
        const auto end = draw(begin + 1, x.count);
        return keep(build_.call("tfl.strided_slice", {x.id, pair(begin, 0), pair(end, x.width), pair(1, 1)}, shape(end - begin, x.width)),
                    end - begin, x.width);
      }
      default:
        if (x.count % 2 != 0 || x.width > 8) return;
        return keep(build_.call("tfl.reshape", {x.id}, shape(x.count / 2, x.width * 2)), x.count / 2, x.width * 2);
    }
  }

  std::mt19937 engine_;
  program_builder build_;
  std::vector<entry> values_;
  int numbers_ = 0;
};

struct make_chain {
  constexpr auto operator()() const -> exported_program {
    program_builder b;
    const auto x = b.user_input("x", rows(1));
    const auto y = b.user_input("y", rows(1));
    const auto one = sum(b, x, y, 1);
    const auto two = sum(b, one, y, 1);
    const auto both = joined(b, one, two, 2);
    const auto doubled = sum(b, both, both, 2);
    const auto all = joined(b, both, doubled, 4);
    b.output(all);
    return b.finish();
  }
};

}  // namespace

TEST_CASE("joins of joins copy nothing, and need less memory") {
  using program = static_program<make_chain>;
  CHECK(nested_in(program::value()) == nested_list{{"tfl_add", 0}, {"tfl_add_1", 16}, {"tfl_add_2", 32}, {"tfl_concatenation", 0}});
  CHECK(nested_in(program::value(), {16, 256}).size() == 4);  // all values in the slow region
  CHECK(nested_in(program::value(), {80, 32}).size() == 4);
  static constexpr program chain{};
  using nested = basic_executor<chain, list>;
  using copied = basic_executor<chain, list_without_facts>;
  static_assert(nested::arena_bytes < copied::arena_bytes);
  static nested net;
  static copied other;
  const std::array<float, 4> x{1, 2, -3, 4};
  const std::array<float, 4> y{5, 6, 7, -8};
  std::array<float, 16> out{};
  std::array<float, 16> expected{};
  net.run(x, y, out);
  other.run(x, y, expected);
  CHECK(out == expected);
  CHECK(out[0] == 6);
  const auto table = report::memory_table(program::value(), nested::plan(), 200);
  CHECK(view(table).find("tfl_concatenation_1 (contains tfl_add, tfl_add_1, ") != std::string_view::npos);
  CHECK(out[15] == -24);
}

TEST_CASE("no value is stored inside another if lifetimes, alignment or ownership forbid it") {
  const auto nested = [](auto make) {
    program_builder b;
    make(b);
    return nested_in(b.finish());
  };
  const auto used = [](program_builder& b, value_id id, int count) { b.output(sum(b, id, id, count)); };
  // Inputs, constants and states keep their locations.
  CHECK(nested([&](program_builder& b) {
          const auto state = b.mutable_buffer("state", rows(1));
          const auto inner = joined(b, b.user_input("x", rows(1)), state, 2);
          used(b, joined(b, inner, b.constant("c", rows(1), "0123456789abcdef"sv), 3), 3);
          b.mutation(sum(b, state, state, 1), "state");
        }) == nested_list{{"tfl_concatenation", 0}});
  // A value has one location.
  CHECK(nested([&](program_builder& b) {
          const auto x = b.user_input("x", rows(1));
          const auto one = sum(b, x, x, 1);
          used(b, joined(b, one, one, 2), 2);
        }) == nested_list{{"tfl_add", 0}});
  // The arena must not grow: the second join would be live from the first on.
  CHECK(nested([&](program_builder& b) {
          const auto x = b.user_input("x", rows(1));
          const auto one = sum(b, x, x, 1);
          used(b, joined(b, one, one, 2), 2);
          used(b, joined(b, x, one, 2), 2);
        }).empty());
  // An offset that is not aligned is not allowed.
  CHECK(nested([&](program_builder& b) {
          const auto x = b.user_input("x", tensor(dtype::float32, 3));
          const auto one = b.call("tfl.add", {x, x}, tensor(dtype::float32, 3));
          const auto two = b.call("tfl.add", {x, one}, tensor(dtype::float32, 3));
          const auto all = b.call("tfl.concatenation", {one, two}, tensor(dtype::float32, 6), {{"axis", 0}});
          b.output(b.call("tfl.add", {all, all}, tensor(dtype::float32, 6)));
        }) == nested_list{{"tfl_add", 0}});
  // Columns are not contiguous.
  CHECK(nested([&](program_builder& b) {
          const auto x = b.user_input("x", rows(2));
          const auto one = sum(b, x, x, 2);
          b.output(b.call("tfl.concatenation", {one, one}, tensor(dtype::float32, 2, 8), {{"axis", 1}}));
        }).empty());
  // Operands of called graphs have separate memory.
  CHECK(nested([&](program_builder& b) {
          const auto root = b.current();
          const auto branch = [&](const char* name) {
            const auto id = b.add_graph(name);
            const auto v = b.user_input("v", rows(1));
            b.output(sum(b, v, v, 1));
            return id;
          };
          const auto one = branch("one");
          const auto two = branch("two");
          b.enter(root);
          const auto x = b.user_input("x", rows(1));
          const auto passed = sum(b, x, x, 1);
          const auto kept = sum(b, x, passed, 1);
          const auto chosen = b.call_many("choice", "cond", {b.user_input("p", tensor(dtype::boolean)), passed}, {rows(1)}, {}, {one, two});
          b.output(joined(b, joined(b, passed, chosen[0], 2), kept, 3));
        }) == nested_list{{"tfl_add_1", 32}, {"tfl_concatenation", 0}});
  // Parts of an input would extend no lifetime, but the input does not belong to the program.
  CHECK(nested([&](program_builder& b) {
          const auto axis = b.constant("axis", tensor(dtype::int32), "\0\0\0\0"sv);
          for (const auto part : b.call_many("split", "tfl.split", {axis, b.user_input("x", rows(2))}, {rows(1), rows(1)}))
            used(b, part, 1);
        }).empty());
}

TEST_CASE("parts and slices of rows are not copied") {
  program_builder b;
  const auto x = b.user_input("x", rows(4));
  const auto whole = sum(b, x, x, 4);
  const auto axis = b.constant("axis", tensor(dtype::int32), "\0\0\0\0"sv);
  const auto parts = b.call_many("split", "tfl.split", {axis, whole}, {rows(2), rows(2)});
  const auto swapped = joined(b, parts[1], parts[0], 4);  // a value that is already a part is copied
  b.output(sum(b, swapped, swapped, 4));
  CHECK(nested_in(b.finish()) == nested_list{{"split_0", 0}, {"split_1", 32}});
}

TEST_CASE("random programs compute the same in one arena as with separate memory for each value") {
  std::size_t nested = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const auto program = random_program(seed).generate();
    const program_view view(program);
    std::mt19937 engine(seed);
    nodes::bytes input;
    for (int i = 0; i < 16; ++i) {
      const auto number = static_cast<float>(static_cast<int>(engine() % 2001) - 1000);
      const auto* bytes = reinterpret_cast<const char*>(&number);
      input.insert(input.end(), bytes, bytes + 4);
    }
    nodes::bytes expected;
    const auto why = nodes::interpreter{view}.run(list, input, expected);
    REQUIRE_MESSAGE(why == "", seed);
    nodes::bytes output;
    REQUIRE_MESSAGE(run_planned(view, input, output, nested), seed);
    CHECK_MESSAGE(output == expected, seed);
  }
  MESSAGE(nested, " values inside others");
  CHECK(nested > 3000);
}
