// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E61
// EXPECT: baton unknown_device: a target device is not a known device kind with an optional index, such as cuda:0; correct the compile spec
// EXPECT: executorch_call_delegate
// EXPECT: for_backend<baton::fixed_string<4>{"npu"}>
// EXPECT: gpu:0; the valid kinds are: cpu
#include <baton/compat/executorch/target_device.hpp>
#include <baton/lower/to_backend.hpp>

struct npu {
  static constexpr auto id = baton::name<"npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

struct everything {
  static constexpr auto partition(const baton::exported_program& program) -> baton::partition_result {
#if defined(FIXED)
    constexpr auto device = "cuda:0";
#else
    constexpr auto device = "gpu:0";
#endif
    baton::partition_result tagged(program);
    baton::delegation_spec spec{"npu"};
    spec.compile_specs.emplace_back("target_device", device);
    tagged.tag_node(baton::node_id{0}, tagged.add_tag("all", spec));
    return tagged;
  }
};

constexpr baton::static_program model{[] {
  baton::program_builder build;
  const auto type = baton::tensor(baton::dtype::int8, 4);
  build.output(build.call("test.fft", {build.user_input("x", type)}, type));
  return build.finish();
}};

static_assert(baton::require_target_devices<baton::to_backend(baton::backends<npu>, model, everything{})>());
