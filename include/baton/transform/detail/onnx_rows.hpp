// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The table of ONNX operators that `legalize_onnx` replaces.
#pragma once

#include <baton/transform/detail/onnx_comparisons.hpp>
#include <baton/transform/detail/onnx_elementwise.hpp>
#include <baton/transform/detail/onnx_functions.hpp>
#include <baton/transform/detail/onnx_gathering.hpp>
#include <baton/transform/detail/onnx_layers.hpp>
#include <baton/transform/detail/onnx_making.hpp>
#include <baton/transform/detail/onnx_moves.hpp>
#include <baton/transform/detail/onnx_normalization.hpp>
#include <baton/transform/detail/onnx_pools.hpp>
#include <baton/transform/detail/onnx_quantization.hpp>
#include <baton/transform/detail/onnx_quantized.hpp>
#include <baton/transform/detail/onnx_recurrent.hpp>
#include <baton/transform/detail/onnx_reductions.hpp>
#include <baton/transform/detail/onnx_resizing.hpp>
#include <baton/transform/detail/onnx_row.hpp>
#include <baton/transform/detail/onnx_searching.hpp>
#include <baton/transform/detail/onnx_slicing.hpp>
#include <baton/transform/detail/onnx_transposed_convolution.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// All rows, one list per family.
inline constexpr onnx_row_list onnx_rows[] = {
    onnx_comparisons,
    onnx_elementwise,
    onnx_functions,
    onnx_gathering,
    onnx_layers,
    onnx_making,
    onnx_moves,
    onnx_normalization,
    onnx_pools,
    onnx_quantization,
    onnx_quantized,
    onnx_recurrent,
    onnx_reductions,
    onnx_resizing,
    onnx_searching,
    onnx_slicing,
    onnx_transposed_convolution,
};

/// The rows, indexed by the hash of the name (open addressing, as in `definition_table`).
class onnx_row_table {
 public:
  consteval onnx_row_table() {
    for (const auto list : onnx_rows) {
      for (const auto& row : list) {
        auto at = row.name.hash;
        while (slots_[at % size] != nullptr) ++at;
        slots_[at % size] = &row;
      }
    }
  }
  /// Returns the row of an operator, or null.
  constexpr auto find(std::uint64_t op) const -> const onnx_row* {
    for (auto at = op;; ++at) {
      const auto* const row = slots_[at % size];
      if (row == nullptr || row->name.hash == op) return row;
    }
  }

 private:
  static constexpr std::size_t size = 512;  // a power of two, more than twice the number of rows

  std::array<const onnx_row*, size> slots_{};
};
inline constexpr onnx_row_table onnx_rows_by_hash{};

}  // namespace baton::detail
