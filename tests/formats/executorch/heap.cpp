// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Loads the programs of folders with the runtime of the PyPI package `executorch`, and executes each method once. Prints for each method
// the bytes of the heap that remain allocated after loading, and after the first execution: the memory of XNNPACK. heap.sh builds it.
#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/extension/flat_tensor/flat_tensor_data_map.h>
#include <executorch/runtime/core/hierarchical_allocator.h>
#include <executorch/runtime/executor/method.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/runtime.h>

#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

namespace {

namespace et = executorch::runtime;
using executorch::extension::BufferDataLoader;
using executorch::extension::FlatTensorDataMap;

/// Memory that is aligned to 64 bytes.
struct aligned {
  std::vector<std::uint8_t> bytes;
  explicit aligned(std::size_t size) : bytes(size + 64) {}
  auto data() -> std::uint8_t* { return bytes.data() + (64 - reinterpret_cast<std::uintptr_t>(bytes.data()) % 64); }
};

auto read_file(const std::filesystem::path& path) -> std::vector<char> {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
auto heap_bytes() -> long {
  const auto facts = mallinfo2();
  return static_cast<long>(facts.uordblks + facts.hblkhd);
}

void measure(const std::filesystem::path& folder) {
  const auto model = read_file(folder / "model.pte");
  std::vector<char> data;
  for (const auto& each : std::filesystem::directory_iterator(folder)) {
    if (each.path().extension() == ".ptd") data = read_file(each.path());
  }
  aligned copy(model.size());
  std::copy(model.begin(), model.end(), copy.data());
  BufferDataLoader loader(copy.data(), model.size()), data_loader(data.data(), data.size());
  std::optional<et::Result<FlatTensorDataMap>> tensors;
  if (!data.empty()) tensors.emplace(FlatTensorDataMap::load(&data_loader));
  const auto program = et::Program::load(&loader);
  for (std::size_t m = 0; program.ok() && m < program->num_methods(); ++m) {
    const auto* const name = *program->get_method_name(m);
    const auto facts = program->method_meta(name);
    std::deque<aligned> memories;
    std::vector<et::Span<std::uint8_t>> spans;
    for (std::size_t i = 0; i < facts->num_memory_planned_buffers(); ++i) {
      const auto size = static_cast<std::size_t>(*facts->memory_planned_buffer_size(i));
      spans.push_back({memories.emplace_back(size).data(), size});
    }
    aligned method_memory(1 << 20), temporary_memory(1 << 22);
    et::HierarchicalAllocator planned({spans.data(), spans.size()});
    et::MemoryAllocator methods(1 << 20, method_memory.data()), temporary(1 << 22, temporary_memory.data());
    et::MemoryManager manager(&methods, &planned, &temporary);
    const auto before = heap_bytes();
    auto method = program->load_method(name, &manager, nullptr, tensors ? &tensors->get() : nullptr);
    const auto loaded = heap_bytes();
    for (std::size_t i = 0; method.ok() && i < method->inputs_size(); ++i) (void)method->get_input(i);  // marks the input as set
    const bool has_run = method.ok() && method->execute() == et::Error::Ok;
    std::printf("%s %s %ld %ld%s\n", folder.filename().c_str(), name, loaded - before, heap_bytes() - before, has_run ? "" : " failed");
  }
}

}  // namespace

int main(int count, char** words) {
  et::runtime_init();
  if (count == 2) measure(words[1]);
}
