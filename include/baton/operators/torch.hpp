// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The operators of programs that torch.export saved, as a dialect. Only the importer of such programs needs this header.
#pragma once

#include <baton/operators/detail/torch_elementwise.hpp>
#include <baton/operators/detail/torch_layers.hpp>
#include <baton/operators/detail/torch_moves.hpp>
#include <baton/operators/detail/torch_pieces.hpp>
#include <baton/operators/detail/torch_reductions.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/operator_dialect.hpp>

namespace baton::torch {

namespace detail {
/// The operators of torch.export that the library knows, one list per family.
inline constexpr operator_list operator_families[] = {definitions::elementwise, definitions::layers, definitions::moves,
                                                      definitions::pieces, definitions::reductions};
}  // namespace detail

/// The operators of programs that torch.export saved, in the namespaces `aten` and `quantized_decomposed`. The dialect includes the
/// operators of an unmodified export, the core ATen operators, and the variants with the suffix `_copy`. No operator has side effects.
/// Operators have the same names as in the saved file, for example `aten.conv2d.default`. Tensors are operands, in the order of the
/// operator's schema; a list of tensors is several operands. An argument at position i of the schema that is not a tensor is the attribute
/// `arg_<i>`. An attribute that a file omits has the default of the schema.
inline constexpr auto dialect = operator_dialect::of<detail::operator_families>();

}  // namespace baton::torch
