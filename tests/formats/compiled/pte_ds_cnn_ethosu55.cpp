// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// pte_ds_cnn_ethosu55: two delegates for an Ethos-U55 that ExecuTorch lowered, with a pool between them, on a simulated accelerator.
// The recorded outputs are those of the network before lowering, because ExecuTorch cannot run the delegates without the accelerator.
#include <baton/backends/ethos_u/backend.hpp>
#include <baton/backends/ethos_u/partitioner.hpp>
#include <baton/baton.hpp>

#include "backends/ethos_u/simulated_driver.hpp"
#include "formats/pte_case.hpp"
#include "model.pte.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using namespace std::string_view_literals;
using ethos_u::u55_128;
using ethos_u_tests::simulated_driver;

using npu = ethos_u::backend<u55_128, simulated_driver>;
constexpr auto imported = read_model<pte_ds_cnn_ethosu55>;
constexpr auto model = baton::transform(imported, baton::default_passes);
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::ethos_u::partitioner<baton::ethos_u::u55_128>{});
baton::executor<lowered> net;

static_assert(delegates(imported).size() == 2 && delegates(imported)[1].backend_id() == "EthosUBackend");
static_assert(delegates(lowered)[0].delegate_info() == "ethos-u55-128, 2308 bytes of commands, 10656 of weights, 10096 of scratch");
static_assert(delegates(lowered)[1].delegate_info() == "ethos-u55-128, 296 bytes of commands, 592 of weights, 48 of scratch");
static_assert(executor<lowered>::arena_bytes == 14096);

/// The bytes of the block `name` in the processed bytes of a delegate of the file.
auto block(std::size_t delegate, std::string_view name) -> span<const char> {
  const auto bytes = delegates(imported)[delegate].processed_bytes();
  const auto at = bytes.find(name);
  std::uint32_t size = 0;
  std::memcpy(&size, bytes.data() + at + 16, 4);
  return {bytes.data() + at + 32, size};
}
/// Quantizes as `quantized_decomposed::quantize_per_tensor` does.
auto quantized_bytes(span<const char> reals, double scale, int zero_point) -> std::array<char, 512> {
  std::array<char, 512> result{};
  for (std::size_t i = 0; 4 * i < reals.size(); ++i) {
    float real = 0;
    std::memcpy(&real, reals.data() + 4 * i, 4);
    const auto number = std::nearbyint(real * static_cast<float>(1 / scale)) + static_cast<float>(zero_point);
    result[i] = static_cast<char>(std::clamp(number, -128.0F, 127.0F));
  }
  return result;
}

}  // namespace

TEST_CASE("pte_ds_cnn_ethosu55: the accelerator receives commands, weights and inputs, and the program returns its outputs") {
  const formats::pte_case golden(std::string(BATON_SHARED_DIR) + "/formats/pte_ds_cnn_ethosu55");
  // Every channel is constant, so its mean, which is the input of the second delegate, is known.
  std::array<char, 4000> features{};
  std::array<char, 32> means{};
  for (std::size_t i = 0; i < 4000; ++i) features[i] = means[i / 125] = static_cast<char>(i / 125 * 7 % 256 - 100);
  for (int k = 0; k < 4; ++k) {
    CAPTURE(k);
    const auto input = golden.input(k), output = golden.output(k);
    const auto quantized_input = quantized_bytes({input.data(), input.size()}, 0.007740721572190523, 0);
    const auto scores = quantized_bytes({output.data(), output.size()}, 0.011244059540331364, 15);
    const ethos_u_tests::script scripts[] = {{block(0, "weight_data"), {quantized_input.data(), 490}, {features.data(), 4000}, 0},
                                             {block(1, "weight_data"), {means.data(), 32}, {scores.data(), 12}, 0}};
    simulated_driver::scripts = scripts;
    REQUIRE(input.size() == net.input().size());
    std::memcpy(net.input().data(), input.data(), input.size());
    CHECK(net.run() == status::ok);
    CHECK(simulated_driver::fault == "");
    CHECK(std::equal(output.begin(), output.end(), net.output().data(), net.output().data() + net.output().size()));
  }
  CHECK(simulated_driver::runs == 8);
}
