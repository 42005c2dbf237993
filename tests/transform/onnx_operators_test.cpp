// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Single operators of ONNX: refusals.
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/legalize_onnx.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <limits>
#include <string_view>

namespace {

using namespace baton;

constexpr auto f32 = dtype::float32;

/// True if the only node of a program, with one operand and one output, is refused for this reason. "": not refused.
constexpr auto is_refused(std::string_view op, const tensor_type& in, const tensor_type& out, std::initializer_list<named_literal> literals,
                          std::string_view reason) -> bool {
  program_builder b;
  b.output(b.call("y", op, {b.user_input("x", in)}, out, literals));
  const auto why = result<exported_program>{legalize_onnx::run(b.finish())}.error;
  return reason.empty() ? !why : why.is<"unsupported_operator">() && view(why.reason) == reason;
}

/// A negative alpha would make the result of negative numbers grow without bound, which `tfl.elu` cannot compute.
constexpr auto celu_requires_a_positive_alpha() -> bool {
  const auto has_reason = [](double alpha, std::string_view reason) {
    return is_refused("onnx.Celu", tensor(f32, 4), tensor(f32, 4), {{"alpha", alpha}}, reason);
  };
  return has_reason(-1.0, "alpha is not positive") && has_reason(0.0, "alpha is not positive") &&
         has_reason(std::numeric_limits<double>::quiet_NaN(), "alpha is not positive") && has_reason(0.5, "");
}
static_assert(celu_requires_a_positive_alpha());

}  // namespace

TEST_CASE("Celu requires a positive alpha") { CHECK(celu_requires_a_positive_alpha()); }
