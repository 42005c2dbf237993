// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fuzzes the import of ONNX models.
#include <baton/import/onnx.hpp>

#include "fuzz/libfuzzer/target.hpp"
#include "fuzz/mutated_protobuf.hpp"

#include <cstddef>
#include <cstdint>

namespace {

auto read_program(baton::span<const char> bytes) { return baton::onnx::try_read_bytes(bytes); }

}  // namespace

extern "C" auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::import_bytes(fuzz::chars_of(data, size), read_program);
  return 0;
}

extern "C" auto LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) -> std::size_t {
  return fuzz::mutate<fuzz::mutated_protobuf>(data, size, max_size, seed, static_cast<bool>(read_program(fuzz::chars_of(data, size))));
}
