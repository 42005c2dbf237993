// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes a kernel for an operator of TensorFlow Lite that the portable kernels lack: its demands, and a table that the compiler makes.
#include <baton/baton.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>

struct cube_root {
  static constexpr auto supports(const baton::program_view& program, const baton::node& record) -> baton::verdict {
    if (!record.is("tfl.stablehlo_cbrt")) return baton::refuse();
    // The first demand that does not hold is the reason; what is asked behind it does no harm.
    baton::portable::node_check check{program, record};
    check.counts(1, 1);
    const auto in = check.input(0, "input"), out = check.output();
    check.demand(in.is_int8() && out.is_int8(), "input ", baton::facts(in.type).name, " and output are not both int8");
    check.demand(in.count == out.count, "output has ", out.count, " elements for ", in.count);
    check.per_tensor(in, "input");
    check.per_tensor(out, "output");
    return check.verdict_so_far();
  }
  // The cube root, by Newton's method, of each of the 256 inputs that there are, from scales and zero points, which are constants of the
  // node.
  static constexpr auto table_of(const baton::program_view& program, const baton::node& record) -> std::array<std::int8_t, 256> {
    const auto in = program[program.inputs(record)[0]].quant, out = program[program.outputs_of(record)[0]].quant;
    std::array<std::int8_t, 256> table{};
    for (int i = 0; i < 256; ++i) {
      const auto x = baton::dequantize(static_cast<std::int8_t>(i - 128), program.scale(in), program.zero_point(in));
      auto y = x;
      for (int step = 0; step < 40 && x != 0; ++step) y = (2 * y + x / (y * y)) / 3;
      table[static_cast<std::size_t>(i)] = baton::quantize<std::int8_t>(y, program.scale(out), program.zero_point(out));
    }
    return table;
  }
  template <class Call>
  static void run(const Call& call) {
    static constexpr auto table = table_of(Call::program(), Call::record());  // in read-only memory, one for each node
    constexpr auto count = static_cast<std::size_t>(baton::element_count(Call::program().shape(Call::output_id(0))));
    const char* from = call.template input<0>();
    char* to = call.template output<0>();
    for (std::size_t i = 0; i < count; ++i) {
      const auto x = static_cast<std::int8_t>(from[i]);
      to[i] = static_cast<char>(table[static_cast<std::size_t>(x + 128)]);
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

// The kernel stands in front of the portable ones: the first that supports a node computes it.
baton::executor<model, baton::kernels<cube_root> + baton::portable_kernels> net;

auto main() -> int {
  std::array<std::int8_t, 4> y{};
  net.run(std::array<std::int8_t, 4>{-64, -16, 16, 64}, y);
  std::printf("%d %d %d %d\n", y[0], y[1], y[2], y[3]);
  const auto other = model_of(baton::dtype::int16);
  const auto found = cube_root::supports(other, other.nodes[0]);
  std::printf("%.*s\n", static_cast<int>(found.reason.size()), found.reason.data());
}

// Output:
// -102 -64 64 102
// input int16 and output are not both int8
