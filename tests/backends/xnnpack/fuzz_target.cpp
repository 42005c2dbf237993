// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fuzzes the reader of the XNNPACK backend's processed bytes. The mutator begins with the processed bytes of a layer, and corrects the
// checksum, so that records after it are read.
#include <baton/backends/xnnpack/detail/format.hpp>
#include <baton/backends/xnnpack/detail/processed_reader.hpp>
#include <baton/backends/xnnpack/detail/processed_writer.hpp>

#include "fuzz/libfuzzer/target.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace {

/// A layer with quantized weights.
auto processed_layer() -> baton::text_buffer {
  using namespace baton::xnnpack::detail;
  processed_writer to;
  to.add_key("scales");
  to.add_key("weights");
  to.add({.type = element::int8, .role = value_role::argument, .scale = 0.25f, .zero_point = -3, .rank = 2, .sizes = {1, 4}});
  to.add({.type = element::int8, .role = value_role::constant, .place = 1, .scales = 0, .axis = 1, .rank = 2, .sizes = {4, 8}});
  to.add(value_record{.role = value_role::result, .rank = 1, .sizes = {8}});
  operator_record code{.op = opcode::fully_connected, .flags = 4, .lower = -1, .upper = 6, .operands = 3, .to = 2};
  code.from = {0, 1, nothing};
  code.count = 2;
  to.add(code);
  return to.bytes();
}

}  // namespace

extern "C" auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  using namespace baton::xnnpack::detail;
  processed_reader read(fuzz::chars_of(data, size));
  if (read.state() != baton::status::ok) return 0;
  const auto begin = read.begin();
  for (std::uint32_t v = 0; v < begin.values; ++v) {
    const auto value = read.next_value();
    fuzz::demand(value.rank <= max_dimensions, "a value has a supported number of dimensions");
    if (value.role == value_role::constant) fuzz::demand(value.place < begin.keys, "a constant has a key");
    if (value.role == value_role::argument) fuzz::demand(value.place < begin.arguments, "an argument is one of the call");
    if (value.role == value_role::result) fuzz::demand(value.place < begin.results, "a result is one of the call");
    static_cast<void>(value.bytes());
  }
  for (std::uint32_t o = 0; o < begin.operators; ++o) {
    const auto code = read.next_operator();
    fuzz::demand(code.op < opcode::count && code.to < begin.values, "an operator has a known code and an output");
    for (std::uint32_t i = 0; i < code.operands; ++i) {
      fuzz::demand(code.from[i] < begin.values || code.from[i] == nothing, "an operand is a value");
    }
  }
  for (std::uint32_t k = 0; k < begin.keys; ++k) {
    const auto key = read.key(k);
    fuzz::demand(key.empty() || (key.data() >= fuzz::chars_of(data, size).data() && key.size() <= size), "a key is in the processed bytes");
  }
  fuzz::demand(read.state() == baton::status::ok, "valid processed bytes are read without an error");
  return 0;
}

extern "C" auto LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) -> std::size_t {
  if (const auto layer = processed_layer(); size < layer.size() / 2 && layer.size() <= max_size) {
    std::copy(layer.begin(), layer.end(), data);
    size = layer.size();
  }
  size = LLVMFuzzerMutate(data, size, max_size);
  if (size >= 12 && seed % 16 != 0) {
    const auto sum = baton::xnnpack::detail::checksum_of(fuzz::chars_of(data, size));
    for (std::size_t i = 0; i < 4; ++i) data[8 + i] = static_cast<std::uint8_t>(sum >> 8 * i);
  }
  return size;
}
