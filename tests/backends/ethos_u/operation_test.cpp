// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Custom operators that the accelerator does not support, with the reason, and the delegates of supported ones.
#include <baton/backends/ethos_u/detail/operation.hpp>
#include <baton/backends/ethos_u/backend.hpp>
#include <baton/backends/ethos_u/command_stream.hpp>
#include <baton/backends/ethos_u/detail/processed_bytes.hpp>
#include <baton/backends/ethos_u/partitioner.hpp>
#include <baton/backends/ethos_u/payload.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>

#include "backends/ethos_u/stream_builders.hpp"
#include "laws/backend.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <string_view>
#include <utility>

namespace {

using namespace baton;
using namespace ethos_u_tests;
using ethos_u::u55_128;

/// Returns why an operator is rejected, or an empty text if it is supported.
constexpr auto refusal_of(const custom_operator& of) -> text_buffer {
  const auto program = program_of(of);
  return ethos_u::detail::read_operation(program, program.nodes[0], u55_128).error.reason;
}
constexpr auto is_rejected(const custom_operator& of, std::string_view why) -> bool { return view(refusal_of(of)) == why; }
constexpr auto with(const stream& commands, std::int64_t scratch = 128) -> custom_operator { return {payload_of(commands), scratch}; }
constexpr auto at(std::initializer_list<std::int64_t> offsets) -> custom_operator {
  custom_operator result;
  result.offsets = vector<std::int64_t>(offsets);
  return result;
}

constexpr auto valid_operators_are_supported() -> bool {
  auto aside = at({-1, -1, 256, 256, 256, 272});  // offsets relative to the start of the scratch
  return refusal_of({}).empty() && refusal_of(aside).empty() && verify(program_of({})).rule.empty();
}
static_assert(valid_operators_are_supported());

constexpr auto commands_for_another_accelerator_are_rejected() -> bool {
  custom_operator other;
  other.payload = payload_of(small_stream(0, 16), 0x3008);
  return is_rejected(
      other,
      "its commands are for ethos-u55-256, but the backend is for ethos-u55-128; compile the model with vela --accelerator-config "
      "ethos-u55-128");
}
static_assert(commands_for_another_accelerator_are_rejected());

constexpr auto damage_is_reported() -> bool {
  custom_operator magic;
  magic.payload[0] = 'X';
  custom_operator named;
  named.name = "tfl.custom.other";
  return is_rejected(magic, "its payload is damaged: it does not begin with COP1") &&
         is_rejected(with(stream().run(4).end()), "its command stream is damaged: it has an unknown command") &&
         is_rejected(with(stream().run(1)), "its command stream is damaged: it has no end") &&
         is_rejected(named, "it is not a custom operator ethos-u, which Vela generates for the accelerator");
}
static_assert(damage_is_reported());

constexpr auto accesses_outside_their_memory_are_rejected() -> bool {
  const auto region = [](std::uint32_t number) {
    auto result = stream();
    result.map(0x100, 1, 0, 1, 1, 16, 16, 16).set(0x105, 1).map(0x110, number, 0, 1, 1, 16, 16, 16);
    return result.set(0x111, 0).set(0x112, 0).set(0x113, 15).set(0x114, 1).set(0x180, 0x80).run(6).end();
  };
  return is_rejected(with(small_stream(113, 16)),
                     "command 52 reads bytes [113, 129) of the memory with base address index 1, which has 128 bytes") &&
         is_rejected(with(small_stream(0, 128)),
                     "command 52 writes bytes [128, 144) of the memory with base address index 1, which has 128 bytes") &&
         is_rejected(with(small_stream(0, 16, 32)),
                     "command 8 reads bytes [0, 32) of the memory with base address index 0, which has 16 bytes") &&
         is_rejected(with(region(0)), "command 42 writes to the weights") &&
         is_rejected(with(region(5)), "command 42 uses the base address with index 5, but the operator has only indices 0 to 4") &&
         is_rejected(with(region(8)), "command 42 uses the base address with index 8, but the accelerator has only indices 0 to 7");
}

constexpr auto inputs_and_outputs_outside_scratch_are_rejected() -> bool {
  return is_rejected(at({-1, -1, 0, 0, -1, 16}), "x has no offset in scratch in the metadata OfflineMemoryAllocation") &&
         is_rejected(at({-1, -1, 0, 0, 0, 120}), "y is outside the scratch of 128 bytes, at offset 120") &&
         is_rejected(at({-1, -1, 64, 64, 0, 64}), "x is outside the scratch of 128 bytes, at offset -64") &&
         is_rejected(at({-1, -1, -1, -1, 0, 16}), "its scratch has no offset in the metadata OfflineMemoryAllocation") &&
         is_rejected(at({-1, -1, 0, 0, 8, 16}), "x is at offset 8 of the scratch, which is not a multiple of 16") &&
         is_rejected(at({-1, -1}),
                     "the offsets of its inputs and outputs in scratch are unknown: the model has no metadata OfflineMemoryAllocation");
}
static_assert(inputs_and_outputs_outside_scratch_are_rejected());

/// Missing operands, and operands of the wrong kind.
constexpr auto missing_operands_are_rejected() -> bool {
  constexpr auto row = tensor(dtype::int8, 16);
  program_builder b;
  const auto x = b.user_input("x", row);
  const auto two = b.call("few", "tfl.custom.ethos-u", {x, x}, row);
  const auto five = b.call("given", "tfl.custom.ethos-u", {x, x, x, x, x}, row);
  for (const auto id : {two, five}) b.output(id);
  const auto program = b.finish();
  const auto why = [&](std::size_t node, std::string_view expected) {
    return view(ethos_u::detail::read_operation(program, program.nodes[node], u55_128).error.reason) == expected;
  };
  return why(0, "it needs commands, weights, two scratch operands, inputs and outputs; it has 2 operands") &&
         why(1, "its operand 0 is not a constant, but commands and weights must be");
}

/// The defect of an operator with two inputs.
enum class defect : std::uint8_t { nothing, omitted, constant, scratch, placed_twice, no_scratch, huge_scratch };
constexpr auto refusal_of(defect kind) -> text_buffer {
  constexpr auto row = tensor(dtype::int8, 16);
  const auto payload = payload_of(small_stream(0, 16));
  program_builder b;
  const auto commands =
      b.constant("commands", tensor(dtype::uint8, static_cast<std::int64_t>(payload.size())), {payload.data(), payload.size()});
  const auto weights = b.constant("weights", tensor(dtype::uint8, 16), {"0123456789abcdef", 16});
  const auto x = b.user_input("x", row);
  auto u = b.user_input("u", row);
  auto memory = b.scratch("memory", tensor(dtype::uint8, kind == defect::huge_scratch ? std::int64_t{1} << 30 : 128));
  if (kind == defect::omitted) u = none<value_id>;
  if (kind == defect::constant) u = b.constant("c", row, {"0123456789abcdef", 16});
  if (kind == defect::scratch) u = b.scratch("s", row);
  if (kind == defect::no_scratch) memory = x;
  const vector<std::int64_t> offsets{-1, -1, 0, 0, 0, kind == defect::placed_twice ? 0 : 32, 16};
  b.output(b.call("y", "tfl.custom.ethos-u", {commands, weights, memory, memory, x, u}, row, {{"arena_offsets", offsets}}));
  const auto program = b.finish();
  return ethos_u::detail::read_operation(program, program.nodes[0], u55_128).error.reason;
}
constexpr auto invalid_operands_are_rejected() -> bool {
  const auto why = [](defect kind, std::string_view expected) { return view(refusal_of(kind)) == expected; };
  return why(defect::nothing, "") && why(defect::omitted, "its operand 5 is omitted") &&
         why(defect::constant, "its operand 5 is a constant, but inputs are passed at run time") &&
         why(defect::scratch, "its operand 5 is scratch, but must be an input") && why(defect::placed_twice, "u and x overlap") &&
         why(defect::no_scratch, "its operand 2 or 3 is not scratch") &&
         why(defect::huge_scratch, "the size of its two scratch operands is unknown, or more than 2 GiB together");
}
static_assert(invalid_operands_are_rejected());

/// Only the bytes of the scratch that the commands use; a fast scratch only if the commands use it.
constexpr auto memory_is_limited_to_used_bytes() -> bool {
  const auto read = [](const custom_operator& of) {
    const auto program = program_of(of);
    return ethos_u::detail::read_operation(program, program.nodes[0], u55_128).value;
  };
  const auto large = read(with(small_stream(0, 16), 4096));
  custom_operator two = with(small_stream(0, 16), 4096);
  two.has_two_scratches = true;
  const auto unused = read(two);
  auto commands = stream();
  commands.set(0x130, 0).set_long(0x30, 0).set(0x131, 2).set_long(0x31, 32).set_long(0x32, 16).run(0x10).end();
  two.payload = payload_of(commands);
  const auto used = read(two);
  return large.scratch_bytes == 144 && large.memory_bytes == 144 && large.fast_offset == 0 && large.fast_bytes == 144 &&
         unused.memory_bytes == 144 && unused.fast_offset == 0 && used.scratch_bytes == 96 && used.fast_offset == 96 &&
         used.fast_bytes == 112 && used.memory_bytes == 208;
}
static_assert(memory_is_limited_to_used_bytes());

template <class Driver = ethos_u::no_driver>
using npu = ethos_u::backend<u55_128, Driver>;

constexpr auto the_processed_bytes_contain_all_offsets() -> bool {
  const auto lowered = to_backend(backends<npu<>>, program_of({}), ethos_u::partitioner<u55_128>{});
  const auto all = delegates(lowered);
  if (all.size() != 1 || all[0].named_data().size() != 1) return false;
  const auto bytes = all[0].processed_bytes();
  const ethos_u::detail::processed_view processed_bytes({bytes.data(), bytes.size()});
  const auto places = npu<>::io_offsets_in_scratch(all[0]);
  return processed_bytes.check() == ethos_u::detail::processed_state::valid && processed_bytes.weights_bytes() == 16 &&
         processed_bytes.memory_bytes() == 128 && processed_bytes.inputs() == 1 && processed_bytes.outputs() == 1 &&
         processed_bytes.range_count() == 4 && processed_bytes.input(0).offset == 0 && processed_bytes.output(0).offset == 16 &&
         processed_bytes.output(0).bytes == 16 && places.inputs == vector<std::int64_t>{0} && places.outputs == vector<std::int64_t>{16} &&
         static_cast<std::size_t>(processed_bytes.payload_bytes().data() - bytes.data()) % 16 == 0 &&
         processed_bytes.payload_bytes().size() == payload_of(small_stream(0, 16)).size();
}
static_assert(the_processed_bytes_contain_all_offsets());

constexpr auto damaged_bytes_are_detected() -> bool {
  const auto program = program_of({});
  const auto read = ethos_u::detail::read_operation(program, program.nodes[0], u55_128);
  const auto processed_bytes =
      ethos_u::detail::make_processed_bytes(read.value, user_inputs_of(program, graph_id{0}), user_outputs_of(program, graph_id{0}));
  const auto state = [](const text_buffer& bytes) { return ethos_u::detail::processed_view({bytes.data(), bytes.size()}).check(); };
  auto newer = processed_bytes;
  newer[3] = '2';
  auto foreign = processed_bytes;
  foreign[0] = 'X';
  auto cut = processed_bytes;
  cut.pop_back();
  bool is_detected = state(processed_bytes) == ethos_u::detail::processed_state::valid &&
                     state(newer) == ethos_u::detail::processed_state::version_mismatch &&
                     state(foreign) == ethos_u::detail::processed_state::damaged &&
                     state(cut) == ethos_u::detail::processed_state::damaged && state({}) == ethos_u::detail::processed_state::damaged;
  for (std::size_t i = 4; i < processed_bytes.size(); ++i) {
    auto damaged = processed_bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    is_detected = is_detected && state(damaged) == ethos_u::detail::processed_state::damaged;
  }
  return is_detected;
}

/// The law of single nodes passes no constants, and a delegate needs its commands, so the partitioner adds them to the part.
constexpr auto laws_hold() -> bool {
  return laws::backend::accepts_parts<npu<>>(program_of({}), ethos_u::partitioner<u55_128>{}) &&
         laws::backend::all<npu<>>(program_of({})) && laws::backend::all<npu<>>(program_of(with(stream())));
}

/// A part of more than one node is not a delegate.
constexpr auto larger_parts_are_rejected() -> bool {
  program_builder b;
  constexpr auto row = tensor(dtype::int8, 16);
  b.output(b.call("test.b", {b.call("test.a", {b.user_input("x", row)}, row)}, row));
  const result<preprocess_result> processed = npu<>::preprocess(b.finish(), {});
  return view(processed.error.reason) == "a part must be one custom operator ethos-u, but it has 2 nodes";
}
static_assert(larger_parts_are_rejected());

}  // namespace

TEST_CASE("Ethos-U: unsupported operators are not delegated, with a reason") {
  CHECK(valid_operators_are_supported());
  CHECK(commands_for_another_accelerator_are_rejected());
  CHECK(damage_is_reported());
  CHECK(view(refusal_of(with(small_stream(113, 16)))) ==
        "command 52 reads bytes [113, 129) of the memory with base address index 1, which has 128 bytes");
  CHECK(accesses_outside_their_memory_are_rejected());
  CHECK(inputs_and_outputs_outside_scratch_are_rejected());
  CHECK(missing_operands_are_rejected());
  CHECK(invalid_operands_are_rejected());
  CHECK(larger_parts_are_rejected());
  const auto refused = try_to_backend(backends<npu<>>, program_of(with(small_stream(0, 128))), ethos_u::partitioner<u55_128>{});
  REQUIRE_FALSE(refused);
  CHECK(refused.error.is<"refused_part">());
  CHECK(view(refused.error.reason) == "command 52 writes bytes [128, 144) of the memory with base address index 1, which has 128 bytes");
}

TEST_CASE("Ethos-U: a damaged payload is rejected, or all its accesses are in the delegate's memory") {
  const auto valid = payload_of(small_stream(0, 16));
  std::mt19937 random(7);
  std::size_t refused = 0;
  for (int i = 0; i < 4000; ++i) {
    custom_operator damaged;
    for (auto left = random() % 4 + 1; left > 0; --left) damaged.payload[random() % valid.size()] = static_cast<char>(random());
    const auto program = program_of(damaged);
    const auto read = ethos_u::detail::read_operation(program, program.nodes[0], u55_128);
    if (!read) {
      ++refused;
      continue;
    }
    // In the order of the driver: weights, scratch, fast scratch, the input, the output.
    const auto& operation = read.value;
    const std::uint64_t sizes[] = {16, operation.scratch_bytes, operation.fast_bytes, 16, 16};
    const std::uint64_t ends[] = {0, operation.scratch_bytes, operation.fast_offset + std::uint64_t{operation.fast_bytes}, 16, 32};
    bool is_inside = true;
    const auto payload = ethos_u::read_payload({damaged.payload.data(), damaged.payload.size()});
    const auto fault = ethos_u::for_each_access(payload.stream, [&](const ethos_u::access& each) {
      is_inside = is_inside && each.region < std::size(sizes) && each.first < each.end && each.end <= sizes[each.region] &&
                  ends[each.region] <= operation.memory_bytes && !(each.is_write() && each.region == 0);
      return true;
    });
    CHECK(fault == "");
    CHECK(is_inside);
  }
  CHECK(refused > 1000);
  CHECK(refused < 4000);
}

TEST_CASE("Ethos-U: a delegate has the memory that its commands use") { CHECK(memory_is_limited_to_used_bytes()); }

TEST_CASE("Ethos-U: the processed bytes contain all offsets, and every changed bit is detected") {
  CHECK(the_processed_bytes_contain_all_offsets());
  CHECK(damaged_bytes_are_detected());
}

TEST_CASE("Ethos-U: supported operators compile") { CHECK(laws_hold()); }
