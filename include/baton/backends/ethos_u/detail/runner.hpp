// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the delegates of an accelerator: checks the processed bytes, copies inputs to the scratch, calls the driver, and copies outputs from
// the scratch.
#pragma once

#include <baton/backends/ethos_u/accelerator.hpp>
#include <baton/backends/ethos_u/detail/operation.hpp>
#include <baton/backends/ethos_u/detail/processed_bytes.hpp>
#include <baton/backends/ethos_u/driver.hpp>
#include <baton/core/span.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/status.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::ethos_u::detail {

/// Primary template, selected for `no_driver`. This template has no `init` and `execute`, so delegates cannot run.
template <accelerator Accelerator, class Driver>
struct runner {};

template <accelerator Accelerator, driver Driver>
struct runner<Accelerator, Driver> {
  struct options {
    void* user_argument = nullptr;  ///< the driver passes this pointer to `ethosu_inference_begin` and `ethosu_inference_end`
  };

  struct state {
    span<const char> weights;
  };

  /// Fails with `delegate_invalid_compatibility` if the processed bytes have another version or are for another accelerator, and with
  /// `invalid_program` if they are damaged. Fails with `not_found` if the weights are missing, and with `invalid_external_data` if their
  /// size is wrong. Fails with `delegate_memory_allocation_failed` if the processed bytes or the weights are misaligned.
  static auto init(const init_context<options>& context, state& self) -> status {
    const auto bytes = context.processed_bytes.bytes();
    const processed_view content(bytes);
    switch (content.check()) {
      case processed_state::valid:
        break;
      case processed_state::version_mismatch:
        return status::delegate_invalid_compatibility;
      case processed_state::damaged:
        return status::invalid_program;
    }
    if (accelerator_of(content.configuration()) != Accelerator) return status::delegate_invalid_compatibility;
    if (!is_aligned(bytes.data())) return status::delegate_memory_allocation_failed;
    if (content.weights_bytes() == 0) return status::ok;
    const auto entries = context.named_data.delegate_entries();
    if (entries.empty()) return status::not_found;
    self.weights = entries[0].bytes;
    if (self.weights.size() != content.weights_bytes()) return status::invalid_external_data;
    return is_aligned(self.weights.data()) ? status::ok : status::delegate_memory_allocation_failed;
  }

  /// Fails with `delegate_memory_allocation_failed` if the scratch is misaligned or too small. Fails with `invalid_argument` if the
  /// arguments or results of the call do not match the processed bytes. If the driver fails, returns its status.
  static auto execute(const execution_context<options>& call, state& self) -> status {
    const processed_view content(call.processed_bytes);
    char* memory = call.scratch.data();
    if (call.scratch.size() < content.memory_bytes() || !is_aligned(memory)) return status::delegate_memory_allocation_failed;
    if (!has_matching_arguments(content, call)) return status::invalid_argument;
    std::array<std::uint64_t, base_index::max_count> bases{address_of(self.weights.data())};
    std::array<std::size_t, base_index::max_count> sizes{self.weights.size()};
    const auto ranges = std::min<std::uint32_t>(content.range_count(), base_index::max_count - 1);
    for (std::uint32_t i = 0; i < ranges; ++i) {
      const auto range = content.at(i);
      bases[1 + i] = address_of(memory + range.offset);
      sizes[1 + i] = range.bytes;
    }
    for (std::uint32_t i = 0; i < content.inputs(); ++i) {
      const auto range = content.input(i);
      const char* from = call.inputs[range.argument].data();
      if (from != memory + range.offset) std::memcpy(memory + range.offset, from, range.bytes);
    }
    const auto code = Driver::invoke({content.payload_bytes(),
                                      {bases.data(), std::size_t{1} + ranges},
                                      {sizes.data(), std::size_t{1} + ranges},
                                      call.options.user_argument});
    if (code != status::ok) return code;
    for (std::uint32_t i = 0; i < content.outputs(); ++i) {
      const auto range = content.output(i);
      if (range.argument == npos) continue;
      char* to = call.outputs[range.argument].data();
      if (to != memory + range.offset) std::memcpy(to, memory + range.offset, range.bytes);
    }
    return status::ok;
  }

 private:
  /// True if the arguments of a call match the processed bytes. Checked at run time, because processed bytes that are loaded at run time
  /// may belong to another revision of the model.
  static auto has_matching_arguments(const processed_view& content, const execution_context<options>& call) -> bool {
    for (std::uint32_t i = 0; i < content.inputs(); ++i) {
      const auto range = content.input(i);
      if (range.argument >= call.inputs.size() || call.inputs[range.argument].size() != range.bytes) return false;
    }
    for (std::uint32_t i = 0; i < content.outputs(); ++i) {
      const auto range = content.output(i);
      if (range.argument == npos) continue;
      if (range.argument >= call.outputs.size() || call.outputs[range.argument].size() != range.bytes) return false;
    }
    return true;
  }
  static auto address_of(const char* at) -> std::uint64_t { return reinterpret_cast<std::uintptr_t>(at); }
  static auto is_aligned(const char* at) -> bool { return address_of(at) % alignment == 0; }
};

}  // namespace baton::ethos_u::detail
