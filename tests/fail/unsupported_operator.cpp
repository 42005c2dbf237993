// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unsupported_operator: a node cannot be replaced by operators that the kernels support; see the reason, and change the model or add a legalization of the operator
// EXPECT: pass legalize_onnx: no
// EXPECT: at_node<0, baton::fixed_string<5>{"node"}>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/legalize_onnx.hpp>
#include <baton/transform/transform.hpp>

#include <string_view>

constexpr auto with(std::string_view op) -> baton::exported_program {
  baton::program_builder b;
  const auto type = baton::tensor(baton::dtype::float32, 2);
  b.output(b.call("node", op, {b.user_input("x", type)}, type));
  return b.finish();
}
constexpr auto known = baton::static_program{[] { return with("onnx.Relu"); }};
constexpr auto unknown = baton::static_program{[] { return with("onnx.NoSuchOperator"); }};
#if defined(FIXED)
constexpr auto result = baton::transform(known, baton::passes<baton::legalize_onnx>);
#else
constexpr auto result = baton::transform(unknown, baton::passes<baton::legalize_onnx>);
#endif
static_assert(result->nodes.size() == 1);
