// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The table of ONNX operators that `legalize_onnx` replaces.
#pragma once

#include <baton/transform/detail/onnx_elementwise.hpp>
#include <baton/transform/detail/onnx_layers.hpp>
#include <baton/transform/detail/onnx_moves.hpp>
#include <baton/transform/detail/onnx_pools.hpp>
#include <baton/transform/detail/onnx_quantization.hpp>
#include <baton/transform/detail/onnx_quantized.hpp>
#include <baton/transform/detail/onnx_row.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// All rows, one list per family.
inline constexpr onnx_row_list onnx_rows[] = {onnx_elementwise, onnx_layers, onnx_moves, onnx_pools, onnx_quantization, onnx_quantized};

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
