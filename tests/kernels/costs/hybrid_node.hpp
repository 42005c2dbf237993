// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Programs of one hybrid layer: float32 inputs and outputs, int8 weights.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include "kernels/layer.hpp"

namespace measured_node {

using namespace baton;

/// A hybrid layer. `L.is_int8` has no meaning.
template <one_layer::layer L>
struct hybrid_node {
  constexpr auto operator()() const -> exported_program {
    constexpr auto& weights = one_layer::symmetric_filter_bytes<L>;
    program_builder b;
    const auto x = b.user_input("x", one_layer::input_type(L, dtype::float32));
    const auto filter = b.parameter("filter", one_layer::filter_type(L, dtype::int8));
    b.at(filter).data = b.view({weights.data() + 1, weights.size() - 1});
    one_layer::quantize_filter(b, filter, L, [](int channel) { return L.filter_scale(channel); });
    b.output(one_layer::call_layer(b, L, {x, filter, none<value_id>}, dtype::float32, {"asymmetric_quantize_inputs", false}));
    return b.finish();
  }
};

}  // namespace measured_node
