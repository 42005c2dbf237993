// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Recurrent layers of Keras that return all steps (tests/kernels/loops/make.py) have the outputs of TensorFlow Lite's reference kernels.
#include <baton/kernels/kernels.hpp>

#include "nodes/check_family.hpp"

#include <doctest/doctest.h>

namespace {

using namespace baton;

// The kernels of the layers, because a list of all kernels takes longer to compile.
constexpr kernel_list<portable::fully_connected, portable::pairwise, portable::detail::comparison, portable::reshape,
                      portable::detail::lookup, portable::detail::unary, portable::detail::move_elements, portable::detail::join_parts,
                      portable::detail::split_parts, portable::detail::gather, portable::detail::dynamic_update_slice>
    layer_kernels{};

}  // namespace

TEST_CASE("recurrent layers of Keras that return all steps match TensorFlow Lite") {
  nodes::check_family("../kernels/loops", layer_kernels);
}
