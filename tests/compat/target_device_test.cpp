// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Device names of compile specs.
#include <baton/compat/executorch/target_device.hpp>
#include <baton/core/builder.hpp>
#include <baton/lower/to_backend.hpp>

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

constexpr auto is(std::string_view text, device_kind kind, std::uint32_t number) -> bool {
  const auto device = read_device(text);
  return device && device.value == target_device{kind, number};
}
constexpr auto is_refused(std::string_view text) -> bool { return read_device(text).error.is<"unknown_device">(); }

constexpr auto devices_are_read() -> bool {
  return is("cpu", device_kind::cpu, 0) && is("CUDA:1", device_kind::cuda, 1) && is("Cuda", device_kind::cuda, 0) &&
         is("cuda:10", device_kind::cuda, 10);
}
static_assert(devices_are_read());

constexpr auto others_are_refused_with_the_valid_ones() -> bool {
  return is_refused("gpu:0") && is_refused("") && is_refused("cuda:") && is_refused("cuda:x") && is_refused("cud") && is_refused("cuda0") &&
         is_refused("cuda:99999") && view(read_device("gpu:0").error.reason) == "gpu:0; the valid kinds are: cpu cuda";
}
static_assert(others_are_refused_with_the_valid_ones());

struct device_backend {
  static constexpr auto id = name<"device_backend">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};
constexpr auto lowered_for(std::string_view device) -> exported_program {
  program_builder build;
  const auto one = tensor(dtype::float32, 1);
  build.output(build.call("aten.sin.default", {build.user_input("x", one)}, one));
  struct everything {
    std::string_view device;
    constexpr auto partition(const exported_program& program) const -> partition_result {
      partition_result tagged(program);
      delegation_spec spec{"device_backend"};
      spec.compile_specs.emplace_back("target_device", device);
      tagged.tag_node(node_id{0}, tagged.add_tag("all", spec));
      return tagged;
    }
  };
  return to_backend(backends<device_backend>, build.finish(), everything{device});
}
constexpr auto a_delegate_with_an_unknown_device_is_named() -> bool {
  const auto good = lowered_for("cuda:1");
  const auto devices = target_devices_of(good);
  const auto none = target_devices_of(lowered_for("gpu"));
  return devices && devices.value.size() == 1 && devices.value[0] == target_device{device_kind::cuda, 1} &&
         target_device_of(delegates(good)[0]).value == devices.value[0] && none.error.is<"unknown_device">() &&
         view(none.error.node_name) == "executorch_call_delegate" && view(none.error.backend) == "device_backend";
}
static_assert(a_delegate_with_an_unknown_device_is_named());

}  // namespace

TEST_CASE("target devices are read by name, and an unknown name is refused") {
  CHECK(devices_are_read());
  CHECK(others_are_refused_with_the_valid_ones());
  CHECK(a_delegate_with_an_unknown_device_is_named());
}
