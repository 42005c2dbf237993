// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The operators of ONNX and of ONNX Runtime's domain com.microsoft, as a dialect. Only the importer of ONNX files needs this header.
#pragma once

#include <baton/operators/detail/onnx_branching.hpp>
#include <baton/operators/detail/onnx_elementwise.hpp>
#include <baton/operators/detail/onnx_layers.hpp>
#include <baton/operators/detail/onnx_making.hpp>
#include <baton/operators/detail/onnx_quantized.hpp>
#include <baton/operators/detail/onnx_reshaping.hpp>
#include <baton/operators/detail/onnx_slicing.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/operator_dialect.hpp>

namespace baton::onnx {

namespace detail {
/// The operators of ONNX that the library knows, one list per family.
inline constexpr operator_list operator_families[] = {
    definitions::branching, definitions::making,    definitions::normalizations, definitions::pairwise, definitions::products,
    definitions::quantized, definitions::reshaping, definitions::slicing,        definitions::unary,    definitions::windowed,
};
}  // namespace detail

/// The operators of ONNX. A name is the prefix `onnx.` followed by the operator type, for example `onnx.Conv`. For other domains, the
/// domain precedes the type: `onnx.com.microsoft.QLinearAdd`. An operator that is not in the dialect is not supported by the importer,
/// unless the user defines it.
inline constexpr auto dialect = operator_dialect::of<detail::operator_families>();

}  // namespace baton::onnx
