// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The table of ExecuTorch's operators that `legalize_executorch` replaces.
#pragma once

#include <baton/operators/shared/name_index.hpp>
#include <baton/transform/detail/executorch_cortex_m.hpp>
#include <baton/transform/detail/executorch_elementwise.hpp>
#include <baton/transform/detail/executorch_functions.hpp>
#include <baton/transform/detail/executorch_images.hpp>
#include <baton/transform/detail/executorch_layers.hpp>
#include <baton/transform/detail/executorch_moves.hpp>
#include <baton/transform/detail/executorch_positions.hpp>
#include <baton/transform/detail/executorch_quantization.hpp>
#include <baton/transform/detail/executorch_slicing.hpp>
#include <baton/transform/detail/legalization_row.hpp>

namespace baton::detail {

/// All rows (`legalization_row`), one list per family of operators.
inline constexpr legalization_row_list executorch_rows[] = {
    executorch_cortex_m, executorch_elementwise, executorch_functions, executorch_images,       executorch_layers,
    executorch_moves,    executorch_slicing,     executorch_positions, executorch_quantization,
};

/// The rows, indexed by the hash of the operator's name.
inline constexpr auto executorch_rows_by_hash = name_index<legalization_row>::of<executorch_rows>();

}  // namespace baton::detail
