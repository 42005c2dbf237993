// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A firmware that loads model.pte with ExecuTorch's runtime, from memory (BufferDataLoader). Prints for each method the planned bytes and
// the bytes of the method allocator. Kernels and backends are registered by their names, but not linked, because loading a method needs
// only the name of a kernel. The memory of a backend is not included. measure.sh builds it.
#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/extension/flat_tensor/flat_tensor_data_map.h>
#include <executorch/runtime/backend/interface.h>
#include <executorch/runtime/executor/method.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/kernel/operator_registry.h>
#include <executorch/runtime/platform/runtime.h>
#include <executorch/schema/program_generated.h>

#include "cortex_m/semihosting.hpp"

#include <cstddef>
#include <cstdint>
#include <new>

namespace {

namespace et = executorch::runtime;

/// A bump allocator for the names and the buffers of this program; never freed.
template <std::size_t Bytes>
struct storage {
  alignas(64) std::uint8_t bytes[Bytes];
  std::size_t used = 0;

  auto take(std::size_t count) -> std::uint8_t* {
    auto* const at = bytes + used;
    used += (count + 63) / 64 * 64;
    if (used > Bytes) firmware::leave(98);
    return at;
  }
};
storage<1 << 20> files;
storage<1 << 20> planned;
storage<1 << 16> names;
alignas(64) std::uint8_t method_bytes[1 << 18];
alignas(64) std::uint8_t temporary_bytes[1 << 18];

struct view {
  const std::uint8_t* data = nullptr;
  std::size_t size = 0;
};
auto read_file(const char* path) -> view {
  firmware::host_file file(path, firmware::host_file::access::read);
  if (!file.is_open()) return {};
  const auto size = file.size();
  auto* const at = files.take(size);
  if (!file.read(reinterpret_cast<char*>(at), size)) firmware::leave(97);
  return {at, size};
}

/// A backend that allocates nothing.
struct absent_backend final : et::BackendInterface {
  auto is_available() const -> bool override { return true; }
  auto init(et::BackendInitContext&, et::FreeableBuffer*, et::ArrayRef<et::CompileSpec>) const -> et::Result<et::DelegateHandle*> override {
    return static_cast<et::DelegateHandle*>(nullptr);
  }
  auto execute(et::BackendExecutionContext&, et::DelegateHandle*, et::Span<et::EValue*>) const -> et::Error override {
    return et::Error::NotSupported;
  }
};
absent_backend absent;
void absent_kernel(et::KernelRuntimeContext&, et::Span<et::EValue*>) {}

auto kept_name(const flatbuffers::String* name, const flatbuffers::String* overload) -> const char* {
  const std::size_t size = name->size(), more = overload == nullptr ? 0 : overload->size();
  auto* const at = reinterpret_cast<char*>(names.take(size + more + 2));
  std::size_t end = 0;
  for (std::size_t i = 0; i < size; ++i) at[end++] = name->c_str()[i];
  if (more != 0) at[end++] = '.';
  for (std::size_t i = 0; i < more; ++i) at[end++] = overload->c_str()[i];
  at[end] = '\0';
  return at;
}

/// Registers the kernels and the backends of all methods.
void register_names(view model) {
  const auto* const program = executorch_flatbuffer::GetProgram(model.data);
  for (const auto* const plan : *program->execution_plan()) {
    if (plan->operators() != nullptr) {
      for (const auto* const each : *plan->operators()) {
        const auto* const name = kept_name(each->name(), each->overload());
        if (et::registry_has_op_function(name)) continue;  // registered for another method
        const et::Kernel kernel(name, absent_kernel);
        if (et::register_kernel(kernel) != et::Error::Ok) firmware::leave(95);
      }
    }
    if (plan->delegates() != nullptr) {
      for (const auto* const each : *plan->delegates()) {
        const auto* const id = kept_name(each->id(), nullptr);
        if (et::get_backend_class(id) == nullptr && et::register_backend({id, &absent}) != et::Error::Ok) firmware::leave(96);
      }
    }
  }
}

}  // namespace

// Names that the C++ library defines only with its own start-up code and a heap.
void operator delete(void*) noexcept {}
void operator delete(void*, std::size_t) noexcept {}
extern "C" [[gnu::visibility("hidden")]] void* __dso_handle;
void* __dso_handle = nullptr;

int main() {
  et::runtime_init();
  const auto model = read_file("model.pte"), data = read_file("data.ptd");
  register_names(model);
  executorch::extension::BufferDataLoader loader(model.data, model.size), data_loader(data.data, data.size);
  const auto program = et::Program::load(&loader);
  if (!program.ok()) return 2;
  const et::NamedDataMap* map = nullptr;
  auto tensors = executorch::extension::FlatTensorDataMap::load(&data_loader);
  if (data.size != 0) {
    if (!tensors.ok()) return 3;
    map = &tensors.get();
  }
  for (std::size_t m = 0; m < program->num_methods(); ++m) {
    const auto* const name = *program->get_method_name(m);
    const auto facts = program->method_meta(name);
    std::size_t total = 0;
    planned.used = 0;
    et::Span<std::uint8_t> buffers[8];
    const auto count = facts->num_memory_planned_buffers();
    for (std::size_t i = 0; i < count && i < 8; ++i) {
      const auto size = static_cast<std::size_t>(*facts->memory_planned_buffer_size(i));
      buffers[i] = {planned.take(size), size};
      total += size;
    }
    et::HierarchicalAllocator memories({buffers, count});
    et::MemoryAllocator methods(sizeof method_bytes, method_bytes), temporary(sizeof temporary_bytes, temporary_bytes);
    et::MemoryManager manager(&methods, &memories, &temporary);
    const auto loaded = program->load_method(name, &manager, nullptr, map);
    if (!loaded.ok()) {
      firmware::print(name, " fails with ", static_cast<unsigned>(loaded.error()), "\n");
      continue;
    }
    firmware::print(name, " ", total, " ", methods.used_size(), "\n");
  }
  return 0;
}
