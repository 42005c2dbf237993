// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The shared graphs of section 4.0 of the delegation specification, with their names.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <cstdint>

namespace conformance {

/// A callable without state for a graph, for `baton::static_program`.
template <auto Make>
struct make {
  constexpr auto operator()() const { return Make(); }
};

inline constexpr auto two_by_two = baton::tensor(baton::dtype::float32, 2, 2);

/// G-MMADD: a product and a sum, a difference, and again a product and a sum.
constexpr auto g_mmadd() -> baton::exported_program {
  baton::program_builder b;
  const auto a = b.user_input("a", two_by_two);
  const auto x = b.user_input("x", two_by_two);
  const auto addend = b.user_input("b", two_by_two);
  const auto mm = b.call("mm", "aten.mm.default", {a, x}, two_by_two);
  const auto add = b.call("add", "aten.add.Tensor", {mm, addend}, two_by_two);
  const auto sub = b.call("sub", "aten.sub.Tensor", {add, a}, two_by_two);
  const auto mm_1 = b.call("mm_1", "aten.mm.default", {sub, x}, two_by_two);
  b.output(b.call("add_1", "aten.add.Tensor", {mm_1, addend}, two_by_two));
  return b.finish();
}

/// G-SIN: one operator.
constexpr auto g_sin() -> baton::exported_program {
  baton::program_builder b;
  const auto one = baton::tensor(baton::dtype::float32, 1);
  const auto x = b.user_input("x", one);
  b.output(b.call("sin", "aten.sin.default", {x}, one));
  return b.finish();
}

/// G-CRT: the ConvReLUTan model.
constexpr auto g_crt() -> baton::exported_program {
  using enum baton::dtype;
  baton::program_builder b;
  const auto weight = b.parameter("conv1.weight", baton::tensor(float32, 16, 3, 3, 3));
  const auto bias = b.parameter("conv1.bias", baton::tensor(float32, 16));
  const auto weight_1 = b.parameter("conv2.weight", baton::tensor(float32, 32, 16, 3, 3));
  const auto bias_1 = b.parameter("conv2.bias", baton::tensor(float32, 32));
  const auto x = b.user_input("x", baton::tensor(float32, 4, 3, 64, 64));
  const auto conv = b.call("conv", "aten.convolution.default", {x, weight, bias}, baton::tensor(float32, 4, 16, 62, 62));
  const auto relu = b.call("relu", "aten.relu.default", {conv}, baton::tensor(float32, 4, 16, 62, 62));
  const auto conv_1 = b.call("conv_1", "aten.convolution.default", {relu, weight_1, bias_1}, baton::tensor(float32, 4, 32, 60, 60));
  const auto relu_1 = b.call("relu_1", "aten.relu.default", {conv_1}, baton::tensor(float32, 4, 32, 60, 60));
  b.output(b.call("tan", "aten.tan.default", {relu_1}, baton::tensor(float32, 4, 32, 60, 60)));
  return b.finish();
}

/// G-ADD3: adds a parameter and two non-persistent buffers, in this order.
constexpr auto g_add3() -> baton::exported_program {
  baton::program_builder b;
  const auto p_const3 = b.parameter("const3", two_by_two);
  const auto b_const1 = b.buffer("const1", two_by_two, {}, false);
  const auto b_const2 = b.buffer("const2", two_by_two, {}, false);
  const auto x = b.user_input("x", two_by_two);
  const auto add = b.call("add", "aten.add.Tensor", {x, b_const1}, two_by_two);
  const auto add_1 = b.call("add_1", "aten.add.Tensor", {add, b_const2}, two_by_two);
  b.output(b.call("add_2", "aten.add.Tensor", {add_1, p_const3}, two_by_two));
  return b.finish();
}

/// G-REUSE: a buffer with two users.
constexpr auto g_reuse() -> baton::exported_program {
  baton::program_builder b;
  const auto b_const = b.buffer("const", two_by_two, {}, false);
  const auto x = b.user_input("x", two_by_two);
  const auto add = b.call("add", "aten.add.Tensor", {x, b_const}, two_by_two);
  const auto sub = b.call("sub", "aten.sub.Tensor", {x, b_const}, two_by_two);
  b.output(add);
  b.output(sub);
  return b.finish();
}

/// G-MUT: a state that is incremented and read.
constexpr auto g_mut() -> baton::exported_program {
  baton::program_builder b;
  const auto state = b.mutable_buffer("my_state", two_by_two);
  const auto one = b.constant("lifted_tensor_0", two_by_two);
  const auto x = b.user_input("x", two_by_two);
  const auto add = b.call("add", "aten.add.Tensor", {x, state}, two_by_two);
  const auto add_1 = b.call("add_1", "aten.add.Tensor", {state, one}, two_by_two);
  b.mutation(add_1, "my_state");
  b.output(add);
  return b.finish();
}

/// G-MLP: a transposed weight and a product with a sum.
constexpr auto g_mlp() -> baton::exported_program {
  using enum baton::dtype;
  baton::program_builder b;
  const auto weight = b.parameter("weight", baton::tensor(float32, 1, 2));
  const auto bias = b.parameter("bias", baton::tensor(float32, 1));
  const auto inputs = b.user_input("inputs", baton::tensor(float32, 2, 2));
  constexpr std::int64_t dims[] = {1, 0};
  const auto permute = b.call("permute_copy", "aten.permute_copy.default", {weight}, baton::tensor(float32, 2, 1), {{"dims", dims}});
  b.output(b.call("addmm", "aten.addmm.default", {bias, inputs, permute}, baton::tensor(float32, 2, 1)));
  return b.finish();
}

/// G-SEQ: three differences, two products, five sums.
constexpr auto g_seq() -> baton::exported_program {
  baton::program_builder b;
  const auto x = b.user_input("x", two_by_two);
  const auto y = b.user_input("y", two_by_two);
  const auto z = b.user_input("z", two_by_two);
  const auto sub = b.call("sub", "aten.sub.Tensor", {x, x}, two_by_two);
  const auto sub_1 = b.call("sub_1", "aten.sub.Tensor", {y, y}, two_by_two);
  const auto sub_2 = b.call("sub_2", "aten.sub.Tensor", {z, z}, two_by_two);
  const auto mul = b.call("mul", "aten.mul.Tensor", {sub, sub_1}, two_by_two);
  const auto mul_1 = b.call("mul_1", "aten.mul.Tensor", {mul, sub_2}, two_by_two);
  const auto add = b.call("add", "aten.add.Tensor", {sub, mul_1}, two_by_two);
  const auto add_1 = b.call("add_1", "aten.add.Tensor", {add, sub_2}, two_by_two);
  const auto add_2 = b.call("add_2", "aten.add.Tensor", {add_1, mul_1}, two_by_two);
  const auto add_3 = b.call("add_3", "aten.add.Tensor", {add_2, sub_1}, two_by_two);
  b.output(b.call("add_4", "aten.add.Tensor", {add_3, mul_1}, two_by_two));
  return b.finish();
}

/// G-CONST: G-SEQ with a constant that a sum and a product share.
constexpr auto g_const() -> baton::exported_program {
  baton::program_builder b;
  const auto c_const = b.constant("const", two_by_two);
  const auto x = b.user_input("x", two_by_two);
  const auto y = b.user_input("y", two_by_two);
  const auto z = b.user_input("z", two_by_two);
  const auto sub = b.call("sub", "aten.sub.Tensor", {x, x}, two_by_two);
  const auto sub_1 = b.call("sub_1", "aten.sub.Tensor", {y, y}, two_by_two);
  const auto sub_2 = b.call("sub_2", "aten.sub.Tensor", {z, z}, two_by_two);
  const auto mul = b.call("mul", "aten.mul.Tensor", {sub, sub_1}, two_by_two);
  const auto mul_1 = b.call("mul_1", "aten.mul.Tensor", {mul, sub_2}, two_by_two);
  const auto mul_2 = b.call("mul_2", "aten.mul.Tensor", {mul_1, c_const}, two_by_two);
  const auto add = b.call("add", "aten.add.Tensor", {sub, c_const}, two_by_two);
  const auto add_1 = b.call("add_1", "aten.add.Tensor", {add, mul_2}, two_by_two);
  const auto add_2 = b.call("add_2", "aten.add.Tensor", {sub_2, mul_2}, two_by_two);
  const auto add_3 = b.call("add_3", "aten.add.Tensor", {add_2, add_1}, two_by_two);
  const auto add_4 = b.call("add_4", "aten.add.Tensor", {sub_1, mul_2}, two_by_two);
  b.output(b.call("add_5", "aten.add.Tensor", {add_4, add_3}, two_by_two));
  return b.finish();
}

/// G-COND: a choice between two branches, with nodes before, in and after it.
constexpr auto g_cond() -> baton::exported_program {
  using baton::tensor;
  using enum baton::dtype;
  baton::program_builder b;
  const auto c = b.constant("c", tensor(float32));
  const auto x = b.user_input("x", two_by_two);
  const auto y = b.user_input("y", two_by_two);
  const auto add = b.call("add", "aten.add.Tensor", {x, y}, two_by_two);
  const auto sel = b.call("sel", "aten.select_copy.int", {add}, tensor(float32, 2), {{"dim", 0}, {"index", 0}});
  const auto sel_1 = b.call("sel_1", "aten.select_copy.int", {sel}, tensor(float32), {{"dim", 0}, {"index", 0}});
  const auto eq = b.call("eq", "aten.eq.Tensor", {sel_1, c}, tensor(boolean));
  const auto on_true = b.add_graph("true_graph");
  {
    const auto a = b.user_input("x", two_by_two);
    const auto s = b.user_input("y", two_by_two);
    const auto sub = b.call("sub", "aten.sub.Tensor", {a, s}, two_by_two);
    const auto sum = b.call("add", "aten.add.Tensor", {sub, s}, two_by_two);
    b.output(b.call("sub_1", "aten.sub.Tensor", {sum, s}, two_by_two));
  }
  const auto on_false = b.add_graph("false_graph");
  {
    const auto a = b.user_input("x", two_by_two);
    const auto s = b.user_input("y", two_by_two);
    const auto sub = b.call("sub", "aten.sub.Tensor", {a, s}, two_by_two);
    const auto mm = b.call("mm", "aten.mm.default", {sub, s}, two_by_two);
    b.output(b.call("sub_1", "aten.sub.Tensor", {mm, s}, two_by_two));
  }
  b.enter(baton::graph_id{0});
  const auto chosen = b.call_many("cond", "cond", {eq, add, y}, {two_by_two}, {}, {on_true, on_false});
  b.output(b.call("sub", "aten.sub.Tensor", {chosen[0], y}, two_by_two));
  return b.finish();
}

/// G-MAP: a body over the steps of a stack; the second operand does not change.
constexpr auto g_map() -> baton::exported_program {
  constexpr auto stack = baton::tensor(baton::dtype::float32, 3, 2, 2);
  baton::program_builder b;
  const auto xs = b.user_input("xs", stack);
  const auto y = b.user_input("y", two_by_two);
  const auto mm = b.call("mm", "aten.mm.default", {y, y}, two_by_two);
  const auto body = b.add_graph("body_graph");
  {
    const auto x = b.user_input("x", two_by_two);
    const auto addend = b.user_input("y", two_by_two);
    const auto sub = b.call("sub", "aten.sub.Tensor", {x, addend}, two_by_two);
    b.output(b.call("add", "aten.add.Tensor", {sub, addend}, two_by_two));
  }
  b.enter(baton::graph_id{0});
  b.output(b.call_many("map", "map", {xs, mm}, {stack}, {{"mapped", 1}}, {body})[0]);
  return b.finish();
}

/// G-LSTM: a substitute for the models of an LSTM cell and a convolution.
constexpr auto g_lstm() -> baton::exported_program {
  using baton::tensor;
  using enum baton::dtype;
  constexpr auto row = tensor(float32, 1, 4);
  baton::program_builder b;
  const auto w1 = b.parameter("w1", tensor(float32, 4, 4));
  const auto w2 = b.parameter("w2", tensor(float32, 4, 4));
  const auto w3 = b.parameter("w3", tensor(float32, 1, 1, 1));
  const auto b3 = b.parameter("b3", tensor(float32, 1));
  const auto c_three = b.constant("three", tensor(float32));
  const auto x = b.user_input("x", row);
  const auto h = b.user_input("h", row);
  const auto c = b.user_input("c", row);
  const auto mm = b.call("mm", "aten.mm.default", {x, w1}, row);
  const auto mm_1 = b.call("mm_1", "aten.mm.default", {h, w2}, row);
  const auto add = b.call("add", "aten.add.Tensor", {mm, mm_1}, row);
  const auto t = b.call("t", "aten.tanh.default", {add}, row);
  const auto cn = b.call("cn", "aten.mul.Tensor", {t, c}, row);
  const auto out = b.call("out", "aten.sin.default", {cn}, row);
  const auto hn = b.call("hn", "aten.relu.default", {out}, row);
  const auto k = b.call("k", "aten.convolution.default", {out, w3, b3}, row);
  const auto a = b.call("a", "aten.sub.Tensor", {out, cn}, row);
  const auto second = b.call("b", "aten.sub.Tensor", {out, a}, row);
  const auto d = b.call("d", "aten.sub.Tensor", {out, second}, row);
  const auto add_1 = b.call("add_1", "aten.add.Tensor", {out, c_three}, row);
  b.output(b.call("e", "aten.mul.Tensor", {d, add_1}, row));
  b.output(hn);
  b.output(k);
  return b.finish();
}

}  // namespace conformance
