// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Delegates of ExecuTorch programs: one runs on a backend with its id; programs in programs and the output of Vela are decoded.
#include <baton/import/detail/pte_delegates.hpp>

#include <baton/backend/backends.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/executor.hpp>
#include <baton/import/pte.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/transform/legalize.hpp>

#include "import/pte_writer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace {

using file = baton::vector<char>;

// y = 2 · x + the number of processed bytes, by the delegate
constexpr auto written() -> baton::vector<char> {
  tests::pte_writer write;
  const auto x = write.tensor({.sizes = {2}, .offset = 0}), y = write.tensor({.sizes = {2}, .offset = 16});
  write.delegate("MyNpu", 1, 0);
  write.delegate_call(0, {x, y});
  write.method({x}, {y});
  return write.file("0123456789abcdef");
}
constexpr auto size = written().size();
constexpr auto copy = [] {
  std::array<char, size> bytes{};
  const auto program = written();
  for (std::size_t i = 0; i < size; ++i) bytes[i] = program[i];
  return bytes;
}();
template <std::size_t... I>
struct embedded_array {
  static constexpr unsigned char bytes[] = {static_cast<unsigned char>(copy[I])...};
};
template <std::size_t... I>
constexpr auto embed(std::index_sequence<I...>) -> embedded_array<I...>;
using embedded = decltype(embed(std::make_index_sequence<size>()));

struct my_npu {
  static constexpr auto id = baton::name<"MyNpu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
  // The compile specs and the named data are those of the file.
  static auto init(const baton::init_context<>& context) -> baton::status {
    const auto named = context.named_data.find("key");
    const bool has_specs =
        context.compile_specs.size() == 1 && context.compile_specs[0].key == "mode" && context.compile_specs[0].value == "fast";
    return has_specs && named && named.value.size() == 16 ? baton::status::ok : baton::status::not_found;
  }
  static auto execute(const baton::delegate_call& call) -> baton::status {
    float x[2] = {};
    std::memcpy(x, call.inputs[0].data(), sizeof x);
    for (auto& each : x) each = 2 * each + static_cast<float>(call.processed_bytes.size());
    std::memcpy(call.outputs[0].data(), x, sizeof x);
    return baton::status::ok;
  }
};
using nothing_else = baton::by_support<my_npu, baton::operator_names<"my.operator">>;

constexpr auto lowered = baton::to_backend(baton::backends<my_npu>, baton::pte::read<embedded::bytes>, nothing_else{});

// Processed bytes that are decoded

/// y = delegate(x), where x and y have two elements. The processed bytes are segment 0, or inline.
constexpr auto with_payload(std::string_view id, const file& payload, int type = 6, bool is_inline = false) -> file {
  tests::pte_writer write;
  const auto x = write.tensor({.sizes = {2}, .offset = 0, .type = type}), y = write.tensor({.sizes = {2}, .offset = 16, .type = type});
  write.delegate(id, is_inline ? 0 : 1, 0);
  write.delegate_call(0, {x, y});
  write.method({x}, {y});
  if (is_inline) return write.file({}, baton::view(payload));
  return write.file(baton::view(payload));
}
constexpr auto with_program(const file& payload, int type = 6) -> file { return with_payload("ExecutorBackend", payload, type, true); }
/// y = relu(x)
constexpr auto relu_program(int rows = 2) -> file {
  tests::pte_writer write;
  const auto x = write.tensor({.sizes = {rows}, .offset = 0}), y = write.tensor({.sizes = {rows}, .offset = 16});
  write.call("aten::relu", "out", {x, y, y});
  write.method({x}, {y});
  return write.file();
}
constexpr auto fails(const file& bytes, std::string_view rule, std::string_view reason) -> bool {
  const auto why = baton::pte::try_read_bytes(bytes).error;
  return why.rule_name == rule && baton::view(why.reason).find(reason) != std::string_view::npos;
}

constexpr auto decodes_programs() -> bool {
  const auto inner = relu_program();
  const auto bytes = with_program(with_payload("ExecutorBackend", inner));
  const auto program = baton::pte::try_read_bytes(bytes);
  if (!program) return false;
  const baton::program_view view = program.value;
  const auto& call = view.nodes[view.root().nodes.first];
  if (view.delegates.size() != 2 || view.integer(call, "decoded") != 1) return false;
  const auto legal = baton::legalize::run(view);
  if (!legal || !legal.value.delegates.empty() || legal.value.nodes.size() != 1) return false;
  const auto& relu = legal.value.nodes[0];
  return relu.is("tfl.relu") && relu.debug_handle == 1 && !baton::legalize::is_needed(legal.value) &&
         baton::program_view(legal.value).text(relu.name) == "lowered_module_0.lowered_module_0.forward_node_0";
}
static_assert(decodes_programs());

/// y = a buffer that keeps its contents
constexpr auto program_with_state() -> file {
  tests::pte_writer write;
  const auto x = write.tensor({.sizes = {2}, .offset = 0}), cache = write.tensor({.sizes = {2}, .offset = 16, .name = "cache"});
  write.method({x}, {cache});
  return write.file();
}
constexpr auto refuses_damaged_programs() -> bool {
  const auto place = "the delegate of instruction 0, ExecutorBackend, whose processed bytes are at byte ";
  auto cut = relu_program();
  cut.resize(cut.size() - 8);
  cut[0] = '\x7f';  // the root table
  if (!fails(with_program(program_with_state()), "unsupported_model", "its program changes the buffer cache")) return false;
  return fails(with_program({'n', 'o'}), "damaged_model", "the processed bytes are not an ExecuTorch program") &&
         fails(with_program({}), "damaged_model", place) && fails(with_program(cut), "damaged_model", place) &&
         fails(with_program(relu_program(3)), "damaged_model", "input 0 of its program has another") &&
         fails(with_program(relu_program(), 3), "damaged_model", "input 0 of its program has another");
}
static_assert(refuses_damaged_programs());

/// Appends a block to the output of Vela.
constexpr void add_block(file& to, std::string_view name, std::string_view data) {
  for (std::size_t i = 0; i < 16; ++i) to.push_back(i < name.size() ? name[i] : '\0');
  for (std::size_t i = 0; i < 16; ++i) to.push_back(i < 4 ? static_cast<char>(data.size() >> 8 * i & 255u) : '\0');
  for (const char c : data) to.push_back(c);
  while (to.size() % 16 != 0) to.push_back('\0');
}
/// Returns a list of inputs or outputs with one record.
constexpr auto record(std::int32_t elements, std::int32_t element, std::int32_t offset, std::int32_t base = 1) -> file {
  file bytes;
  for (const auto number : {1, 1, 1, 1, 1, 1, elements, element, offset, base}) {
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(static_cast<std::uint32_t>(number) >> 8 * i & 255u));
  }
  return bytes;
}
/// A change of a list of blocks.
struct vela_change {
  std::string_view omitted{};
  std::string_view added{};
  std::string_view scratch{"\x40\0\0\0", 4};
  file inputs = record(2, 1, 16);
  file outputs = record(2, 1, 0);
};
constexpr auto vela_blocks(const vela_change& change = {}) -> file {
  file bytes;
  const auto add = [&](std::string_view name, std::string_view data) {
    if (name != change.omitted) add_block(bytes, name, data);
  };
  add("vela_bin_stream", {});
  if (!change.added.empty()) add_block(bytes, change.added, "1234");
  add("cmd_data", "COP1");
  add("weight_data", "weights");
  add("scratch_size", change.scratch);
  add("inputs", baton::view(change.inputs));
  add("outputs", baton::view(change.outputs));
  add("vela_end_stream", {});
  return bytes;
}
constexpr auto with_vela(const file& blocks) -> file { return with_payload("EthosUBackend", blocks, 1); }

constexpr auto decodes_vela() -> bool {
  const auto bytes = with_vela(vela_blocks());
  const auto program = baton::pte::try_read_bytes(bytes);
  if (!program) return false;
  const auto legal = baton::legalize::run(program.value);
  if (!legal || legal.value.nodes.size() != 1 || !legal.value.delegates.empty()) return false;
  const baton::program_view view = legal.value;
  const auto& node = view.nodes[0];
  const auto operands = view.inputs(node);
  const auto offsets = view.integer_list(view.find(node, "arena_offsets")->list);
  if (!node.is("tfl.custom.ethos-u") || operands.size() != 5 || offsets.size() != 6) return false;
  return view.text(view[operands[0]].data) == "COP1" && view.text(view[operands[1]].data) == "weights" && operands[2] == operands[3] &&
         view[operands[2]].kind == baton::value_kind::scratch && view.shape(operands[2])[0] == 64 &&
         view[operands[4]].kind == baton::value_kind::user_input && offsets[2] == 0 && offsets[4] == 16 && offsets[5] == 0;
}
static_assert(decodes_vela());

/// The file without a block, or with another block after the first.
constexpr auto with_blocks(std::string_view omitted, std::string_view added = {}) -> file {
  return with_vela(vela_blocks({.omitted = omitted, .added = added}));
}
constexpr auto refuses_missing_blocks() -> bool {
  auto cut = vela_blocks();
  cut.resize(cut.size() - 16);
  return fails(with_blocks("cmd_data"), "damaged_model", ": there is no block cmd_data") &&
         fails(with_blocks("inputs"), "damaged_model", ": there is no block inputs") &&
         fails(with_blocks("vela_end_stream"), "damaged_model", "block 6 at byte 336 is missing: the processed bytes end at byte 336") &&
         fails(with_vela(cut), "damaged_model", "is missing: the processed bytes end at byte 352");
}
static_assert(refuses_missing_blocks());
constexpr auto refuses_damaged_blocks() -> bool {
  auto long_block = vela_blocks();
  long_block[32 + 18] = '\x01';
  return fails(with_vela(long_block), "damaged_model", "block 1 at byte 32, cmd_data, states 65540 bytes and ends outside") &&
         fails(with_blocks({}, "cmd_data"), "damaged_model", "block 2 at byte 80, cmd_data, occurs twice") &&
         fails(with_blocks({}, "vela_end_stream"), "damaged_model", "block 1 at byte 32, vela_end_stream, is followed by data") &&
         fails(with_blocks({}, "mystery"), "unsupported_model", "block 1 at byte 32 has the unknown name mystery");
}
static_assert(refuses_damaged_blocks());

constexpr auto refuses_damaged_records() -> bool {
  const auto inputs = [](const file& list) { return with_vela(vela_blocks({.inputs = list})); };
  auto two = record(2, 1, 0);
  two[0] = '\x02';
  return fails(with_vela(vela_blocks({.scratch = "12345"})), "damaged_model", "scratch_size, has 5 bytes instead of 4") &&
         fails(inputs(two), "damaged_model", "inputs, states 2 records in 40 bytes; a record has 36 bytes") &&
         fails(inputs(record(2, 1, 63)), "damaged_model",
               "inputs, has 2 bytes at offset 63 of a scratch of 64 bytes in record 0 at byte 212") &&
         fails(inputs(record(-2, 1, 0)), "damaged_model", "inputs, has an invalid number in record 0 at byte 212") &&
         fails(inputs(record(2, 1, 0, 3)), "unsupported_model",
               "record 0 at byte 212 has the base address 3; only 1, the scratch, is supported") &&
         fails(inputs(record(1, 2, 0)), "damaged_model", "input 0 has 2 bytes in the call and 2 bytes in the commands") &&
         fails(with_vela(vela_blocks({.outputs = record(3, 1, 0)})), "damaged_model",
               "output 0 has 2 bytes in the call and 3 bytes in the commands");
}
static_assert(refuses_damaged_records());

/// The processed bytes of another format stay, and so do those of other backends.
constexpr auto keeps_other_formats() -> bool {
  const auto tosa = with_vela({'T', 'O', 'S', 'A'}), other = with_payload("MyNpu", relu_program());
  for (const auto* const bytes : {&tosa, &other}) {
    const auto program = baton::pte::try_read_bytes(*bytes);
    if (!program || baton::legalize::is_needed(program.value) || program.value.delegates.size() != 1) return false;
  }
  return true;
}
static_assert(keeps_other_formats());

}  // namespace

TEST_CASE("pte: programs and the output of Vela in processed bytes are decoded, or refused with the place of the damage") {
  CHECK(decodes_programs());
  CHECK(refuses_damaged_programs());
  CHECK(decodes_vela());
  CHECK(refuses_missing_blocks());
  CHECK(refuses_damaged_blocks());
  CHECK(refuses_damaged_records());
  CHECK(keeps_other_formats());
}

TEST_CASE("pte: the nesting of programs is bounded") {
  auto bytes = relu_program();
  for (int depth = 0; depth < 8; ++depth) bytes = with_program(bytes);
  CHECK(baton::pte::try_read_bytes(bytes));
  CHECK(fails(with_program(bytes), "unsupported_model", "programs are nested deeper than 8 levels"));
}

TEST_CASE("pte: delegates with the same program bytes are damage") {
  tests::pte_writer write;
  auto last = write.tensor({.sizes = {2}, .offset = 0});
  const auto first = last;
  write.delegate("ExecutorBackend", 1, 0);
  for (std::int32_t i = 1; i < 6; ++i) {
    const auto next = write.tensor({.sizes = {2}, .offset = 16 * i});
    write.delegate_call(0, {last, next});
    last = next;
  }
  write.method({first}, {last});
  const auto inner = relu_program();
  CHECK(fails(write.file(baton::view(inner)), "damaged_model", "the programs of several delegates overlap"));
}

TEST_CASE("pte: a delegate of the file runs on a backend with its id") {
  static baton::executor<lowered> net;
  const float x[2] = {1, 2};
  float y[2] = {};
  std::memcpy(net.input<0>().data(), x, sizeof x);
  CHECK(net.run() == baton::status::ok);
  std::memcpy(y, net.output<0>().data(), sizeof y);
  CHECK((y[0] == 18 && y[1] == 20));
}
