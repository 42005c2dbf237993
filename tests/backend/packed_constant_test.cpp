// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backend/packed_constant.hpp>

#include <baton/backend/backend.hpp>
#include <baton/backend/backends.hpp>
#include <baton/core/builder.hpp>
#include <baton/lower/shared/lower_by_id.hpp>

#include "properties/random.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace baton;

/// A part with a node that reads `x` and a weight of type `type`. The bytes of the weight are 1, 2, 3 and so on.
constexpr auto part_with(const tensor_type& type) -> exported_program {
  vector<char> data;
  const auto bytes = byte_count(type.type, type.shape());
  for (std::int64_t i = 0; i < bytes; ++i) data.push_back(static_cast<char>(i + 1));
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 1));
  const auto weight = build.parameter("weight", type, {data.data(), data.size()});
  build.output(build.call("y", "test.layer", {x, weight}, tensor(dtype::int8, 1)));
  return build.finish();
}
constexpr auto weight_of(const program_view& part) -> value_id { return part.inputs(part.nodes[0])[1]; }

constexpr auto processed_bytes_is(const tensor_type& type, const vector<packed_constant::loop>& loops, const vector<int>& expected)
    -> bool {
  const auto part = part_with(type);
  preprocess_result processed{"["};
  const auto offset = processed.pack(part, {weight_of(part), loops, '\x7f'});
  processed.processed_bytes.push_back(']');
  const auto processed_bytes = processed.all_processed_bytes(part);
  if (offset != 1 || processed_bytes.size() != processed.processed_size() || processed_bytes.size() != expected.size() + 2) return false;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (processed_bytes[i + 1] != static_cast<char>(expected[i])) return false;
  }
  return processed_bytes.front() == '[' && processed_bytes.back() == ']';
}

constexpr auto constants_are_packed() -> bool {
  constexpr auto matrix = tensor(dtype::int8, 3, 2);  // 1 2, 3 4, 5 6
  constexpr int pad = 0x7f;
  return processed_bytes_is(matrix, {}, {1, 2, 3, 4, 5, 6}) &&                                              //
         processed_bytes_is(matrix, {{0, 3}, {1, 2}}, {1, 2, 3, 4, 5, 6}) &&                                // row by row
         processed_bytes_is(matrix, {{1, 2}, {0, 3}}, {1, 3, 5, 2, 4, 6}) &&                                // column by column
         processed_bytes_is(matrix, {{0, 2}}, {1, 3}) &&                                                    // the first column
         processed_bytes_is(matrix, {{0, 3}, {1, 4}}, {1, 2, pad, pad, 3, 4, pad, pad, 5, 6, pad, pad}) &&  // padded rows
         processed_bytes_is(matrix, {{.dimension = 0, .count = 2, .step = 2}, {1, 2}, {0, 2}},
                            {1, 3, 2, 4, 5, pad, 6, pad}) &&  // tiles of two rows
         processed_bytes_is(tensor(dtype::int16, 2, 2), {{1, 3}, {0, 2}},
                            {1, 2, 5, 6, 3, 4, 7, 8, pad, pad, pad, pad}) &&  // larger elements
         processed_bytes_is(tensor(dtype::int16, 3), {{.dimension = 0, .count = 2, .step = 2}}, {1, 2, 5, 6});
}
static_assert(constants_are_packed());

/// Returns byte `byte` of a packed constant, computed without its neighbors.
auto packed_byte(const program_view& part, const packed_constant& constant, std::size_t byte) -> char {
  const auto shape = part.shape(constant.value);
  const std::size_t element = facts(part[constant.value].type).bits / 8;
  auto at = byte / element;
  vector<std::int64_t> coordinates(shape.size(), 0);
  for (std::size_t l = constant.loops.size(); l-- > 0;) {
    const auto& loop = constant.loops[l];
    coordinates[loop.dimension] += static_cast<std::int64_t>(at % loop.count * loop.step);
    at /= loop.count;
  }
  std::int64_t position = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (coordinates[d] >= shape[d]) return constant.padding;
    position = position * shape[d] + coordinates[d];
  }
  return part.data(part[constant.value].data)[static_cast<std::size_t>(position) * element + byte % element];
}

struct no_npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result processed;
    processed.pack(part, {part.inputs(part.nodes[0])[0]});
    return processed;
  }
};

/// Returns the reason why a constant cannot be packed. The default of `constant.value` is the weight.
constexpr auto refusal(const tensor_type& type, packed_constant constant) -> text_buffer {
  const auto part = part_with(type);
  if (constant.value == none<value_id>) constant.value = weight_of(part);
  preprocess_result processed{"text"};
  processed.pack(part, std::move(constant));
  const auto lowered = with_lowered_module(part, "Npu", {}, processed);
  if (lowered || !lowered.error.is<"malformed_packing">() || view(lowered.error.backend) != "Npu") return {};
  return lowered.error.reason;
}
constexpr auto malformed_packings_are_refused() -> bool {
  constexpr auto matrix = tensor(dtype::int8, 3, 2);
  constexpr auto default_weight = none<value_id>;
  return view(refusal(matrix, {value_id{99}})) == "the value is not a placeholder of the part" &&
         view(refusal(matrix, {value_id{0}})) == "x is an argument of the part; tag the data (with_constants)" &&
         view(refusal(matrix, {default_weight, {{2, 1}}})) == "p_weight has 2 dimensions, but a loop uses dimension 2" &&
         view(refusal(matrix, {default_weight, {{1, 0}}})) == "p_weight has a loop of count 0 and step 1; both must be positive" &&
         view(refusal(matrix, {default_weight, {{1, 1, 0}}})) == "p_weight has a loop of count 1 and step 0; both must be positive" &&
         view(refusal(matrix, {default_weight, {{0, 1u << 31}, {1, 1u << 31}}})) == "p_weight needs more than 2 GB" &&
         view(refusal(tensor(dtype::int4, 4), {default_weight, {{0, 4}}})) == "p_weight is int4, whose elements are not whole bytes";
}
static_assert(malformed_packings_are_refused());

}  // namespace

TEST_CASE("constants are packed in any order, with padding, between text") { CHECK(constants_are_packed()); }
TEST_CASE("a constant that cannot be packed is refused with a reason") {
  CHECK(malformed_packings_are_refused());
  const auto refused = lower_by_id(backends<no_npu>, "Npu", part_with(tensor(dtype::int8, 1)), {});
  CHECK(refused.error.is<"malformed_packing">());
}

TEST_CASE("random packings equal a naive packing, byte by byte and in any piece") {
  properties::random_numbers random(20261125);
  constexpr std::array<dtype, 4> types{dtype::int8, dtype::int16, dtype::float32, dtype::int64};
  for (int i = 0; i < 400; ++i) {
    INFO("packing " << i);
    tensor_type type = tensor(types[random.below(types.size())], 1 + random.below(5), 1 + random.below(7), 1 + random.below(6));
    const auto part = part_with(type);
    packed_constant constant{weight_of(part), {}, static_cast<char>(random.below(256))};
    const auto loops = 1 + random.below(4);
    for (std::size_t l = 0; l < loops; ++l) {
      constant.loops.push_back({static_cast<std::uint32_t>(random.below(3)), static_cast<std::uint32_t>(1 + random.below(6)),
                                static_cast<std::uint32_t>(1 + random.below(3))});
    }
    preprocess_result processed{"abc"};
    processed.pack(part, constant);
    processed.processed_bytes.push_back('d');
    processed.pack(part, {constant.value});
    const auto processed_bytes = processed.all_processed_bytes(part);
    const auto packed = processed.processed_size() - 4 - part[constant.value].data.size;
    for (std::size_t b = 0; b < packed; ++b) REQUIRE(processed_bytes[3 + b] == packed_byte(part, constant, b));
    for (int cut = 0; cut < 8; ++cut) {
      const auto first = random.below(processed_bytes.size());
      vector<char> piece(1 + random.below(processed_bytes.size() - first), 0);
      processed.packing.copy(view(processed.processed_bytes), part, first, piece);
      REQUIRE(std::string_view(piece.data(), piece.size()) == std::string_view(processed_bytes.data() + first, piece.size()));
    }
  }
}
