// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/legalize.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/remove_no_ops.hpp>
#include <baton/transform/transform.hpp>

#include "laws/pass.hpp"
#include "transform/qdq_builder.hpp"

#include <doctest/doctest.h>

#include <concepts>

namespace {

using namespace baton;

/// A sum between quantizations, and a reshape to the same shape.
template <bool IsForeign>
struct make_sum {
  constexpr auto operator()() const -> exported_program {
    qdq::net_builder net;
    const auto type = tensor(dtype::int8, 1, 4);
    const auto x = net.input("x", type, 0.5f, 3);
    const auto y = net.quantize("y", net.b.call("tfl.add", {x, x}, net.real(x)), 1, 0);
    const auto z = net.b.call("tfl.reshape", {y}, type);
    net.b.quantize(z, 1, 0);
    net.b.output(z);
    if (IsForeign) net.b.call("onnx.Identity", {x}, net.real(x));
    return net.b.finish();
  }
};

struct refuses {
  static constexpr std::string_view name = "refuses";
  static constexpr auto run(const program_view&) -> result<exported_program> { return broken<"malformed_operator">("not today"); }
};
/// A list of passes for programs of other formats. The first pass fails.
struct failing_list {
  static constexpr std::string_view name = "failing_list";
  using passes = pass_list<refuses, remove_no_ops>;
  static constexpr auto is_needed(const program_view& program) -> bool { return legalize::is_needed(program); }
  static constexpr auto run(const program_view& program) -> result<exported_program> {
    if (!is_needed(program)) return thaw(program);
    return passes::run(program);
  }
};

constexpr auto only_foreign_programs_change() -> bool {
  const auto own = make_sum<false>{}(), foreign = make_sum<true>{}();
  const auto result = legalize::run(foreign);
  return same(legalize::run(own).value, own) && result && qdq::has_operators(result.value, "baton.add tfl.reshape ") &&
         laws::pass::static_laws<legalize>(own) && laws::pass::static_laws<legalize>(foreign) && !legalize::is_needed(own);
}
static_assert(only_foreign_programs_change());

constexpr static_program<make_sum<false>> own{};
constexpr static_program<make_sum<true>> foreign{};
using list = pass_list<legalize, remove_no_ops>;

// A program that does not need the list adds no constant.
static_assert(std::same_as<decltype(transform(own, passes<legalize>)), static_program<make_sum<false>>>);
static_assert(std::same_as<decltype(transform(own, passes<failing_list, remove_no_ops>)), decltype(transform(own, passes<remove_no_ops>))>);
static_assert(std::same_as<decltype(transform(own, passes<legalize_onnx>)), static_program<make_sum<false>>>);
// Otherwise, each pass of the list that is needed is a stage.
static_assert(std::same_as<decltype(transform(foreign, passes<legalize, remove_no_ops>)),
                           decltype(transform(foreign, passes<legalize_onnx, shift_to_int8, fuse_activations, fold_scales,
                                                              fuse_quantization, remove_no_ops>))>);

constexpr auto is_the_same_at_compile_time_and_at_run_time() -> bool {
  return same(transform(foreign, list{}), transform(make_sum<true>{}(), list{})) && same(transform(own, list{}), list::run(own).value);
}
static_assert(is_the_same_at_compile_time_and_at_run_time());

}  // namespace

TEST_CASE("legalize changes programs with operators of other formats only") { CHECK(only_foreign_programs_change()); }
TEST_CASE("legalize is the same at compile time and at run time") { CHECK(is_the_same_at_compile_time_and_at_run_time()); }
TEST_CASE("a list that is not needed cannot fail") {
  CHECK(failing_list::run(own));
  CHECK(failing_list::run(foreign).error.is<"malformed_operator">());
}
