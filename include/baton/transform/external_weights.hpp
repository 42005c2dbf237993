// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that removes the weights from a program, and the file that supplies them at run time.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/external_file.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/pass.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

namespace detail {

/// True if a value is a weight: a constant that has data, and whose elements are float32, float16 or quantized. Other constants, such as
/// shapes and axes, are not weights.
constexpr auto is_weight(const value& record) -> bool {
  if (!is_owned_data(record.kind) || record.kind == value_kind::mutable_buffer || record.data.size == 0) return false;
  return record.quant.channels != 0 || record.type == dtype::float32 || record.type == dtype::float16;
}

}  // namespace detail

/// A pass that removes the weights from a program, so that the caller supplies them at run time (the service `with_weights` of an
/// executor). Weights are constants whose elements are float32, float16 or quantized. Shapes, attributes, scales and zero points are not
/// removed. They are compiled into the code. Apply this pass last, after `default_passes` and before lowering. A program with delegates is
/// returned unchanged, because the processed bytes (the result of a backend's `preprocess`) contain weights. Kernels that pack weights
/// support only nodes with constant weights, so the portable kernels are selected instead. If every kernel of a node needs a constant
/// weight, the executor fails with `missing_kernel`, and the reason names this condition. Unlike the programs that other passes return, the
/// returned program cannot run before the caller supplies the weights.
struct external_weights {
  static constexpr std::string_view name = "external_weights";

  static constexpr auto run(const program_view& program) -> exported_program {
    auto result = thaw(program);
    if (!program.delegates.empty()) return result;
    for (auto& record : result.values) {
      if (!detail::is_weight(record)) continue;
      record.kind = value_kind::external_constant;
      record.data = {};
    }
    return result;
  }
};
static_assert(pass<external_weights>);

/// Returns the file with the weights of `program`, for `run_time_weights::set`. `program` is the program before `external_weights`: import
/// the model as the firmware does, and apply the same passes except `external_weights`. Call this function in a host tool, because the file
/// has a copy of all weights. The file is empty if `external_weights` removes nothing from `program`, or if `program` is already the result
/// of `external_weights`.
constexpr auto pack_weights(const program_view& program) -> vector<char> {
  vector<char> file;
  if (external_file::bytes_of(program) != 0) return file;  // the weights were already removed
  const auto structure = external_weights::run(program);
  const auto size = external_file::bytes_of(structure);
  if (size == 0) return file;
  for (const char c : external_file::magic) file.push_back(c);
  append_little_endian(file, external_file::structure_hash(structure), 8);
  file.resize(size);
  external_file::position at;
  for (std::uint32_t v = 0; v < structure.values.size(); ++v) {
    const auto id = static_cast<value_id>(v);
    if (structure[id].kind != value_kind::external_constant) continue;
    const auto bytes = program.data(program[id].data);
    std::copy_n(bytes.begin(), bytes.size(), file.begin() + static_cast<std::ptrdiff_t>(at.add(structure, id)));
  }
  return file;
}

}  // namespace baton
