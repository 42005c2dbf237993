// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/detail/tflite_offline_memory.hpp>
#include <baton/core/program.hpp>
#include <baton/import/tflite.hpp>

#include "import/tflite_writer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;

/// Returns the bytes of little-endian 32-bit integers.
constexpr auto words(std::initializer_list<std::int32_t> numbers) -> text_buffer {
  text_buffer bytes;
  for (const auto number : numbers) {
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(static_cast<std::uint32_t>(number) >> shift & 255u));
  }
  return bytes;
}

/// The place of a buffer's bytes in the file, if they are not in the flatbuffer.
struct place {
  std::int64_t offset = 0;
  std::int64_t size = 0;
};

/// A model with two graphs, each an entry point and each with a custom operator that has scratch. It has two metadata entries, each with a
/// name and a buffer. If `outside` has a size, the buffer of the first entry is there, and `metadata` is ignored.
constexpr auto model(std::string_view metadata, std::string_view name = "OfflineMemoryAllocation", std::int32_t buffer = 1,
                     std::string_view second_name = "other", std::string_view second_metadata = {}, place outside = {}) -> vector<char> {
  tests::tflite_writer w;
  const auto custom = w.operator_code(tflite::custom_operator, "npu");
  const auto relu = w.operator_code(19);
  const auto graph = [&](std::string_view x, std::string_view s, std::string_view y, std::initializer_list<std::int32_t> inputs) {
    const auto tx = w.tensor(x, {4}, tests::int8);
    const auto ts = w.tensor(s, {64}, tests::int8);
    const auto ty = w.tensor(y, {4}, tests::int8);
    const auto tz = w.tensor("z", {4}, tests::int8);
    const auto npu = w.operation(0, inputs, {2});
    const auto after = w.operation(1, {2}, {3});
    return w.graph({tx, ts, ty, tz}, {0}, {3}, {npu, after});
  };
  const auto first = graph("x", "s", "y", {-1, 1, 1, 0});
  const auto second = graph("u", "t", "v", {0, 1});
  const auto none = w.buffer({});
  using slot = tflite::slot::buffer;
  const auto stored = outside.size == 0
                          ? w.buffer(metadata)
                          : w.table({tests::long_field(slot::offset, outside.offset), tests::long_field(slot::size, outside.size)});
  const auto last = w.buffer(second_metadata);
  const auto one = w.metadata(name, buffer);
  const auto other = w.metadata(second_name, 2);
  const auto extra = w.all_metadata({one, other});
  const auto entry = w.signature("second", 1, "u", 0, "z", 3);
  return w.model({custom, relu}, {first, second}, {none, stored, last}, 3, {entry}, extra);
}

constexpr auto offsets_of(const vector<char>& bytes, std::uint32_t node, std::string_view entry = {}) -> vector<std::int64_t> {
  tflite::read_options chosen;
  chosen.entry = entry;
  const auto read = tflite::try_read_bytes({bytes.data(), bytes.size()}, chosen);
  vector<std::int64_t> offsets;
  if (!read) return offsets;
  const program_view program = read.value;
  const auto* stored = program.find(program.nodes[node], "arena_offsets");
  if (stored == nullptr) return offsets;
  for (const auto offset : program.integer_list(stored->list)) offsets.push_back(offset);
  return offsets;
}

constexpr auto are_equal(const vector<std::int64_t>& offsets, std::initializer_list<std::int64_t> expected) -> bool {
  return std::equal(offsets.begin(), offsets.end(), expected.begin(), expected.end());
}

constexpr auto a_custom_operator_has_the_offsets_of_its_tensors() -> bool {
  const auto bytes = words({0, 1, 4, 128, 0, 256, -1});
  return are_equal(offsets_of(model(view(bytes)), 0), {-1, 0, 0, 128, 256});
}
static_assert(a_custom_operator_has_the_offsets_of_its_tensors());

constexpr auto other_nodes_have_no_offsets() -> bool {
  const auto bytes = words({0, 1, 4, 128, 0, 256, 512});
  return offsets_of(model(view(bytes)), 1).empty() && offsets_of(model(view(bytes), "other"), 0).empty();
}
static_assert(other_nodes_have_no_offsets());

/// A list that is shorter than the number of tensors leaves the others without offset. A list that is shorter than its stated length is
/// ignored.
constexpr auto damaged_metadata_is_ignored() -> bool {
  const auto few = words({0, 1, 2, 128, 16});
  const auto cut = words({0, 1, 5, 128, 0, 256, -1});
  const auto huge = words({0, 1, -1, 128, 0, 256, -1});
  const auto header = words({0, 1});
  return are_equal(offsets_of(model(view(few)), 0), {-1, 16, 16, 128, -1}) && offsets_of(model(view(cut)), 0).empty() &&
         offsets_of(model(view(huge)), 0).empty() && offsets_of(model(view(header)), 0).empty();
}
static_assert(damaged_metadata_is_ignored());

constexpr auto the_last_metadata_is_used() -> bool {
  const auto one = words({0, 1, 4, 128, 0, 256, -1});
  const auto other = words({0, 1, 4, 64, 32, 16, -1});
  const auto both = model(view(one), "OfflineMemoryAllocation", 1, "OfflineMemoryAllocation", view(other));
  return are_equal(offsets_of(both, 0), {-1, 32, 32, 64, 16}) && are_equal(offsets_of(model(view(one)), 0), {-1, 0, 0, 128, 256});
}
static_assert(the_last_metadata_is_used());

/// A model that has its metadata after the flatbuffer, which states that they are `shift` bytes later than they are, and have `size` bytes.
constexpr auto model_with_metadata_outside(std::int64_t shift, std::int64_t size) -> vector<char> {
  const auto bytes = words({0, 1, 4, 128, 0, 256, -1});
  const auto length = static_cast<std::int64_t>(model({}, "OfflineMemoryAllocation", 1, "other", {}, {2, 1}).size());
  auto result = model({}, "OfflineMemoryAllocation", 1, "other", {}, {length + shift, size});
  for (const char byte : bytes) result.push_back(byte);
  return result;
}
constexpr auto metadata_may_be_stored_after_the_flatbuffer() -> bool {
  const auto is_ignored = [](std::int64_t shift, std::int64_t size) {
    const auto file = model_with_metadata_outside(shift, size);
    return tflite::try_read_bytes({file.data(), file.size()}) && offsets_of(file, 0).empty();
  };
  return are_equal(offsets_of(model_with_metadata_outside(0, 28), 0), {-1, 0, 0, 128, 256}) && is_ignored(0, 29) && is_ignored(1, 28) &&
         is_ignored(0, -1) && is_ignored(29, 28) && is_ignored(std::int64_t{1} << 40, 28) && is_ignored(0, std::int64_t{1} << 40);
}
static_assert(metadata_may_be_stored_after_the_flatbuffer());

}  // namespace

TEST_CASE("TFLite: a custom operator has the offsets that an earlier compiler assigned to its tensors") {
  CHECK(a_custom_operator_has_the_offsets_of_its_tensors());
  CHECK(other_nodes_have_no_offsets());
}

TEST_CASE("TFLite: offsets of graphs are in the order of the file") {
  const auto bytes = words({0, 2, 8, 0, 0, 0, 0, 32, 64, 96, -1});
  CHECK(are_equal(offsets_of(model(view(bytes)), 0, "second"), {32, 64, 96}));
}

TEST_CASE("TFLite: truncated metadata, and metadata in a missing buffer, are ignored") {
  CHECK(damaged_metadata_is_ignored());
  const auto bytes = words({0, 1, 4, 128, 0, 256, -1});
  const auto file = model(view(bytes), "OfflineMemoryAllocation", 7);
  CHECK(tflite::try_read_bytes({file.data(), file.size()}));
  CHECK(offsets_of(file, 0).empty());
}

TEST_CASE("TFLite: a model with damaged metadata is read without offsets") {
  const auto bytes = words({0, 1, 4, 128, 0, 256, -1});
  const auto valid = model({}, "something", 1, "OfflineMemoryAllocation", view(bytes));
  CHECK(are_equal(offsets_of(valid, 0), {-1, 0, 0, 128, 256}));
  const std::string_view text(valid.data(), valid.size());
  const auto name = text.find("something");
  REQUIRE(name != std::string_view::npos);
  auto damaged = valid;
  for (std::size_t i = 0; i < 4; ++i) damaged[name - 4 + i] = '\x7f';  // the length of its name
  const auto read = tflite::try_read_bytes({damaged.data(), damaged.size()});
  REQUIRE(read);
  CHECK(read.value.nodes.size() == 2);
  CHECK(offsets_of(damaged, 0).empty());
}

TEST_CASE("TFLite: the last of several lists of offsets is used") { CHECK(the_last_metadata_is_used()); }

TEST_CASE("TFLite: offsets that are stored after the flatbuffer are read, and ignored if they are not in the file") {
  CHECK(metadata_may_be_stored_after_the_flatbuffer());
}
