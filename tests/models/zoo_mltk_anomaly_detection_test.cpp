// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// mltk_anomaly_detection, whose last reshape reads its shape from tfl.shape, tfl.strided_slice and tfl.pack. After passes, the portable
// kernels run all nodes, and the outputs match the reference; also if a backend computes a part.
#include <baton/baton.hpp>

#include "mltk_anomaly_detection.tflite.hpp"
#include "reference/difference.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr auto& model = baton::tflite::read<mltk_anomaly_detection_tflite>;
constexpr auto all = baton::passes<baton::fold_constants, baton::remove_no_ops, baton::fold_padding>;
constexpr auto transformed = baton::transform(model, all);
static_assert(model->nodes.size() == 17 && transformed->nodes.size() == 14);

baton::executor<transformed> net;

// A partitioner for the products of the model. Their delegate is run by an executor.
struct products {
  static constexpr auto partition(const baton::exported_program& program) -> baton::partition_result {
    auto tagged = baton::by_support<baton::executor_backend, baton::operator_names<"tfl.fully_connected">>::partition(program);
    baton::tag_constant_data(tagged, program);
    return tagged;
  }
};
constexpr auto lowered = baton::to_backend(baton::backends<baton::executor_backend>, transformed, products{});
static_assert(baton::delegates(lowered).size() == 1);
baton::executor<lowered> lowered_net;

/// Passes have the same effect after lowering: the chain of shape operators is not delegated, and is removed.
constexpr auto transformed_after = baton::transform(baton::to_backend(baton::backends<baton::executor_backend>, model, products{}), all);
static_assert(transformed_after->nodes.size() == lowered->nodes.size());
baton::executor<transformed_after> transformed_after_net;

auto zoo_file(const std::string& name) -> std::vector<char> {
  std::ifstream stream(std::string(BATON_SHARED_DIR) + "/zoo/mltk_anomaly_detection/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Checks float32 outputs within 1e-5 of the largest magnitude, for four recorded inputs.
template <class Net>
void check_outputs(Net& with) {
  for (int k = 0; k < 4; ++k) {
    const auto input = zoo_file("input_" + std::to_string(k) + ".bin"), output = zoo_file("output_" + std::to_string(k) + ".bin");
    REQUIRE(input.size() == with.input().size());
    REQUIRE(output.size() == with.output().size());
    std::memcpy(with.input().data(), input.data(), input.size());
    with.run();
    CHECK(reference::difference(true, with.output().data(), output.data(), output.size()) == "");
  }
}

}  // namespace

TEST_CASE("a transformed model matches the reference on kernels, on a backend, and if transformed after lowering") {
  check_outputs(net);
  check_outputs(lowered_net);
  check_outputs(transformed_after_net);
}

TEST_CASE("passes at run time return the same program and keep the debug handles of its nodes") {
  const auto bytes = zoo_file("mltk_anomaly_detection.tflite");
  const auto read = baton::tflite::read_bytes(bytes);
  const auto result = baton::transform(read, all);
  CHECK(baton::same(transformed, result));
  CHECK(
      baton::same(transformed_after, baton::transform(baton::to_backend(baton::backends<baton::executor_backend>, read, products{}), all)));
  const auto& reshape = result.nodes[12];
  CHECK(result.text(reshape.name) == "reshape_1");
  CHECK(reshape.debug_handle == read.nodes[15].debug_handle);
  CHECK(result.folded_handles(reshape).size() == 3);  // shape, strided_slice, pack
}
