// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Transforms a model before it is lowered or run, with passes of the library and a user-defined one.
#include <baton/baton.hpp>

#include <array>
#include <cstdio>
#include <string_view>

// A pass has a name and returns a rewritten program. This one fuses a relu into the float32 sum before it.
struct fuse_relu {
  static constexpr std::string_view name = "fuse_relu";

  static constexpr auto run(const baton::program_view& program) -> baton::exported_program {
    baton::rewriter change(program);
    for (const auto id : change.nodes()) {
      const auto sum = change.producer_of(change.input(id, 0));
      if (!program[id].is("tfl.relu") || sum == baton::none<baton::node_id> || !program[sum].is("tfl.add")) continue;
      if (change.uses_of(change.input(id, 0)) != 1 || program[sum].tag != program[id].tag) continue;
      if (program[change.input(id, 0)].type != baton::dtype::float32) continue;  // int8 would skip one rounding
      if (program.text(program[sum], "fused_activation_function", "none") != "none") continue;
      change.set_attribute(sum, {"fused_activation_function", "relu"});
      change.erase(id);
      change.move_result(change.output(sum), change.output(id));  // the output keeps its name
    }
    return change.finish();
  }
};

// Converters write such models: a reshape to a shape that is computed, although it is constant.
constexpr auto model = baton::static_program{[] {
  constexpr auto row = baton::tensor(baton::dtype::float32, 1, 3);
  baton::program_builder build;
  const auto x = build.user_input("x", row);
  const auto shape = build.call("tfl.shape", {x}, baton::tensor(baton::dtype::int32, 2));
  const auto same = build.call("tfl.reshape", {x, shape}, row);
  build.output(build.call("tfl.relu", {build.call("tfl.add", {same, x}, row)}, row));
  return build.finish();
}};

// The result of each pass is verified. The transformed program can be lowered or run as any other.
constexpr auto transformed = baton::transform(model, baton::passes<baton::fold_constants, baton::remove_no_ops, fuse_relu>);
static_assert(model->nodes.size() == 4 && transformed->nodes.size() == 1);

baton::executor<transformed> net;

auto main() -> int {
  std::array<float, 3> y{};
  net.run(std::array{1.0f, -2.0f, 3.0f}, y);
  std::printf("%g %g %g\n", static_cast<double>(y[0]), static_cast<double>(y[1]), static_cast<double>(y[2]));
}

// Output:
// 2 0 6
