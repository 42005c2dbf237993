// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fuzzes the import of ExecuTorch programs, with processed bytes of the XNNPACK backend. The size of a file selects its method.
#include <baton/import/pte.hpp>

#include "fuzz/libfuzzer/target.hpp"
#include "fuzz/mutated_program.hpp"

#include <cstddef>
#include <cstdint>

namespace {

auto read_program(baton::span<const char> bytes) {
  auto methods = baton::pte::importer::entry_points(bytes);
  if (methods.empty()) methods.push_back({});
  return baton::pte::try_read_bytes(bytes, {.entry = methods[bytes.size() % methods.size()].name});
}

}  // namespace

extern "C" auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::import_bytes(fuzz::chars_of(data, size), read_program);
  return 0;
}

extern "C" auto LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) -> std::size_t {
  return fuzz::mutate<fuzz::mutated_program>(data, size, max_size, seed, static_cast<bool>(read_program(fuzz::chars_of(data, size))));
}
