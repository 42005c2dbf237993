// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fuzzes the import of archives of torch.export. The size of an archive selects its program.
#include <baton/import/pt2.hpp>
#include <baton/import/pt2_source_lines.hpp>

#include "fuzz/libfuzzer/target.hpp"
#include "fuzz/mutated_archive.hpp"

#include <cstddef>
#include <cstdint>

namespace {

auto read_program(baton::span<const char> bytes) {
  auto programs = baton::pt2::importer::entry_points(bytes);
  if (programs.empty()) programs.push_back({});
  const auto& entry = programs[bytes.size() % programs.size()].name;
  static_cast<void>(baton::pt2::source_lines_of(bytes, entry));
  return baton::pt2::try_read_bytes(bytes, {.entry = entry});
}

}  // namespace

extern "C" auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::import_bytes(fuzz::chars_of(data, size), read_program);
  return 0;
}

extern "C" auto LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) -> std::size_t {
  return fuzz::mutate<fuzz::mutated_archive>(data, size, max_size, seed, static_cast<bool>(read_program(fuzz::chars_of(data, size))));
}
