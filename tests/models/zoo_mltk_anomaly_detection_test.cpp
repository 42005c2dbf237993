// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// mltk_anomaly_detection, whose last reshape takes its shape from tfl.shape, tfl.strided_slice and tfl.pack: transformed, the portable
// kernels run all of it, and the outputs are the reference's; so are those of what a backend computes of it.
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

// The products of the model as a delegate, whose graph the executor runs.
struct products {
  static constexpr auto partition(const baton::exported_program& program) -> baton::partition_result {
    auto tagged = baton::by_support<baton::executor_backend, baton::operator_names<"tfl.fully_connected">>::partition(program);
    baton::tag_constant_data(tagged, program);
    return tagged;
  }
};
constexpr auto lowered = baton::to_backend(baton::backends<baton::executor_backend>, transformed, products{});
static_assert(baton::delegates(lowered).size() == 1);
baton::executor<lowered> net_of_lowered;

/// After lowering as before: the chain stands outside the delegates, and goes.
constexpr auto transformed_after = baton::transform(baton::to_backend(baton::backends<baton::executor_backend>, model, products{}), all);
static_assert(transformed_after->nodes.size() == lowered->nodes.size());
baton::executor<transformed_after> net_transformed_after;

auto zoo_file(const std::string& name) -> std::vector<char> {
  std::ifstream stream(std::string(BATON_SHARED_DIR) + "/zoo/mltk_anomaly_detection/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// float32 within 1e-5 of the largest magnitude, on four recorded inputs.
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

TEST_CASE("a transformed model gives the reference's outputs, by kernels, by a backend, and transformed when it was lowered") {
  check_outputs(net);
  check_outputs(net_of_lowered);
  check_outputs(net_transformed_after);
}

TEST_CASE("the same passes at run time make the same program, whose nodes have the handles that they had") {
  const auto bytes = zoo_file("mltk_anomaly_detection.tflite");
  const auto read = baton::tflite::read_bytes(bytes);
  const auto made = baton::transform(read, all);
  CHECK(baton::same(transformed, made));
  CHECK(
      baton::same(transformed_after, baton::transform(baton::to_backend(baton::backends<baton::executor_backend>, read, products{}), all)));
  const auto& reshape = made.nodes[12];
  CHECK(made.text(reshape.name) == "reshape_1");
  CHECK(reshape.debug_handle == read.nodes[15].debug_handle);
  CHECK(made.folded_handles(reshape).size() == 3);  // shape, strided_slice, pack
}
