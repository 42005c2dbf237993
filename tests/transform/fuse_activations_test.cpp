// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/fuse_activations.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include "laws/pass.hpp"
#include "transform/qdq_builder.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;

constexpr auto image = tensor(dtype::float32, 1, 4, 4, 2);

/// A sum, and clamps after it.
struct clamped_sum {
  qdq::net_builder net{};
  value_id sum{}, last{};

  constexpr explicit clamped_sum(const char* fused = "none", const char* op = "tfl.add") {
    const auto x = net.b.user_input("x", image);
    last = sum = net.b.call("sum", op, {x, x}, image, {{"fused_activation_function", fused}});
  }
  constexpr auto then(std::string_view op) -> clamped_sum& {
    last = net.b.call(op, {last}, image);
    return *this;
  }
  constexpr auto then(std::string_view op, float number) -> clamped_sum& {
    const auto scalar = net.scalar(number);
    last = net.b.call(op, {scalar, last}, image);
    return *this;
  }
  constexpr auto finish() -> exported_program {
    net.b.output(last);
    return net.b.finish();
  }
};

/// Whether all clamps become the fused activation `expected`, and the output keeps its name.
constexpr auto becomes(const exported_program& program, std::string_view expected) -> bool {
  const auto result = fuse_activations::run(program);
  const program_view view = result;
  const auto name_of_output = [](const program_view& of) { return of.text(of[of.outputs_of(of.root())[0].value].name); };
  return laws::pass::static_laws<fuse_activations>(program) && view.nodes.size() == 1 && name_of_output(view) == name_of_output(program) &&
         view.text(view.nodes[0], "fused_activation_function") == expected && view.nodes[0].debug_handle == 1 &&
         view.nodes[0].folded_handles.size == program.nodes.size() - 1 && view.values.size() == 2;
}
constexpr auto stays(const exported_program& program) -> bool {
  return same(fuse_activations::run(program), program) && laws::pass::static_laws<fuse_activations>(program);
}

constexpr auto clamps_with_a_name_are_fused() -> bool {
  return becomes(clamped_sum().then("tfl.relu").finish(), "relu") && becomes(clamped_sum().then("tfl.relu6").finish(), "relu6") &&
         becomes(clamped_sum().then("tfl.relu_n1_to_1").finish(), "relu_n1_to_1") &&
         becomes(clamped_sum().then("tfl.maximum", 0).finish(), "relu") &&
         becomes(clamped_sum().then("tfl.minimum", 6).then("tfl.maximum", 0).finish(), "relu6") &&
         becomes(clamped_sum().then("tfl.maximum", -1).then("tfl.minimum", 1).finish(), "relu_n1_to_1") &&
         becomes(clamped_sum().then("tfl.relu").then("tfl.minimum", 6).finish(), "relu6") &&
         becomes(clamped_sum("relu6").then("tfl.relu").finish(), "relu6") &&
         becomes(clamped_sum("none", "baton.add").then("tfl.relu").finish(), "relu");
}
static_assert(clamps_with_a_name_are_fused());

constexpr auto other_clamps_stay() -> bool {
  clamped_sum several, tagged;
  several.then("tfl.relu").net.b.output(several.sum);
  tagged.then("tfl.relu").net.b.latest_node().tag = tag_id{0};
  tagged.net.b.draft().tags.push_back({});
  return stays(clamped_sum().then("tfl.minimum", 6).finish()) && stays(clamped_sum().then("tfl.relu_0_to_1").finish()) &&
         stays(clamped_sum("relu_0_to_1").then("tfl.relu").finish()) &&
         stays(clamped_sum("none", "tfl.maximum").then("tfl.relu").finish()) && stays(several.finish()) && stays(tagged.finish()) &&
         stays(clamped_sum().finish());
}
static_assert(other_clamps_stay());

}  // namespace

TEST_CASE("clamps become the fused activation of the node before them") { CHECK(clamps_with_a_name_are_fused()); }
TEST_CASE("unnamed clamps, and clamps of values with several uses, are unchanged") { CHECK(other_clamps_stay()); }
