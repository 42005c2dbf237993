// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The operators of ExecuTorch's files, as a dialect. Only the importer of these files needs this header.
#pragma once

#include <baton/operators/detail/executorch_cortex_m.hpp>
#include <baton/operators/detail/executorch_elementwise.hpp>
#include <baton/operators/detail/executorch_layers.hpp>
#include <baton/operators/detail/executorch_moves.hpp>
#include <baton/operators/detail/executorch_pieces.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/operator_dialect.hpp>

namespace baton::executorch {

namespace detail {
/// The operators of ExecuTorch's files that the library knows, one list per family.
inline constexpr operator_list operator_families[] = {definitions::cortex_m, definitions::elementwise, definitions::layers,
                                                      definitions::moves, definitions::pieces};
}  // namespace detail

/// The operators of ExecuTorch's files, in the namespaces `aten`, `cortex_m`, `quantized_decomposed` and `dim_order_ops`. Operators have
/// the same names as in the file, with dots, for example `aten.addmm.out`. An argument that only provides the memory of an output is not an
/// operand. An argument at position i that is not a tensor is the attribute `arg_<i>`. The sizes in a value's shape are in memory order. A
/// dimension order is the order of a tensor's dimensions in memory. If the dimension order of an operand or output is not the identity, the
/// attribute `dim_orders` has the dimension orders of all operands and outputs.
inline constexpr auto dialect = operator_dialect::of<detail::operator_families>();

}  // namespace baton::executorch
