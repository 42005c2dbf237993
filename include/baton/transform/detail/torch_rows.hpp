// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The table of operators of torch.export that `legalize_torch` replaces.
#pragma once

#include <baton/operators/shared/name_index.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/torch_attention.hpp>
#include <baton/transform/detail/torch_comparisons.hpp>
#include <baton/transform/detail/torch_elementwise.hpp>
#include <baton/transform/detail/torch_images.hpp>
#include <baton/transform/detail/torch_layers.hpp>
#include <baton/transform/detail/torch_making.hpp>
#include <baton/transform/detail/torch_moves.hpp>
#include <baton/transform/detail/torch_normalization.hpp>
#include <baton/transform/detail/torch_quantization.hpp>
#include <baton/transform/detail/torch_recurrent.hpp>
#include <baton/transform/detail/torch_reductions.hpp>
#include <baton/transform/detail/torch_slicing.hpp>

namespace baton::detail {

/// All rows (`legalization_row`), one list per family of operators.
inline constexpr legalization_row_list torch_rows[] = {
    torch_attention, torch_comparisons,   torch_elementwise, torch_images,       torch_layers,    torch_making,
    torch_moves,     torch_normalization, torch_slicing,     torch_quantization, torch_recurrent, torch_reductions,
};

/// The rows, indexed by the hash of the operator's name.
inline constexpr auto torch_rows_by_hash = name_index<legalization_row>::of<torch_rows>();

}  // namespace baton::detail
