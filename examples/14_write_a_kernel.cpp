// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes a kernel for an operator of TensorFlow Lite that the portable kernels lack: checks, a table computed at compile time, and a fact
// for the memory planner.
#include <baton/baton.hpp>
#include <baton/kernel.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

// The output for each of the 256 inputs, and the number of elements.
struct table_plan {
  std::array<std::int8_t, 256> table{};
  std::int32_t count = 0;
};

struct cube_root {
  static constexpr baton::literal_name operators[] = {"tfl.stablehlo_cbrt"};

  // Evaluated at compile time: whether the node is supported, the plan, and the facts for the memory planner.
  static constexpr auto describe(const baton::program_view& program, const baton::node& record) -> baton::node_description<table_plan> {
    // The first demand that fails is the reason. Later reads of a failed check are harmless.
    baton::portable::node_check check{program, record};
    check.counts(1, 1);
    const auto in = check.input(0, "input"), out = check.output();
    check.demand(in.is_int8() && out.is_int8(), "input ", baton::facts(in.type).name, " and output are not both int8");
    check.demand(out.count == in.count, "output has ", out.count, " elements for ", in.count);
    const auto from = check.per_tensor(in, "input"), to = check.per_tensor(out, "output");
    table_plan plan{.count = in.count};
    for (int i = 0; i < 256; ++i) {
      const auto x = baton::dequantize(static_cast<std::int8_t>(i - 128), from.scale, from.zero_point);
      auto y = x;
      for (int step = 0; step < 40 && x != 0; ++step) y = (2 * y + x / (y * y)) / 3;  // Newton's method
      plan.table[static_cast<std::size_t>(i)] = baton::quantize<std::int8_t>(y, to.scale, to.zero_point);
    }
    // An element is written after it has been read, so the output may be stored on the input if nothing reads the input later.
    baton::kernel_facts facts;
    facts.operands[0].distance = {.ascending = 0};
    return {check.verdict_so_far(), plan, facts};
  }
  // Executed at run time. The plan is a constant of the node: its table is in read-only memory, and the loop has a constant bound.
  [[gnu::always_inline]] static void compute(const table_plan& plan, const baton::node_memory& at) {
    for (std::int32_t i = 0; i < plan.count; ++i) {
      const auto x = baton::portable::load<std::int8_t>(at.inputs[0], i);
      baton::portable::store(at.outputs[0], i, plan.table[static_cast<std::size_t>(x + 128)]);
    }
  }
};
static_assert(baton::kernel<cube_root>);

constexpr auto model_of(baton::dtype type) -> baton::exported_program {
  baton::program_builder build;
  const auto x = build.user_input("x", baton::tensor(type, 1, 4));
  const auto y = build.call("tfl.stablehlo_cbrt", {x}, baton::tensor(type, 1, 4));
  build.quantize(x, 1.0f / 16, 0);
  build.quantize(y, 1.0f / 64, 0);
  build.output(y);
  return build.finish();
}
constexpr auto model = baton::static_program{[] { return model_of(baton::dtype::int8); }};

// The kernel is in front of the default ones: the first that supports a node computes it.
baton::executor<model, baton::with_kernels<baton::kernels<cube_root> + baton::default_kernels>> net;

auto main() -> int {
  std::array<std::int8_t, 4> y{};
  net.run(std::array<std::int8_t, 4>{-64, -16, 16, 64}, y);
  std::printf("%d %d %d %d\n", y[0], y[1], y[2], y[3]);
  const auto other = model_of(baton::dtype::int16);
  const std::string reason{baton::view(baton::ask_kernel<cube_root>(other, other.nodes[0]).support.reason)};
  std::printf("%s\n", reason.c_str());
}

// Output:
// -102 -64 64 102
// input int16 and output are not both int8
