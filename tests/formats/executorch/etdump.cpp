// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Executes a method three times with the runtime of the PyPI package `executorch`, and writes the ETDump: program MODEL METHOD ETDUMP.
// MODEL is a program (.pte). The inputs are zeros. etdump.sh builds it.
#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/core/hierarchical_allocator.h>
#include <executorch/runtime/executor/method.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

namespace et = executorch::runtime;

/// Memory that is aligned to 64 bytes.
struct aligned {
  std::vector<std::uint8_t> bytes;
  explicit aligned(std::size_t size) : bytes(size + 64) {}
  auto data() -> std::uint8_t* { return bytes.data() + (64 - reinterpret_cast<std::uintptr_t>(bytes.data()) % 64); }
};

auto write_etdump(const char* model, const char* name, const char* to) -> bool {
  std::ifstream file(model, std::ios::binary);
  const std::vector<char> stored{std::istreambuf_iterator<char>(file), {}};
  aligned bytes(stored.size());
  std::copy(stored.begin(), stored.end(), bytes.data());
  executorch::extension::BufferDataLoader loader(bytes.data(), stored.size());
  const auto program = et::Program::load(&loader);
  if (!program.ok()) return false;
  const auto facts = program->method_meta(name);
  if (!facts.ok()) return false;
  std::deque<aligned> memories;
  std::vector<et::Span<std::uint8_t>> spans;
  for (std::size_t i = 0; i < facts->num_memory_planned_buffers(); ++i) {
    const auto planned_size = static_cast<std::size_t>(*facts->memory_planned_buffer_size(i));
    spans.push_back({memories.emplace_back(planned_size).data(), planned_size});
  }
  aligned method_memory(1 << 20), temporary_memory(1 << 22);
  et::HierarchicalAllocator planned({spans.data(), spans.size()});
  et::MemoryAllocator methods(1 << 20, method_memory.data()), temporary(1 << 22, temporary_memory.data());
  et::MemoryManager manager(&methods, &planned, &temporary);
  executorch::etdump::ETDumpGen dump;
  auto method = program->load_method(name, &manager, &dump);
  if (!method.ok()) return false;
  for (int run = 0; run < 3; ++run) {
    for (std::size_t i = 0; i < method->inputs_size(); ++i) (void)method->get_input(i);  // marks the input as set
    if (method->execute() != et::Error::Ok) return false;
  }
  const auto result = dump.get_etdump_data();
  std::ofstream out(to, std::ios::binary);
  out.write(static_cast<const char*>(result.buf), static_cast<std::streamsize>(result.size));
  return static_cast<bool>(out);
}

}  // namespace

int main(int count, char** words) {
  et::runtime_init();
  if (count == 4 && write_etdump(words[1], words[2], words[3])) return 0;
  std::fprintf(stderr, "no ETDump was written\n");
  return 1;
}
