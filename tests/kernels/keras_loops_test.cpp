// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Loops that store an item in each iteration (tests/kernels/loops/make.py) have the outputs of TensorFlow Lite's reference kernels.
#include <baton/core/program.hpp>
#include <baton/import/tflite.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/operators/verify.hpp>

#include "nodes/check_family.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <span>
#include <string>

namespace {

using namespace baton;

// The kernels of the models, because a list of all kernels takes longer to compile.
constexpr kernel_list<portable::fully_connected, portable::pairwise, portable::detail::comparison, portable::reshape,
                      portable::detail::lookup, portable::detail::unary, portable::detail::move_elements, portable::detail::join_parts,
                      portable::detail::split_parts, portable::detail::gather, portable::detail::dynamic_update_slice,
                      portable::detail::reduce, portable::detail::shape_of>
    loop_kernels{};

}  // namespace

TEST_CASE("loops of Keras and of tf.map_fn that store an item in each iteration match TensorFlow Lite") {
  // With separate memory for each value, because this interpreter does not place the values of a loop as a plan does.
  for (const std::string name : {"gru", "simple_rnn_backwards", "map_rows", "map_scalars"}) {
    CAPTURE(name);
    const auto path = std::string(BATON_NODES_DIR) + "/../kernels/loops/" + name;
    const auto model = nodes::file(path + ".tflite");
    const auto golden = nodes::file(path + ".golden");
    const auto program = tflite::read_bytes(model);
    const program_view view(program);
    REQUIRE_FALSE(verify(view));
    nodes::interpreter runner(view);
    std::size_t inferences = 0;
    for (std::span<const char> left = golden; !left.empty(); ++inferences) {
      const auto size = nodes::input_bytes_of(view);
      REQUIRE(size <= left.size());
      const nodes::bytes input(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(size));
      left = left.subspan(size);
      left = left.subspan(nodes::check_run(runner, view, loop_kernels, input, left));
    }
    CHECK(inferences == 3);
  }
}
