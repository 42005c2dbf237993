// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Arguments and results in the scratch of a delegate: passed without a copy if possible, else stored elsewhere.
#include <baton/plan/detail/storage_search.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/kernels/portable/joining.hpp>
#include <baton/kernels/portable/reshape.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/memory_policies/in_place.hpp>
#include <baton/plan/memory_policies/no_reuse.hpp>
#include <baton/plan/memory_policies/row_streaming.hpp>
#include <baton/report/text.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/caller_arena.hpp>

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
#include <vector>

namespace {

using namespace baton;
using namespace std::string_view_literals;

constexpr std::size_t bytes = 32;
constexpr auto row = tensor(dtype::int8, 32);
constexpr auto half = tensor(dtype::int8, 16);
using row_of_bytes = std::array<std::int8_t, bytes>;

int copies = 0;  ///< number of copies by the machine

/// A machine that computes in its scratch only. It reads arguments from offset `In` on, writes the result at offset `Out`, and marks all
/// other bytes. The result is the sum of its arguments, plus one.
template <std::int64_t In, std::int64_t Out, std::uint32_t Scratch = 128>
struct machine {
  static constexpr auto id = name<"Machine">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    preprocess_result processed;
    processed.scratch_bytes = Scratch;
    return processed;
  }
  static constexpr auto io_offsets_in_scratch(const lowered_module_view&) -> io_offsets { return {{In, In + 32}, {Out}}; }
  static void execute(const delegate_call& call) {
    row_of_bytes sum{};
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
      char* at = call.scratch.data() + In + static_cast<std::ptrdiff_t>(32 * i);
      if (call.inputs[i].data() != at) {
        std::memcpy(at, call.inputs[i].data(), bytes);
        ++copies;
      }
    }
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
      const char* at = call.scratch.data() + In + static_cast<std::ptrdiff_t>(32 * i);
      for (std::size_t b = 0; b < bytes; ++b) sum[b] = static_cast<std::int8_t>(sum[b] + at[b]);
    }
    std::memset(call.scratch.data(), 0x55, call.scratch.size());
    for (std::size_t b = 0; b < bytes; ++b) call.scratch[static_cast<std::size_t>(Out) + b] = static_cast<char>(sum[b] + 1);
    if (call.outputs[0].data() == call.scratch.data() + Out) return;
    std::memcpy(call.outputs[0].data(), call.scratch.data() + Out, bytes);
    ++copies;
  }
};
using low = machine<0, 96>;
using high = machine<64, 64>;     ///< the result is at the offset of the argument
using tight = machine<0, 0, 32>;  ///< the same, in so little scratch that the arena never grows

/// Writes in descending order.
struct negate {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<std::size_t> {
    if (!record.is("test.negate")) return {refuse()};
    const auto count = element_count(program.shape(program.outputs_of(record)[0]));
    return {accept(), static_cast<std::size_t>(count), {.operands = {{{.distance = {.descending = 0}}}}}};
  }
  static void compute(std::size_t count, const node_memory& memory) {
    for (auto i = count; i-- > 0;) memory.outputs[0][i] = static_cast<char>(-memory.inputs[0][i]);
  }
};
/// The same in ascending order.
struct negate_up {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    return {record.is("test.negate_up") ? accept() : refuse(), {}, {.operands = {{{.distance = {.ascending = 0}}}}}};
  }
  static void compute(const no_plan&, const node_memory& memory) {
    for (std::size_t i = 0; i < bytes; ++i) memory.outputs[0][i] = static_cast<char>(-memory.inputs[0][i]);
  }
};
/// The same through scratch. Writes all bytes of its scratch.
struct negate_aside {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    return {record.is("test.negate_aside") ? accept() : refuse(), {}, {.scratch_bytes = 64}};
  }
  static void compute(const no_plan&, const node_memory& memory) {
    std::memset(memory.scratch.data(), 0x66, memory.scratch.size());
    for (std::size_t i = 0; i < bytes; ++i) memory.scratch[i] = static_cast<char>(-memory.inputs[0][i]);
    std::memcpy(memory.outputs[0], memory.scratch.data(), bytes);
  }
};
/// Repeats the channels, row by row.
struct widen {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    return {record.is("test.widen") ? accept() : refuse(), {}, {.operands = {{{.window = {}}}}}};
  }
  template <class Call>
  static void compute(const Call& call) {
    compute_rows(call, 0, image_of(Call::program(), Call::output_id(0)).rows);
  }
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto in = image_of(Call::program(), Call::input_id(0));
    constexpr auto out = image_of(Call::program(), Call::output_id(0));
    for (auto pixel = first * out.columns; pixel < last * out.columns; ++pixel) {
      const auto* x = call.template input<0>() + pixel * static_cast<std::int32_t>(in.pixel_bytes);
      auto* y = call.template output<0>() + pixel * static_cast<std::int32_t>(out.pixel_bytes);
      for (std::uint32_t c = 0; c < out.pixel_bytes; ++c) y[c] = x[c % in.pixel_bytes];
    }
  }
};
static_assert(row_kernel<widen>);

/// True if the first byte is less than four.
struct below_four {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    return {record.is("test.below_four") ? accept() : refuse()};
  }
  static void compute(const no_plan&, const node_memory& memory) { memory.outputs[0][0] = memory.inputs[0][0] < 4 ? 1 : 0; }
};
using join_parts = nodes::kernel_of<"tfl.concatenation">;
using split_parts = nodes::kernel_of<"tfl.split">;
constexpr auto list = kernels<negate, negate_up, negate_aside, widen, below_four, portable::reshape, join_parts, split_parts>;

template <class Backend>
constexpr auto lowered(const exported_program& program) -> exported_program {
  return to_backend(backends<Backend>, program, by_support<Backend, operator_names<"test.add">, partition_options{.max_nodes = 1}>{});
}
template <auto Make, class Backend>
constexpr auto model_of = to_backend(backends<Backend>, static_program{[] { return Make(); }},
                                     by_support<Backend, operator_names<"test.add">, partition_options{.max_nodes = 1}>{});

/// Lists the values in scratch by name and offset, `x 0, y 96` for example.
constexpr auto values_in_scratch(const program_view& program, const backend_needs& needs,
                                 const chosen_policy& policy = planned_by<memory_policies::no_overlap>{}) -> text_buffer {
  const auto planned = detail::plan_execution(list, program, {}, needs, {.policy = policy});
  text_buffer text;
  if (!planned) return join("refused: ", planned.error.rule);
  for (const auto& each : planned.value.accepted()) {
    const auto scratch = location_of_scratch(program, planned.value.memory, index(each.node));
    const bool is_in_scratch = each.where.in == container::scratch;
    const auto& outer = is_in_scratch ? scratch : planned.value.locations[each.where.id];
    const auto& value = planned.value.locations[index(each.value)];
    if (value.base != outer.base || value.offset != outer.offset + static_cast<std::int64_t>(each.where.offset)) return join("misplaced");
    const auto plan_offset = static_cast<std::int64_t>(planned.value.memory.offset_of(each.value));
    if (plan_offset != value.offset) return join("not where the plan says");
    if (!is_in_scratch) continue;
    append(append(text, text.empty() ? "" : ", "), view(join(program.text(program[each.value].name), " ", each.where.offset)));
  }
  return text;
}
template <class Backend>
constexpr auto values_in_scratch(const exported_program& program) -> text_buffer {
  const auto delegated = lowered<Backend>(program);
  return values_in_scratch(delegated, needs_of_backends(backends<Backend>, delegated));
}

constexpr auto one_part() -> exported_program {
  program_builder b;
  b.output(b.call("y", "test.add", {b.user_input("x", row)}, row));
  return b.finish();
}
constexpr auto between_kernels() -> exported_program {
  program_builder b;
  const auto first = b.call("first", "test.negate", {b.user_input("x", row)}, row);
  b.output(b.call("last", "test.negate", {b.call("y", "test.add", {first}, row)}, row));
  return b.finish();
}
constexpr auto read_later() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", row);
  b.output(b.call("y", "test.add", {x}, row));
  b.output(b.call("z", "test.negate", {x}, row));
  return b.finish();
}
constexpr auto chained() -> exported_program {
  program_builder b;
  b.output(b.call("z", "test.add", {b.call("y", "test.add", {b.user_input("x", row)}, row)}, row));
  return b.finish();
}
constexpr auto two_arguments() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", row);
  const auto y = b.user_input("y", row);
  b.output(b.call("z", "test.add", {x, y}, row));
  return b.finish();
}
/// Half of the delegate's argument is read later.
constexpr auto joined_argument() -> exported_program {
  program_builder b;
  const auto p = b.call("p", "test.negate", {b.user_input("x", half)}, half);
  const auto c = b.call("c", "tfl.concatenation", {p, b.user_input("q", half)}, row, {{"axis", 0}});
  b.output(b.call("y", "test.add", {c}, row));
  b.output(b.call("z", "test.negate", {p}, half));
  return b.finish();
}
/// Half of the delegate's argument is returned.
constexpr auto split_argument() -> exported_program {
  program_builder b;
  const auto c = b.call("c", "test.negate", {b.user_input("x", row)}, row);
  const auto axis = b.constant("axis", tensor(dtype::int32), "\0\0\0\0"sv);
  const auto parts = b.call_many("split", "tfl.split", {axis, c}, {half, half});
  b.output(b.call("y", "test.add", {c}, row));
  b.output(parts[1]);
  return b.finish();
}
/// The result of the delegate is split.
constexpr auto split_result() -> exported_program {
  program_builder b;
  const auto r = b.call("r", "test.add", {b.user_input("x", row)}, row);
  const auto axis = b.constant("axis", tensor(dtype::int32), "\0\0\0\0"sv);
  const auto parts = b.call_many("split", "tfl.split", {axis, r}, {half, half});
  b.output(b.call("z", "test.negate", {parts[1]}, half));
  return b.finish();
}
/// The argument and the result of the delegate are reshaped.
constexpr auto renamed() -> exported_program {
  constexpr auto flat = tensor(dtype::int8, 4, 8);
  program_builder b;
  const auto x = b.call("r", "tfl.reshape", {b.user_input("x", flat)}, row);
  const auto y = b.call("y", "test.add", {x}, row);
  b.output(b.call("s", "tfl.reshape", {y}, flat));
  return b.finish();
}
/// Segments of rows between two delegates. A node before them needs most of the arena.
constexpr auto by_rows() -> exported_program {
  const auto image = [](int channels) { return tensor(dtype::int8, 1, 4, 4, channels); };
  program_builder b;
  const auto x = b.user_input("x", image(2));
  const auto large = b.call("large", "test.negate", {b.call("before", "test.widen", {x}, image(40))}, image(40));
  auto latest = b.call("r", "test.add", {b.call("narrow", "test.widen", {large}, image(2))}, image(2));
  for (const auto channels : {24, 48, 2}) latest = b.call("wide", "test.widen", {latest}, image(channels));
  b.output(b.call("y", "test.add", {latest}, image(2)));
  return b.finish();
}
/// A delegate in a branch, and another delegate that reads the result of the branch.
constexpr auto in_a_branch() -> exported_program {
  program_builder b;
  const auto root = b.current();
  const auto branch = [&](const char* name, const char* op) {
    const auto id = b.add_graph(name);
    b.output(b.call("v", op, {b.user_input("u", row)}, row));
    return id;
  };
  const auto one = branch("one", "test.add");
  const auto other = branch("other", "test.negate");
  b.enter(root);
  const auto x = b.user_input("x", row);
  const auto is_small = b.call("small", "test.below_four", {x}, tensor(dtype::boolean));
  b.output(b.call("y", "test.add", {b.call_many("choice", "cond", {is_small, x}, {row}, {}, {one, other})[0]}, row));
  return b.finish();
}
constexpr auto in_a_loop() -> exported_program {
  program_builder b;
  const auto root = b.current();
  const auto condition = b.add_graph("condition");
  b.output(b.call("small", "test.below_four", {b.user_input("u", row)}, tensor(dtype::boolean)));
  const auto body = b.add_graph("body");
  b.output(b.call("v", "test.add", {b.user_input("u", row)}, row));
  b.enter(root);
  const auto looped = b.call_many("loop", "while_loop", {b.user_input("x", row)}, {row}, {}, {condition, body})[0];
  b.output(b.call("y", "test.add", {looped}, row));
  return b.finish();
}
constexpr auto a_state() -> exported_program {
  program_builder b;
  const auto state = b.mutable_buffer("state", row, std::array<char, bytes>{});
  const auto next = b.call("next", "test.add", {state}, row);
  b.mutation(next, "state");
  b.output(b.call("y", "test.negate", {next}, row));
  return b.finish();
}

constexpr auto placement_hints_are_honored() -> bool {
  return view(values_in_scratch<low>(one_part())) == "x 0, y 96" && view(values_in_scratch<high>(one_part())) == "x 64, y 64" &&
         view(values_in_scratch<low>(between_kernels())) == "first 0, y 96" &&
         view(values_in_scratch<low>(two_arguments())) == "x 0, y 32, z 96";
}
static_assert(placement_hints_are_honored());

constexpr auto a_value_with_other_users_is_copied() -> bool {
  return view(values_in_scratch<low>(read_later())) == "y 96" && view(values_in_scratch<low>(a_state())).empty();
}
static_assert(a_value_with_other_users_is_copied());

/// A delegate may overwrite its arguments, so no part of an argument may be read later. Either the part is copied, or the argument. A
/// result may be in scratch with its parts.
constexpr auto parts_of_arguments_are_not_lost() -> bool {
  return view(values_in_scratch<low>(joined_argument())) == "c 0, y 96" && view(values_in_scratch<low>(split_argument())) == "y 96" &&
         view(values_in_scratch<low>(split_result())) == "x 0, r 96";
}
static_assert(parts_of_arguments_are_not_lost());

/// Offsets that are outside of the scratch, too near to its end, or not aligned.
constexpr auto invalid_hints_are_ignored() -> bool {
  return view(values_in_scratch<machine<8, 96>>(one_part())) == "y 96" && view(values_in_scratch<machine<0, 112>>(one_part())) == "x 0" &&
         view(values_in_scratch<machine<-1, 96>>(one_part())) == "y 96";
}
static_assert(invalid_hints_are_ignored());

template <auto Make, class Backend>
auto copies_in_a_run(const row_of_bytes& expected) -> int {
  static basic_executor<model_of<Make, Backend>, list> net;
  row_of_bytes x{};
  row_of_bytes y{};
  for (std::size_t i = 0; i < bytes; ++i) x[i] = static_cast<std::int8_t>(i);
  copies = 0;
  net.run(x, y);
  CHECK(y == expected);
  return copies;
}
auto line(int factor, int offset) -> row_of_bytes {
  row_of_bytes values{};
  for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<std::int8_t>(factor * static_cast<int>(i) + offset);
  return values;
}

/// A random program of delegates, negations, reshapes, joins and splits. The machine has one offset for arguments and one for results.
class random_program {
 public:
  explicit random_program(unsigned seed) : engine_(seed) {}
  auto generate() -> exported_program {
    rows_.add(build_.user_input("x", row));
    rows_.add(build_.user_input("y", row));
    for (auto left = draw(2, 12); left > 0; --left) add_node();
    return_some(rows_, 2);
    return_some(halves_, 0);
    return build_.finish();
  }

 private:
  struct pool {
    std::vector<value_id> values;
    std::vector<bool> is_used;

    void add(value_id id) {
      values.push_back(id);
      is_used.push_back(false);
    }
  };
  auto draw(std::size_t min, std::size_t max) -> std::size_t { return std::uniform_int_distribution<std::size_t>(min, max)(engine_); }
  auto any(pool& from) -> value_id {
    const auto at = draw(draw(0, 1) == 0 ? 0 : from.values.size() / 2, from.values.size() - 1);
    from.is_used[at] = true;
    return from.values[at];
  }
  void return_some(const pool& from, std::size_t first) {
    for (auto v = first; v < from.values.size(); ++v) {
      if (!from.is_used[v] || draw(0, 7) == 0) build_.output(from.values[v]);
    }
  }
  void split() {
    const auto name = std::to_string(splits_++);
    const auto axis = build_.constant("axis" + name, tensor(dtype::int32), "\0\0\0\0"sv);
    for (const auto part : build_.call_many("split" + name, "tfl.split", {axis, any(rows_)}, {half, half})) halves_.add(part);
  }
  void add_node() {
    switch (draw(0, 9)) {
      case 0:
        return rows_.add(build_.call("test.negate", {any(rows_)}, row));
      case 1:
        return rows_.add(build_.call("tfl.reshape", {any(rows_)}, row));
      case 2:
        return rows_.add(build_.call("test.add", {any(rows_), any(rows_)}, row));
      case 3:
        if (halves_.values.empty()) return split();
        return rows_.add(build_.call("tfl.concatenation", {any(halves_), any(halves_)}, row, {{"axis", 0}}));
      case 4:
        return split();
      case 5:
        if (halves_.values.empty()) return split();
        return halves_.add(build_.call("test.negate", {any(halves_)}, half));
      case 7:
        return rows_.add(build_.call("test.negate_up", {any(rows_)}, row));
      case 6:
        return rows_.add(build_.call("test.negate_aside", {any(rows_)}, row));
      default:
        return rows_.add(build_.call("test.add", {any(rows_)}, row));
    }
  }

  std::mt19937 engine_;
  program_builder build_;
  pool rows_;
  pool halves_;
  int splits_ = 0;
};

int plans = 0;  ///< number of plans

struct counting_policy {
  static constexpr std::string_view name = "counted";
  static constexpr bool ignores_distances = true;
  static auto place(const memory_problem& problem) -> placement {
    ++plans;
    return memory_policies::no_overlap::place(problem);
  }
};

/// Runs a lowered program as planned, in one arena that is filled with marks.
template <class Backend>
auto run_planned(const program_view& program, const execution_plan& plan, const row_of_bytes& x, const row_of_bytes& y) -> std::string {
  std::vector<char> memory(plan.memory.arena_bytes + 16, '\x33');
  char* arena = memory.data() + (16 - reinterpret_cast<std::uintptr_t>(memory.data()) % 16) % 16;
  const auto at = [&](const memory_location& location) { return arena + location.offset; };
  const auto bytes_of = [&](value_id id) { return static_cast<std::size_t>(byte_count(program[id].type, program.shape(id))); };
  const auto input_at = [&](value_id id) -> const char* {
    const auto& location = plan.locations[index(id)];
    return location.is_constant() ? program.data(program[location.data].data).data() : at(location);
  };
  const auto inputs = user_inputs_of(program, graph_id{0});
  std::memcpy(at(plan.locations[index(inputs[0])]), x.data(), bytes_of(inputs[0]));
  if (inputs.size() > 1) std::memcpy(at(plan.locations[index(inputs[1])]), y.data(), bytes_of(inputs[1]));
  const auto nodes = program.root().nodes;
  for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
    const auto& record = program.nodes[n];
    std::vector<span<const char>> operands;
    std::vector<span<char>> results;
    for (const auto id : program.inputs(record)) operands.emplace_back(input_at(id), bytes_of(id));
    for (const auto id : program.outputs_of(record)) results.emplace_back(at(plan.locations[index(id)]), bytes_of(id));
    if (record.delegate != none<delegate_id>) {
      const span<char> scratch{at(location_of_scratch(program, plan.memory, n)), program[record.delegate].scratch_bytes};
      Backend::execute({{}, operands, results, scratch});
    } else if (record.is("tfl.reshape")) {
      if (results[0].data() != operands[0].data()) std::memcpy(results[0].data(), operands[0].data(), operands[0].size());
    } else {
      std::vector<const char*> from;
      std::vector<char*> to;
      for (const auto& each : operands) from.push_back(each.data());
      for (const auto& each : results) to.push_back(each.data());
      const auto compute_with = [&]<class Kernel>(const Kernel&) {
        const auto described = Kernel::describe(program, record);
        if (!described.support) return;
        node_memory memory_of_node{from.data(), to.data()};
        const auto scratch_bytes = described.facts.scratch_bytes;
        if (scratch_bytes != 0) memory_of_node.scratch = {at(location_of_scratch(program, plan.memory, n)), scratch_bytes};
        Kernel::compute(described.plan, memory_of_node);
      };
      if (record.is("tfl.split")) {
        compute_with(split_parts{});
      } else if (record.is("tfl.concatenation")) {
        compute_with(join_parts{});
      } else {
        compute_with(negate{});
        compute_with(negate_up{});
        compute_with(negate_aside{});
      }
    }
  }
  std::string returned;
  const auto outputs = user_outputs_of(program, graph_id{0});
  for (std::size_t o = 0; o < outputs.size(); ++o) returned.append(at(plan.outputs[o]), bytes_of(outputs[o]));
  return returned;
}

}  // namespace

TEST_CASE("random programs compute the same with and without values in scratch, in no more memory") {
  std::size_t nested = 0;
  row_of_bytes x{};
  row_of_bytes y{};
  for (std::size_t i = 0; i < bytes; ++i) {
    x[i] = static_cast<std::int8_t>(3 * i + 1);
    y[i] = static_cast<std::int8_t>(7 * i + 2);
  }
  const chosen_policy policies[] = {planned_by<memory_policies::no_overlap>{}, planned_by<memory_policies::in_place>{},
                                    planned_by<memory_policies::no_reuse>{}};
  const auto check = [&]<class Backend>(const exported_program& program, const chosen_policy& policy) {
    const auto delegated = lowered<Backend>(program);
    const auto needs = needs_of_backends(backends<Backend>, delegated);
    auto without = needs;
    without.preferred_offsets.clear();
    const auto planned = detail::plan_execution(list, delegated, {}, needs, {.policy = policy});
    const auto without_hints = detail::plan_execution(list, delegated, {}, without, {.policy = policy});
    REQUIRE(static_cast<bool>(planned) == static_cast<bool>(without_hints));
    if (!planned) return;
    CHECK(planned.value.memory.arena_bytes <= without_hints.value.memory.arena_bytes);
    nested += planned.value.accepted().size();
    for (const auto& each : planned.value.accepted()) {
      const auto scratch = location_of_scratch(delegated, planned.value.memory, index(each.node));
      if (each.where.in == container::scratch)
        CHECK(planned.value.locations[index(each.value)].offset == scratch.offset + static_cast<std::int64_t>(each.where.offset));
    }
    CHECK(run_planned<Backend>(delegated, planned.value, x, y) == run_planned<Backend>(delegated, without_hints.value, x, y));
  };
  const auto check_all = [&](const exported_program& program, const chosen_policy& policy) {
    check.operator()<low>(program, policy);
    check.operator()<high>(program, policy);
    check.operator()<machine<16, 0>>(program, policy);
  };
  for (const auto& policy : policies) {
    for (const auto make : {joined_argument, split_argument, split_result}) check_all(make(), policy);
  }
  for (unsigned seed = 0; seed < 600; ++seed) {
    CAPTURE(seed);
    check_all(random_program(seed).generate(), policies[seed % 3]);
  }
  CHECK(nested > 3000);
}

TEST_CASE("values are in scratch also with two regions") {
  static memory_region<128> fast;
  static memory_region<256> slow;
  static basic_executor<model_of<between_kernels, low>, list, plan_options{}, in_regions<fast, slow>> net;
  row_of_bytes y{};
  copies = 0;
  net.run(line(1, 0), y);
  CHECK(y == line(1, -1));
  CHECK(copies == 0);
}

TEST_CASE("arguments and results of a delegate are in its scratch, at the requested offsets") {
  CHECK(placement_hints_are_honored());
  CHECK(copies_in_a_run<one_part, low>(line(1, 1)) == 0);
  CHECK(copies_in_a_run<one_part, high>(line(1, 1)) == 0);
  CHECK(copies_in_a_run<between_kernels, low>(line(1, -1)) == 0);
  CHECK(basic_executor<model_of<one_part, low>, list>::arena_bytes == 128);
}

TEST_CASE("a value with other readers is stored elsewhere, and copied") {
  CHECK(a_value_with_other_users_is_copied());
  CHECK(parts_of_arguments_are_not_lost());
  static basic_executor<model_of<read_later, low>, list> net;
  row_of_bytes y{};
  row_of_bytes z{};
  copies = 0;
  net.run(line(1, 0), y, z);
  CHECK(y == line(1, 1));
  CHECK(z == line(-1, 0));
  CHECK(copies == 1);
}

TEST_CASE("a value that two delegates request is in the scratch of one of them") { CHECK(copies_in_a_run<chained, low>(line(1, 2)) >= 1); }

TEST_CASE("values in scratch next to segments of rows") {
  constexpr auto& model = model_of<by_rows, tight>;
  using streamed = basic_executor<model, list, plan_options{}, planned_by<memory_policies::row_streaming>>;
  static streamed net;
  CHECK(net.plan().streams.segments.size() == 1);
  const auto hints = values_in_scratch(model, needs_of_backends(backends<tight>, model), planned_by<memory_policies::row_streaming>{});
  CHECK(view(hints) == "narrow 0, wide 0, r 0, y 0");
  std::array<std::int8_t, bytes> y{};
  for (std::size_t i = 0; i < bytes; ++i) net.input()[i] = static_cast<char>(i);
  copies = 0;
  net.run();
  std::memcpy(y.data(), net.output().data(), bytes);
  CHECK(y == line(-1, 2));
  CHECK(copies == 0);
}

TEST_CASE("a call in a branch or a loop copies, and a call after it does not") {
  CHECK(view(values_in_scratch<tight>(in_a_branch())) == "choice_0 0, y 0");
  CHECK(copies_in_a_run<in_a_branch, tight>(line(1, 2)) == 2);
  CHECK(view(values_in_scratch<tight>(in_a_loop())) == "loop_0 0, y 0");
  CHECK(copies_in_a_run<in_a_loop, tight>(line(1, 5)) == 8);
}

TEST_CASE("reshaped values share memory in scratch") {
  static basic_executor<model_of<renamed, low>, list> net;
  std::array<std::array<std::int8_t, 8>, 4> x{};
  std::array<std::array<std::int8_t, 8>, 4> y{};
  for (std::size_t i = 0; i < bytes; ++i) x[i / 8][i % 8] = static_cast<std::int8_t>(i);
  copies = 0;
  net.run(x, y);
  for (std::size_t i = 0; i < bytes; ++i) CHECK(y[i / 8][i % 8] == static_cast<std::int8_t>(i + 1));
  CHECK(copies == 0);
}

TEST_CASE("scratch lives as long as the values in it, and the arena does not grow for that") {
  CHECK(invalid_hints_are_ignored());
  // While a node with large needs runs, the scratch of an earlier delegate is not kept alive for a small result.
  using large = machine<0, 0, 4096>;
  const auto chain = [] {
    program_builder b;
    auto x = b.user_input("x", row);
    for (int i = 0; i < 3; ++i) x = b.call("test.add", {x}, row);
    b.output(x);
    return b.finish();
  };
  const auto delegated = lowered<large>(chain());
  const auto planned = plan_execution(list, backends<large>, delegated);
  REQUIRE(planned);
  CHECK(planned.value.memory.arena_bytes <= 4096 + 2 * bytes);
  CHECK(planned.value.accepted().size() >= 1);
}

TEST_CASE("a value of unknown size is no candidate, and the plan reports it") {
  constexpr auto unknown = tensor(dtype::int8, -1);
  program_builder b;
  const auto unsized = b.call("given", "test.negate", {b.user_input("x", row)}, unknown);
  b.output(b.call("y", "test.negate", {b.call("made", "test.add", {unsized}, row)}, row));
  const auto delegated = lowered<high>(b.finish());
  const auto planned = plan_execution(list, backends<high>, delegated);
  REQUIRE(!planned);
  CHECK(planned.error.is<"dynamic_shape">());
  CHECK(view(planned.error.reason) == "value given");
}

TEST_CASE("a model with many placement hints is planned a few times only") {
  plans = 0;
  using large = machine<0, 0, 4096>;
  program_builder b;
  auto x = b.user_input("x", row);
  for (int i = 0; i < 100; ++i) {
    const auto y = b.call("test.negate", {x}, row);
    x = b.call("test.add", {y, b.call("test.negate", {x}, row)}, row);
  }
  b.output(x);
  const auto delegated = lowered<large>(b.finish());
  const auto planned = plan_execution(list, backends<large>, delegated, {}, planned_by<counting_policy>{});
  REQUIRE(planned);
  CHECK(plans <= 18);
  CHECK(planned.value.memory.arena_bytes <= 4096 + 3 * bytes);
  CHECK(planned.value.accepted().size() >= 200);  // all arguments; results would keep the scratch of two delegates alive
}

TEST_CASE("reports list the values in scratch") {
  const auto delegated = lowered<low>(one_part());
  const auto planned = plan_execution(list, backends<low>, delegated);
  REQUIRE(planned);
  const auto table = report::memory_table(delegated, planned.value.memory);
  CHECK(view(table).find("scratch of lowered_module_0 (contains x, y)") != std::string_view::npos);
}
