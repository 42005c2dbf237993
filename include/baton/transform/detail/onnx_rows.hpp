// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The table of ONNX operators that `legalize_onnx` replaces.
#pragma once

#include <baton/operators/shared/name_index.hpp>
#include <baton/transform/detail/legalization_row.hpp>
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
#include <baton/transform/detail/onnx_searching.hpp>
#include <baton/transform/detail/onnx_slicing.hpp>
#include <baton/transform/detail/onnx_transposed_convolution.hpp>

namespace baton::detail {

/// All rows (`legalization_row`), one list per family of operators.
inline constexpr legalization_row_list onnx_rows[] = {
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

/// The rows, indexed by the hash of the operator's name.
inline constexpr auto onnx_rows_by_hash = name_index<legalization_row>::of<onnx_rows>();

}  // namespace baton::detail
