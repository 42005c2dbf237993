// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unsupported_operators: a model uses operators that the importer does not know; export the model with other operators, or define the unknown ones (custom_operators)
// EXPECT: my.Blend (2), Wobble (1)
#include <baton/import/onnx.hpp>

// Three nodes from x to y: two of the operator `Blend` of the domain `my`, and one `Wobble`.
alignas(16) inline constexpr char bytes[] =
    "\010\010:f\012\021\012\001x\022\001a\042\005Blend:\002my\012\021\012\001a\022\001b\042\005Blend:\002my\012\016\012"
    "\001b\022\001y\042\006Wobble\022\004mainZ\023\012\001x\022\016\012\014\010\001\022\010\012\002\010\001\012\002\010"
    "\004b\023\012\001y\022\016\012\014\010\001\022\010\012\002\010\001\012\002\010\004B\004\012\000\020\021";

#if defined(FIXED)
constexpr baton::operator_definition mine[] = {
    {.name = "onnx.my.Blend", .infer = [](baton::inference& node) { node.set_output(0, node.operand(0)); }},
    {.name = "onnx.Wobble", .infer = [](baton::inference& node) { node.set_output(0, node.operand(0)); }}};
constexpr auto model = baton::onnx::read<bytes, baton::onnx::custom_operators<mine>>;
#else
constexpr auto model = baton::onnx::read<bytes>;
#endif
static_assert(model->graphs.size() < 2);
