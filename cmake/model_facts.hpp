// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The facts of a model that its interfaces are written from: the request of baton_model(), the tensors and their sizes.
#pragma once

#include <baton/core/decimal.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/shared/locations.hpp>
#include <baton/plan/storage_map.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace model_files {

using baton::append;
using baton::join;
using baton::text_buffer;
using baton::view;

/// The arguments of the command line.
struct request {
  std::string_view model;
  std::string_view name;
  std::string_view header;
  std::string_view source;
  std::string_view bytes;
  baton::vector<std::string_view> includes;
  baton::vector<std::string_view> files;
  baton::vector<std::string_view> backends;
  std::string_view partitioner;
  std::string_view kernels;
  std::string_view importers;    ///< default list if empty
  std::string_view entry;        ///< default entry point if empty
  std::string_view passes;       ///< applied before lowering; none if empty
  std::string_view late_passes;  ///< applied after lowering; none if empty
  std::string_view policy;
  std::string_view arena;  ///< section of the executor; chosen by the compiler if empty
  std::string_view sizes;  ///< header with the size of the arena; none if empty
  std::string_view probe;
  std::string_view language;   ///< of the interface: C or CXX; CXX if empty
  std::string_view weights;    ///< when they are set: run_time; at compile time if empty
  std::string_view slices;     ///< yes, or the maximum operations of a slice, if inferences run in slices; no if empty
  bool is_executorch = false;  ///< whether the model is an ExecuTorch program

  auto is_c() const -> bool { return language == "C"; }
  auto has_run_time_weights() const -> bool { return !weights.empty(); }
  auto has_slices() const -> bool { return !slices.empty(); }
  /// True if an inference can fail. Delegates can fail, and weights can be missing.
  auto can_fail() const -> bool { return !backends.empty() || has_run_time_weights(); }
};

/// A user input or output.
struct tensor {
  baton::value_id id;
  bool is_input;
  std::size_t number;  ///< index among the inputs, or among the outputs
  text_buffer name;    ///< name of its struct
};

/// Returns the C++ type of an element: `std::byte` for dtypes without a C++ type and for dtypes smaller than a byte.
inline auto element_of(baton::dtype type) -> std::string_view {
  switch (type) {
    case baton::dtype::float32:
      return "float";
    case baton::dtype::float64:
      return "double";
    case baton::dtype::int8:
      return "std::int8_t";
    case baton::dtype::int16:
      return "std::int16_t";
    case baton::dtype::int32:
      return "std::int32_t";
    case baton::dtype::int64:
      return "std::int64_t";
    case baton::dtype::uint8:
      return "std::uint8_t";
    case baton::dtype::uint16:
      return "std::uint16_t";
    case baton::dtype::uint32:
      return "std::uint32_t";
    case baton::dtype::uint64:
      return "std::uint64_t";
    case baton::dtype::boolean:
      return "bool";
    default:
      return "std::byte";
  }
}

inline auto tensors_of(const baton::program_view& program) -> baton::vector<tensor> {
  baton::vector<tensor> tensors;
  const auto add_tensor = [&tensors](baton::value_id id, bool is_input, std::size_t number) {
    tensors.push_back({id, is_input, number, join(is_input ? "input_" : "output_", number)});
  };
  std::size_t inputs = 0;
  for (const auto id : baton::user_inputs_of(program, baton::graph_id{0})) add_tensor(id, true, inputs++);
  std::size_t outputs = 0;
  for (const auto id : baton::user_outputs_of(program, baton::graph_id{0})) add_tensor(id, false, outputs++);
  return tensors;
}

/// Returns the bytes of all states, or -1 if they are not fixed. A state shared by several graphs counts once. Passes and backends can only
/// remove states.
inline auto state_bytes_of(const baton::program_view& program) -> std::int64_t {
  baton::storage_map storage(program.values.size());
  baton::add_storage_of_states(storage, program);
  std::int64_t sum = 0;
  for (const auto& graph : program.graphs) {
    for (const auto id : program.inputs(graph)) {
      if (program[id].kind != baton::value_kind::mutable_buffer) continue;
      if (storage[id].why == baton::storage_reason::one_state) continue;
      const auto bytes = baton::byte_count(program[id].type, program.shape(id));
      if (bytes < 0) return -1;
      sum += bytes;
    }
  }
  return sum;
}

/// Returns the number of elements in the span of a tensor, or -1 if it is not fixed.
inline auto size_of(const baton::program_view& program, const tensor& of) -> std::int64_t {
  const auto type = program[of.id].type;
  if (element_of(type) == "std::byte") return baton::byte_count(type, program.shape(of.id));
  return baton::element_count(program.shape(of.id));
}

template <class... Parts>
void add(text_buffer& to, const Parts&... parts) {
  append(to, view(join(parts...)));
}

/// Returns the scale of a tensor as a literal of type `float`; empty if it is not quantized, or has a scale for each channel.
inline auto scale_of(const baton::program_view& program, const tensor& of) -> text_buffer {
  const auto& quant = program[of.id].quant;
  text_buffer text;
  if (quant.channels != 1 || !std::isfinite(program.scale(quant))) return text;
  baton::append_real(text, program.scale(quant));
  add(text, "f");
  return text;
}

/// Returns `text` escaped for a string literal. A question mark is escaped, because C99 replaces trigraphs.
inline auto escaped(std::string_view text) -> text_buffer {
  text_buffer to;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && code < 0x7f && c != '"' && c != '\\' && c != '?') {
      to.push_back(c);
    } else {
      // Octal, because an octal escape ends after three digits.
      to.push_back('\\');
      for (int shift = 6; shift >= 0; shift -= 3) to.push_back(static_cast<char>('0' + ((code >> shift) & 7)));
    }
  }
  return to;
}

}  // namespace model_files
