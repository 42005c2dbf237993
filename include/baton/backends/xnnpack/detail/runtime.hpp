// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The session of a delegate: XNNPACK's runtime, its threads, and the addresses of arguments and results at the last setup of the runtime.
#pragma once

#include <baton/backends/xnnpack/detail/define.hpp>
#include <baton/backends/xnnpack/detail/format.hpp>
#include <baton/backends/xnnpack/detail/library.hpp>
#include <baton/backends/xnnpack/detail/processed_reader.hpp>
#include <baton/core/span.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/processed_bytes.hpp>
#include <baton/run/status.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::xnnpack::detail {

constexpr auto to_status(xnn_status code) -> status {
  switch (code) {
    case xnn_status_success:
      return status::ok;
    case xnn_status_uninitialized:
    case xnn_status_invalid_state:
      return status::invalid_state;
    case xnn_status_invalid_parameter:
      return status::invalid_argument;
    case xnn_status_unsupported_parameter:
      return status::operator_missing;
    case xnn_status_unsupported_hardware:
      return status::not_supported;
    case xnn_status_out_of_memory:
      return status::delegate_memory_allocation_failed;
    default:
      return status::internal;
  }
}

/// An argument or a result.
struct external {
  void* address = nullptr;  ///< address at the last setup of the runtime
  std::uint32_t value = 0;  ///< id in the subgraph
  std::uint32_t bytes = 0;
  std::uint32_t alignment = 1;
};

/// The state of a delegate.
struct session {
  xnn_runtime_t runtime = nullptr;
  pthreadpool_t pool = nullptr;
  std::uint32_t arguments = 0;
  std::uint32_t results = 0;
  std::array<external, max_externals> externals{};  ///< arguments, then results
};

/// A subgraph under construction.
class subgraph {
 public:
  subgraph() = default;
  subgraph(const subgraph&) = delete;
  auto operator=(const subgraph&) -> subgraph& = delete;
  ~subgraph() {
    if (graph_ != nullptr) static_cast<void>(xnn_delete_subgraph(graph_));
  }

  /// Defines the values and the first `count` operators of valid processed bytes. If `all_external`, internal values are also outputs of
  /// the subgraph, so that the first `count` operators form a complete subgraph. Dynamic values, which are quantized at run time, stay
  /// internal. If the library refuses an operator, sets `failed` to the index of this operator; on success, sets `failed` to -1.
  auto define(processed_reader reader, const named_data_map& data, std::uint32_t count, bool all_external, session& to,
              std::int64_t& failed) -> status {
    const auto begin = reader.begin();
    to.arguments = begin.arguments;
    to.results = begin.results;
    if (const auto code = xnn_create_subgraph(begin.values, 0, &graph_); code != xnn_status_success) return to_status(code);
    for (std::uint32_t v = 0; v < begin.values; ++v) {
      const auto value = reader.next_value();
      constant_bytes constant;
      if (const auto code = find(reader, value, data, constant); code != status::ok) return code;
      if (const auto code = to_status(define_value(graph_, value, v, constant, flags_of(value, all_external))); code != status::ok)
        return code;
      if (value.role == value_role::argument) record_external(value, v, to.externals[value.place]);
      if (value.role == value_role::result) record_external(value, v, to.externals[begin.arguments + value.place]);
    }
    for (std::uint32_t o = 0; o < count; ++o) {
      failed = o;
      const auto code = reader.next_operator();
      if (const auto why = to_status(define_operator(graph_, code, reader.value(code.to).rank)); why != status::ok) return why;
    }
    failed = -1;
    return status::ok;
  }

  /// Creates the runtime. Fails with the status of the library, which does not identify the refused operator.
  auto make_runtime(session& to) -> status { return to_status(xnn_create_runtime_v2(graph_, to.pool, 0, &to.runtime)); }

 private:
  static auto flags_of(const value_record& value, bool all_external) -> std::uint32_t {
    if (value.role == value_role::argument) return XNN_VALUE_FLAG_EXTERNAL_INPUT;
    const bool is_output =
        value.role == value_role::result || (all_external && value.role == value_role::inside && value.type != element::dynamic_int8);
    return is_output ? XNN_VALUE_FLAG_EXTERNAL_OUTPUT : 0u;
  }
  static void record_external(const value_record& value, std::uint32_t id, external& to) {
    to = {nullptr, id, static_cast<std::uint32_t>(value.bytes()), value.type == element::int8 ? 1u : 4u};
  }
  /// Finds the bytes and the scales of a constant, and checks their sizes and alignments.
  static auto find(processed_reader& reader, const value_record& value, const named_data_map& data, constant_bytes& to) -> status {
    if (value.role != value_role::constant) return status::ok;
    span<const char> bytes;
    if (const auto code = bytes_of(reader.key(value.place), data, value.bytes(), value.type == element::int8 ? 1 : 4, bytes);
        code != status::ok) {
      return code;
    }
    to.data = bytes.data();
    if (value.scales == nothing) return status::ok;
    const auto code = bytes_of(reader.key(value.scales), data, std::uint64_t{value.sizes[value.axis]} * 4, 4, bytes);
    // The cast is valid, because `bytes_of` has checked the alignment. Named data has the byte order of the model, little-endian, which
    // this machine must also have.
    if (code == status::ok) to.scales = reinterpret_cast<const float*>(static_cast<const void*>(bytes.data()));
    return code;
  }
  static auto bytes_of(std::string_view key, const named_data_map& data, std::uint64_t min_bytes, std::uintptr_t alignment,
                       span<const char>& to) -> status {
    const auto entry = data.find(key);
    if (!entry) return entry.code;
    if (entry.value.size() < min_bytes) return status::invalid_external_data;
    if (reinterpret_cast<std::uintptr_t>(entry.value.data()) % alignment != 0) return status::access_failed;
    to = entry.value;
    return status::ok;
  }

  xnn_subgraph_t graph_ = nullptr;
};

/// Ends a session. Has no effect if the session has not begun.
inline void end(session& self) {
  if (self.runtime != nullptr) static_cast<void>(xnn_delete_runtime(self.runtime));
  if (self.pool != nullptr) pthreadpool_destroy(self.pool);
  self = {};
}

/// True if the library refuses to create a runtime of the first `count` operators.
inline auto refuses(const processed_reader& reader, const named_data_map& data, std::uint32_t count) -> bool {
  session trial;
  subgraph graph;
  std::int64_t failed = -1;
  auto code = graph.define(reader, data, count, true, trial, failed);
  if (code == status::ok) code = graph.make_runtime(trial);
  end(trial);
  return code != status::ok;
}

/// Returns the index of the first refused operator, or -1 if there is none. An operator is refused if the library can create a runtime of
/// all preceding operators, but not a runtime that also includes this operator. Uses binary search, because each trial packs weights.
inline auto first_refused(const processed_reader& reader, const named_data_map& data) -> std::int64_t {
  std::uint32_t accepted = 0;
  auto refused = reader.begin().operators;
  if (!refuses(reader, data, refused)) return -1;
  while (refused - accepted > 1) {
    const auto middle = accepted + (refused - accepted) / 2;
    (refuses(reader, data, middle) ? refused : accepted) = middle;
  }
  return std::int64_t{refused} - 1;
}

/// True if the shape that the library reports for the value `id` of a runtime equals the declared shape.
template <class Runtime>
auto has_declared_shape(Runtime runtime, std::uint32_t id, const value_record& value) -> bool {
  std::array<std::size_t, XNN_MAX_TENSOR_DIMS> sizes{};
  std::size_t rank = sizes.size();
  if (xnn_get_external_value_shape(runtime, id, &rank, sizes.data()) != xnn_status_success) return false;
  if (rank != value.rank) return false;
  for (std::uint32_t d = 0; d < value.rank; ++d) {
    if (sizes[d] != value.sizes[d]) return false;
  }
  return true;
}

/// Compares the declared shape of each operator's output with the shape that the runtime computes. Does nothing if the library does not
/// report shapes. All outputs must be external values; dynamic values cannot be external and are skipped. If a shape differs, sets `failed`
/// to the index of the first such operator, and fails with `delegate_invalid_compatibility`. Such an operator could write past the end of
/// its output.
template <class Runtime>
auto check_shapes(Runtime runtime, processed_reader reader, std::int64_t& failed) -> status {
  if constexpr (reports_shapes<Runtime>) {
    if (const auto code = to_status(xnn_reshape_runtime(runtime)); code != status::ok) return code;
    for (std::uint32_t v = 0; v < reader.begin().values; ++v) reader.next_value();
    for (std::uint32_t o = 0; o < reader.begin().operators; ++o) {
      const auto to = reader.next_operator().to;
      const auto value = reader.value(to);
      if (value.type == element::dynamic_int8 || has_declared_shape(runtime, to, value)) continue;
      failed = o;
      return status::delegate_invalid_compatibility;
    }
  }
  return status::ok;
}

/// Checks the shapes of all operator outputs. Creates a second runtime, in which all values except dynamic values are external, so weights
/// are packed twice.
inline auto check_all_shapes(const processed_reader& reader, const named_data_map& data, std::int64_t& failed) -> status {
  if constexpr (!reports_shapes<xnn_runtime_t>) return status::ok;
  session trial;
  subgraph graph;
  auto code = graph.define(reader, data, reader.begin().operators, true, trial, failed);
  if (code == status::ok) code = graph.make_runtime(trial);
  if (code == status::ok) code = check_shapes(trial.runtime, reader, failed);
  end(trial);
  return code;
}

/// Begins a session: finds and packs the weights, and checks the shapes. Sets `failed` to the index of the first operator that the library
/// refuses, or whose output has another shape than declared.
inline auto begin(span<const char> processed_bytes, const named_data_map& data, std::uint32_t threads, session& to, std::int64_t& failed)
    -> status {
  const processed_reader read(processed_bytes);
  if (read.state() != status::ok) return read.state();
  if (const auto code = to_status(xnn_initialize(nullptr)); code != status::ok) return code;
  if (threads > 1) {
    to.pool = pthreadpool_create(threads);
    if (to.pool == nullptr) return status::delegate_memory_allocation_failed;
  }
  subgraph graph;
  auto code = graph.define(read, data, read.begin().operators, false, to, failed);
  if (code == status::ok) {
    code = graph.make_runtime(to);
    if (code != status::ok) failed = first_refused(read, data);
  }
  if (code == status::ok) code = check_all_shapes(read, data, failed);
  if (code != status::ok) end(to);
  return code;
}

/// True if the address of an argument or a result is not the address at the last setup, or if the memory is too small.
inline auto differs(const external& one, const char* at, std::size_t bytes) -> bool { return at != one.address || bytes < one.bytes; }

/// Checks the memory of an argument or a result. Fails with `invalid_argument` if the memory is too small, and with `access_failed` if the
/// memory is misaligned.
inline auto check(const external& one, const char* at, std::size_t bytes) -> status {
  if (bytes < one.bytes) return status::invalid_argument;
  return reinterpret_cast<std::uintptr_t>(at) % one.alignment == 0 ? status::ok : status::access_failed;
}

/// Passes the addresses of arguments and results to the runtime. Fails as `check` does, or with the status of the library.
inline auto set_up(const delegate_call& call, session& self) -> status {
  const auto count = self.arguments + self.results;
  std::array<xnn_external_value, max_externals> values;
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool is_argument = i < self.arguments;
    // XNNPACK's pointers to inputs are not const, but XNNPACK does not write to inputs.
    char* const at = is_argument ? const_cast<char*>(call.inputs[i].data()) : call.outputs[i - self.arguments].data();
    const auto bytes = is_argument ? call.inputs[i].size() : call.outputs[i - self.arguments].size();
    if (const auto why = check(self.externals[i], at, bytes); why != status::ok) return why;
    values[i] = {self.externals[i].value, at};
  }
  for (std::uint32_t i = 0; i < count; ++i) self.externals[i].address = nullptr;
  if (const auto code = to_status(xnn_setup_runtime(self.runtime, count, values.data())); code != status::ok) return code;
  for (std::uint32_t i = 0; i < count; ++i) self.externals[i].address = values[i].data;
  return status::ok;
}

/// Runs a call. Before anything runs, fails with `invalid_argument` if the number of arguments or results is wrong, or if memory is too
/// small. Fails with `access_failed` if memory is misaligned. Sets up the runtime only if an address has changed. In an executor without
/// bound inputs and outputs, only the first call changes addresses.
inline auto run(const delegate_call& call, session& self) -> status {
  if (call.inputs.size() != self.arguments || call.outputs.size() != self.results) return status::invalid_argument;
  bool has_moved = false;
  const auto* one = self.externals.data();
  for (const auto& input : call.inputs) has_moved |= differs(*one++, input.data(), input.size());
  for (const auto& output : call.outputs) has_moved |= differs(*one++, output.data(), output.size());
  if (has_moved) {
    if (const auto why = set_up(call, self); why != status::ok) return why;
  }
  const auto code = xnn_invoke_runtime(self.runtime);
  return code == xnn_status_success ? status::ok : to_status(code);
}

}  // namespace baton::xnnpack::detail
