// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The calls of Arm's driver: an accelerator is reserved for a run and released afterwards, even if the run fails.
#include <baton/backends/ethos_u/core_driver.hpp>
#include <baton/backends/ethos_u/backend.hpp>
#include <baton/backends/ethos_u/partitioner.hpp>
#include <baton/executor.hpp>
#include <baton/import/tflite.hpp>
#include <baton/lower/to_backend.hpp>

#include "backends/ethos_u/models.hpp"
#include "backends/ethos_u/simulated_driver.hpp"
#include "digits_vela.tflite.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace {

using npu = baton::ethos_u::backend<baton::ethos_u::u55_128, baton::ethos_u::core_driver>;
constexpr auto model = baton::tflite::read<digits_vela_tflite>;
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::ethos_u::partitioner<baton::ethos_u::u55_128>{});
baton::executor<lowered> net;

ethosu_driver only_one{};
bool has_driver = true;
bool fails = false;
std::string calls;

}  // namespace

extern "C" {

auto ethosu_reserve_driver() -> ethosu_driver* {
  calls += "reserve ";
  return has_driver ? &only_one : nullptr;
}
void ethosu_release_driver(ethosu_driver* driver) { calls += driver == &only_one ? "release" : "release of another"; }
auto ethosu_invoke_v3(ethosu_driver* driver, const void* payload, const int bytes, std::uint64_t* const bases, const std::size_t* sizes,
                      const int count, void* user_argument) -> int {
  calls += driver == &only_one && user_argument == &calls ? "invoke " : "invoke of another ";
  const auto bases_of_call = static_cast<std::size_t>(count);
  const auto code = ethos_u_tests::simulated_driver::invoke({{static_cast<const char*>(payload), static_cast<std::size_t>(bytes)},
                                                             {bases, bases_of_call},
                                                             {sizes, bases_of_call},
                                                             user_argument});
  return code == baton::status::ok && !fails ? 0 : -1;
}

}  // extern "C"

TEST_CASE("Arm's driver is called with its arguments, and released after every run") {
  const auto samples = ethos_u_tests::file_at(BATON_EXAMPLES_DIR "/digits/samples.bin");
  const auto expected = ethos_u_tests::file_at(BATON_EXAMPLES_DIR "/digits/expected.bin");
  const auto weights = baton::program_view(lowered.value()).data(baton::delegates(lowered)[0].named_data()[0].data);
  const ethos_u_tests::script scripts[] = {{weights, {samples.data(), 64}, {expected.data(), 10}}};
  ethos_u_tests::simulated_driver::scripts = scripts;
  net.options<npu>().user_argument = &calls;
  const auto run = [&] {
    calls.clear();
    std::memcpy(net.input<0>().data(), samples.data(), 64);
    return net.run();
  };
  CHECK(run() == baton::status::ok);
  CHECK(calls == "reserve invoke release");
  CHECK(std::equal(expected.begin(), expected.begin() + 10, net.output<0>().begin()));
  fails = true;
  CHECK(run() == baton::status::internal);
  CHECK(calls == "reserve invoke release");
  has_driver = false;
  CHECK(run() == baton::status::not_found);
  CHECK(calls == "reserve ");
}
