// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The custom operator that Vela adds to a model for the accelerator. This header reads the operands of the operator, and checks each memory
// access of its commands.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backends/ethos_u/accelerator.hpp>
#include <baton/backends/ethos_u/command_stream.hpp>
#include <baton/backends/ethos_u/payload.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::ethos_u::detail {

/// The indices of the custom operator's operands: commands, weights, scratch, fast scratch (scratch that may be in faster memory), then
/// inputs.
namespace operand {
inline constexpr std::size_t commands = 0;
inline constexpr std::size_t weights = 1;
inline constexpr std::size_t scratch = 2;
inline constexpr std::size_t fast_scratch = 3;
inline constexpr std::size_t first_input = 4;
}  // namespace operand

/// The indices of the base addresses that commands use (`access::region`): weights, scratch, fast scratch, then inputs and outputs. The
/// accelerator has registers for the first 8 base addresses. Commands access further inputs and outputs through the base of the scratch.
namespace base_index {
inline constexpr std::size_t weights = 0;
inline constexpr std::size_t scratch = 1;
inline constexpr std::size_t fast_scratch = 2;
inline constexpr std::size_t first_place = 3;
inline constexpr std::size_t max_count = 8;
}  // namespace base_index

inline constexpr std::int64_t alignment = 16;  ///< the alignment of the payload and of every base address, in bytes

/// An input or an output in the scratch.
struct place {
  value_id value = none<value_id>;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

/// The custom operator of one node. The operator's memory consists of the used bytes of the scratch. The used bytes of the fast scratch
/// follow if the fast scratch has separate memory (`place_memory`).
struct operation {
  span<const char> bytes;  ///< the payload
  payload content;
  value_id weights = none<value_id>;
  std::uint32_t weights_bytes = 0;
  std::uint32_t scratch_bytes = 0;
  std::uint32_t fast_offset = 0;  ///< offset of the fast scratch in the operator's memory
  std::uint32_t fast_bytes = 0;
  std::uint32_t memory_bytes = 0;
  vector<place> inputs;
  vector<place> outputs;
};

constexpr auto is_operation(const node& record) -> bool { return record.is("tfl.custom.ethos-u"); }

class operation_reader {
 public:
  constexpr operation_reader(const program_view& program, const node& record, const accelerator& expected)
      : program_(program),
        record_(record),
        inputs_(program.inputs(record)),
        expected_(expected) {}

  constexpr auto run() -> result<operation> {
    if (!is_operation(record_)) return refuse_part("it is not a custom operator ethos-u, which Vela generates for the accelerator");
    if (inputs_.size() <= operand::first_input || program_.outputs_of(record_).size() == 0) {
      return refuse_part("it needs commands, weights, two scratch operands, inputs and outputs; it has ", inputs_.size(), " operands");
    }
    if (auto why = read_stream()) return why;
    if (auto why = read_memory()) return why;
    if (auto why = read_places()) return why;
    if (auto why = check_accesses()) return why;
    place_memory();
    return std::move(operation_);
  }

 private:
  constexpr auto value_at(std::size_t operand) const -> const value& { return program_[inputs_[operand]]; }
  constexpr auto bytes_of(value_id id) const -> std::int64_t { return byte_count(program_[id].type, program_.shape(id)); }

  constexpr auto read_stream() -> failure {
    for (const auto each : {operand::commands, operand::weights}) {
      if (inputs_[each] == none<value_id> || !is_owned_data(value_at(each).kind) || value_at(each).kind == value_kind::mutable_buffer) {
        return refuse_part("its operand ", each, " is not a constant, but commands and weights must be");
      }
    }
    operation_.bytes = program_.data(value_at(operand::commands).data);
    operation_.content = read_payload(operation_.bytes);
    if (!operation_.content.fault.empty()) return refuse_part("its payload is damaged: ", operation_.content.fault);
    const auto compiled_for = accelerator_of(operation_.content.configuration);
    if (compiled_for != expected_) {
      const auto actual = name_of(compiled_for);
      const auto expected = name_of(expected_);
      return refuse_part("its commands are for ", view(actual), ", but the backend is for ", view(expected),
                         "; compile the model with vela --accelerator-config ", view(expected));
    }
    operation_.weights = inputs_[operand::weights];
    operation_.weights_bytes = value_at(operand::weights).data.size;
    return {};
  }

  constexpr auto read_memory() -> failure {
    const auto scratch = inputs_[operand::scratch];
    const auto fast = inputs_[operand::fast_scratch];
    const auto is_scratch = [&](value_id id) {
      return id != none<value_id> && (program_[id].kind == value_kind::scratch || bytes_of(id) == 0);
    };
    if (!is_scratch(scratch) || !is_scratch(fast)) return refuse_part("its operand 2 or 3 is not scratch");
    if (bytes_of(scratch) < 0 || bytes_of(fast) < 0 || bytes_of(scratch) + bytes_of(fast) > INT32_MAX) {
      return refuse_part("the size of its two scratch operands is unknown, or more than 2 GiB together");
    }
    operation_.scratch_bytes = static_cast<std::uint32_t>(bytes_of(scratch));
    operation_.fast_bytes = static_cast<std::uint32_t>(bytes_of(fast));
    return {};
  }

  constexpr auto read_places() -> failure {
    const auto* stored = program_.find(record_, "arena_offsets");
    const auto outputs = program_.outputs_of(record_);
    if (stored == nullptr || stored->list.size != inputs_.size() + outputs.size()) {
      return refuse_part("the offsets of its inputs and outputs in scratch are unknown: the model has no metadata OfflineMemoryAllocation");
    }
    const auto offsets = program_.integer_list(stored->list);
    const auto begin = offsets[operand::scratch];
    if (begin < 0) return refuse_part("its scratch has no offset in the metadata OfflineMemoryAllocation");
    for (auto i = operand::first_input; i < inputs_.size(); ++i) {
      if (inputs_[i] == none<value_id>) return refuse_part("its operand ", i, " is omitted");
      if (is_owned_data(value_at(i).kind)) return refuse_part("its operand ", i, " is a constant, but inputs are passed at run time");
      if (value_at(i).kind == value_kind::scratch) return refuse_part("its operand ", i, " is scratch, but must be an input");
      if (auto why = add(operation_.inputs, inputs_[i], offsets[i] - begin, offsets[i])) return why;
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const auto offset = offsets[inputs_.size() + i];
      if (auto why = add(operation_.outputs, outputs[i], offset - begin, offset)) return why;
    }
    return {};
  }
  /// Adds an input or an output to `side`, the list of inputs or of outputs. `offset` is relative to the scratch. `metadata_offset` is the
  /// offset that the model's metadata states. Values of one list must not overlap; an output may overlap an input.
  constexpr auto add(vector<place>& side, value_id id, std::int64_t offset, std::int64_t metadata_offset) -> failure {
    const auto name = program_.text(program_[id].name);
    const auto bytes = bytes_of(id);
    if (metadata_offset < 0) return refuse_part(name, " has no offset in scratch in the metadata OfflineMemoryAllocation");
    if (bytes < 0 || offset < 0 || offset > operation_.scratch_bytes || bytes > operation_.scratch_bytes - offset) {
      return refuse_part(name, " is outside the scratch of ", operation_.scratch_bytes, " bytes, at offset ", offset);
    }
    if (offset % alignment != 0) return refuse_part(name, " is at offset ", offset, " of the scratch, which is not a multiple of 16");
    for (const auto& other : side) {
      if (offset < other.offset + bytes_of(other.value) && other.offset < offset + bytes) {
        return refuse_part(name, " and ", program_.text(program_[other.value].name), " overlap");
      }
    }
    side.push_back({id, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(bytes)});
    return {};
  }

  constexpr auto check_accesses() -> failure {
    vector<std::uint64_t> sizes{operation_.weights_bytes, operation_.scratch_bytes, operation_.fast_bytes};
    for (const auto& each : operation_.inputs) sizes.push_back(each.bytes);
    for (const auto& each : operation_.outputs) sizes.push_back(each.bytes);
    failure why;
    const auto fault = for_each_access(operation_.content.stream, [&](const access& each) {
      if (each.region >= base_index::max_count) {
        why = refuse_part("command ", each.command, " uses the base address with index ", each.region,
                          ", but the accelerator has only indices 0 to ", base_index::max_count - 1);
      } else if (each.region >= sizes.size()) {
        why = refuse_part("command ", each.command, " uses the base address with index ", each.region,
                          ", but the operator has only indices 0 to ", sizes.size() - 1);
      } else if (each.end < each.first || each.end > sizes[each.region]) {
        why = refuse_part("command ", each.command, each.is_write() ? " writes bytes [" : " reads bytes [", each.first, ", ", each.end,
                          ") of the memory with base address index ", each.region, ", which has ", sizes[each.region], " bytes");
      } else if (each.is_write() && each.region == base_index::weights) {
        why = refuse_part("command ", each.command, " writes to the weights");
      } else {
        ends_[each.region] = std::max(ends_[each.region], each.end);
      }
      return !why;
    });
    if (!fault.empty()) return refuse_part("its command stream is damaged: ", fault);
    return why;
  }

  /// Returns the number of bytes at the beginning of a scratch operand that an operator needs. All operators of a model declare the same
  /// scratch of `declared` bytes, but an operator may use less. `end` is the end of the bytes that the operator accesses. The result is
  /// `end + 64`, rounded up to a multiple of 16, but at most `declared`. The 64 bytes are added because the accelerator writes whole
  /// bricks: 16 channels of up to 4 bytes.
  constexpr auto used_bytes(std::uint32_t declared, std::uint64_t end) const -> std::uint32_t {
    constexpr std::uint64_t brick = 64;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(declared, (end + brick + alignment - 1) / alignment * alignment));
  }
  /// Computes the memory layout. If no command accesses the fast scratch, or both scratch operands are one tensor, the fast scratch has the
  /// range of the scratch. Otherwise, the fast scratch has separate memory, which the board's driver may replace by other memory.
  constexpr void place_memory() {
    auto end = ends_[base_index::scratch];
    for (const auto& each : operation_.inputs) end = std::max<std::uint64_t>(end, each.offset + each.bytes);
    for (const auto& each : operation_.outputs) end = std::max<std::uint64_t>(end, each.offset + each.bytes);
    const bool has_fast_memory = ends_[base_index::fast_scratch] != 0 && inputs_[operand::fast_scratch] != inputs_[operand::scratch];
    if (inputs_[operand::fast_scratch] == inputs_[operand::scratch]) end = std::max(end, ends_[base_index::fast_scratch]);
    operation_.scratch_bytes = used_bytes(operation_.scratch_bytes, end);
    operation_.fast_offset = has_fast_memory ? (operation_.scratch_bytes + 15) / 16 * 16 : 0;
    operation_.fast_bytes = has_fast_memory ? used_bytes(operation_.fast_bytes, ends_[base_index::fast_scratch]) : operation_.scratch_bytes;
    operation_.memory_bytes = has_fast_memory ? operation_.fast_offset + operation_.fast_bytes : operation_.scratch_bytes;
  }

  program_view program_;
  const node& record_;
  span<const value_id> inputs_;
  accelerator expected_;
  operation operation_;
  std::array<std::uint64_t, base_index::max_count> ends_{};  // indexed by region: the end of the accessed bytes
};

/// Returns the operation of a node. Fails with `refused_part` if the operator is invalid or for another accelerator. Also fails with
/// `refused_part` if a command writes to the weights, or accesses bytes outside the memory at its base address.
constexpr auto read_operation(const program_view& program, const node& record, const accelerator& expected) -> result<operation> {
  return operation_reader(program, record, expected).run();
}

}  // namespace baton::ethos_u::detail
