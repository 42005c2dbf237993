// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/detail/inline_decoded.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/verify.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace {

using baton::detail::inline_decoded;

constexpr auto type = baton::tensor(baton::dtype::int8, 2);

/// A branch calls a delegate twice. The delegate adds a constant. The importer decoded the delegate if `is_decoded` is set. The root graph
/// returns the result. The operand of the first call has the scale `scale`, if `scale` is not 0; the operand of the delegate has 0.5.
constexpr auto with_branch(bool is_decoded, float scale = 0) -> baton::exported_program {
  baton::program_builder b;
  const auto condition = b.user_input("p", baton::tensor(baton::dtype::boolean)), x = b.user_input("x", type);
  const auto part = b.add_graph("lowered_module_0");
  const auto inner = b.user_input("inner", type), weight = b.parameter("w", type, std::string_view{"ab"});
  b.quantize(inner, 0.5f, 0);
  b.output(b.call("sum", "tfl.add", {inner, weight}, type, {{"fused_activation_function", "none"}}));
  b.draft().delegates.push_back({.backend_id = b.own("XnnpackBackend"), .original = part});
  const auto call = [&](std::string_view name, baton::value_id in) {
    const auto out = b.call(name, baton::call_delegate.text, {in}, type, {{"decoded", is_decoded ? 1 : 0}});
    b.latest_node().delegate = baton::delegate_id{0};
    return out;
  };
  const auto first = b.add_graph("first");
  const auto input = b.user_input("given", type);
  if (scale != 0) b.quantize(input, scale, 0);
  b.output(call("twice", call("once", input)));
  const auto second = b.add_graph("second");
  b.output(b.user_input("other", type));
  b.enter(baton::graph_id{0});
  b.output(b.call_many("choice", "cond", {condition, x}, {type}, {}, {first, second})[0]);
  return b.finish();
}
constexpr auto contains(const baton::text_buffer& text, std::string_view part) -> bool {
  return baton::view(text).find(part) != std::string_view::npos;
}
constexpr auto calls_are_replaced() -> bool {
  const auto program = with_branch(true);
  const auto result = inline_decoded::run(program);
  if (baton::verify(program) || !result || baton::verify(result.value)) return false;
  const auto text = baton::print(result.value);
  const auto kept = with_branch(false);
  return result.value.delegates.empty() && result.value.nodes.size() == 3 &&
         contains(text, "%once = call_function[target=tfl.add](%given") && contains(text, "%twice = call_function[target=tfl.add](%once") &&
         contains(text, "return (%twice,)") && !inline_decoded::is_needed(result.value) && !inline_decoded::is_needed(kept) &&
         baton::same(inline_decoded::run(kept).value, kept);
}
constexpr auto other_scales_are_refused() -> bool {
  return inline_decoded::run(with_branch(true, 0.5f)) && inline_decoded::run(with_branch(true, 0.25f)).error.is<"unsupported_operator">();
}
static_assert(other_scales_are_refused());

/// True if `inline_decoded` removes the tag of all nodes and values of a program. Programs without decoded delegates keep it.
constexpr auto removes_tags(bool is_decoded) -> bool {
  auto program = with_branch(is_decoded);
  program.tags.push_back({.name = baton::own_bytes(program, "tag0")});
  for (auto& record : program.nodes) record.tag = baton::tag_id{0};
  for (auto& record : program.values) record.tag = record.kind == baton::value_kind::parameter ? baton::tag_id{0} : record.tag;
  const auto result = inline_decoded::run(program);
  if (!is_decoded) return !baton::same(result.value, program);
  const auto has_tag = [](const auto& record) { return record.tag != baton::none<baton::tag_id>; };
  return result && result.value.tags.empty() && std::none_of(result.value.nodes.begin(), result.value.nodes.end(), has_tag) &&
         std::none_of(result.value.values.begin(), result.value.values.end(), has_tag);
}
static_assert(removes_tags(true) && !removes_tags(false));

/// A quantization of two channels.
struct channels {
  std::int32_t axis = 0;
  std::int64_t zero_point = 0;  ///< of the second channel; the first one has 0
  bool has_zero_points = true;
  float scale = 0.25f;  ///< of the second channel
};

/// Whether the call of a decoded delegate is replaced if its operand and the input of the delegate have these quantizations.
constexpr auto is_replaced(const channels& operand, const channels& inner) -> bool {
  baton::program_builder b;
  const auto add_input = [&](std::string_view name, const channels& quantization) {
    const auto input = b.user_input(name, baton::tensor(baton::dtype::int8, 2, 2));
    const float scales[] = {0.5f, quantization.scale};
    const std::int64_t zero_points[] = {0, quantization.zero_point};
    b.quantize(input, scales, zero_points, quantization.axis);
    if (!quantization.has_zero_points) b.at(input).quant.zero_points = {};
    return input;
  };
  const auto part = b.add_graph("lowered_module_0");
  b.output(b.call("double", "my.op", {add_input("inner", inner)}, baton::tensor(baton::dtype::int8, 2, 2)));
  b.enter(baton::graph_id{0});
  b.draft().delegates.push_back({.backend_id = b.own("XnnpackBackend"), .original = part});
  b.output(b.call("call", baton::call_delegate.text, {add_input("x", operand)}, baton::tensor(baton::dtype::int8, 2, 2), {{"decoded", 1}}));
  b.latest_node().delegate = baton::delegate_id{0};
  const auto result = inline_decoded::run(b.finish());
  return result && !baton::verify(result.value);
}
constexpr auto quantizations_are_compared_by_meaning() -> bool {
  return is_replaced({}, {}) && is_replaced({}, {.has_zero_points = false}) && is_replaced({.has_zero_points = false}, {}) &&
         is_replaced({.zero_point = 3}, {.zero_point = 3}) && !is_replaced({.zero_point = 3}, {.has_zero_points = false}) &&
         !is_replaced({.has_zero_points = false}, {.zero_point = 3}) && !is_replaced({.zero_point = 3}, {}) &&
         !is_replaced({}, {.scale = 0.5f}) && !is_replaced({.axis = 1}, {}) && is_replaced({.axis = 1}, {.axis = 1});
}
static_assert(quantizations_are_compared_by_meaning());

static_assert(calls_are_replaced());

}  // namespace

TEST_CASE("calls of decoded delegates are replaced by their original graphs, in branches, too") {
  CHECK(calls_are_replaced());
  CHECK(other_scales_are_refused());
}

TEST_CASE("tags are removed if a call of a decoded delegate is replaced, and kept otherwise") {
  CHECK(removes_tags(true));
  CHECK_FALSE(removes_tags(false));
}

TEST_CASE("an operand of a decoded delegate may have an absent zero point instead of 0, but no other axis") {
  CHECK(quantizations_are_compared_by_meaning());
}
