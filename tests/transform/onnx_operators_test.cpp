// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Single operators of ONNX: refusals, scales, and nodes of other dialects.
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/verify.hpp>
#include <baton/transform/legalize_onnx.hpp>

#include <doctest/doctest.h>

#include <cstdint>
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

/// Before operator set 11, the bounds of Clip are attributes. They must not be ignored for the other real types.
constexpr auto bounds_that_are_attributes_are_not_ignored() -> bool {
  const auto has_reason = [](dtype type, std::initializer_list<named_literal> bounds, std::string_view reason) {
    return is_refused("onnx.Clip", tensor(type, 4), tensor(type, 4), bounds, reason);
  };
  return has_reason(f32, {{"min", 0.0}, {"max", 6.0}}, "") && has_reason(dtype::float16, {}, "") &&
         has_reason(dtype::float16, {{"min", 0.0}, {"max", 6.0}}, "attributes min and max for elements of float16 are not supported") &&
         has_reason(dtype::float64, {{"max", 6.0}}, "attributes min and max for elements of float64 are not supported");
}
static_assert(bounds_that_are_attributes_are_not_ignored());

/// Before operator set 11, the padding and its value are attributes.
constexpr auto padding_values_that_are_attributes_are_not_ignored() -> bool {
  const auto has_reason = [](dtype type, double value, std::string_view reason) {
    constexpr std::int64_t pads[] = {1, 1};
    return is_refused("onnx.Pad", tensor(type, 4), tensor(type, 6), {{"pads", pads}, {"value", value}}, reason);
  };
  return has_reason(f32, 1.5, "") && has_reason(dtype::float16, 0.0, "") &&
         has_reason(dtype::float16, 1.5, "the attribute value for elements of float16 is not supported");
}
static_assert(padding_values_that_are_attributes_are_not_ignored());

constexpr auto real_constants_are_float32() -> bool {
  const auto reason = [](dtype type, const char* name) {
    program_builder b;
    const auto shape = b.constant("shape", tensor(dtype::int64, 1), span{"\2\0\0\0\0\0\0", 8});
    b.output(b.call("y", "onnx.ConstantOfShape", {shape}, tensor(type, 2), {{"value", 1.5}, {"value_type", name}}));
    return join(view(result<exported_program>{legalize_onnx::run(b.finish())}.error.reason));
  };
  return view(reason(dtype::float64, "float64")) == "elements of float64 are not supported" && view(reason(f32, "float32")).empty();
}
static_assert(real_constants_are_float32());

constexpr auto blocks_have_all_their_channels() -> bool {
  const auto has_reason = [](std::int64_t channels, const char* mode, std::string_view reason) {
    return is_refused("onnx.DepthToSpace", tensor(f32, 1, channels, 2, 2), tensor(f32, 1, channels / 4, 4, 4),
                      {{"blocksize", 2}, {"mode", mode}}, reason);
  };
  constexpr auto wrong = "the 6 channels are not a multiple of 4, the square of the block size";
  return has_reason(6, "CRD", wrong) && has_reason(6, "DCR", wrong) && has_reason(8, "CRD", "") && has_reason(8, "DCR", "");
}
static_assert(blocks_have_all_their_channels());

/// True if a Resize from 2 x 2 to 4 x 4 pixels is refused for this reason.
constexpr auto is_resize_refused(std::initializer_list<named_literal> literals, std::string_view reason) -> bool {
  return is_refused("onnx.Resize", tensor(f32, 1, 3, 2, 2), tensor(f32, 1, 3, 4, 4), literals, reason);
}
constexpr auto unknown_texts_of_resize_are_refused() -> bool {
  for (const auto* const rounding : {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}) {
    if (!is_resize_refused({{"mode", "nearest"}, {"nearest_mode", rounding}}, "")) return false;
  }
  for (const auto* const coordinates : {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric"}) {
    for (const auto* const mode : {"nearest", "linear"}) {
      if (!is_resize_refused({{"mode", mode}, {"coordinate_transformation_mode", coordinates}}, "")) return false;
    }
  }
  return is_resize_refused({}, "") && is_resize_refused({{"mode", "linear"}}, "") &&
         is_resize_refused({{"nearest_mode", "round"}}, "nearest_mode round is not supported") &&
         is_resize_refused({{"mode", "nearest"}, {"nearest_mode", "Floor"}}, "nearest_mode Floor is not supported") &&
         is_resize_refused({{"mode", "cubic"}}, "mode cubic is not supported") &&
         is_resize_refused({{"coordinate_transformation_mode", "tf_crop_and_resize"}},
                           "coordinates tf_crop_and_resize are not supported") &&
         is_resize_refused({{"coordinate_transformation_mode", "tf_half_pixel_for_nn"}},
                           "coordinates tf_half_pixel_for_nn are not supported") &&
         is_resize_refused({{"mode", "linear"}, {"coordinate_transformation_mode", "pixel"}}, "coordinates pixel are not supported");
}
static_assert(unknown_texts_of_resize_are_refused());

/// The scale of a bias of QGemm is the product of alpha and the scales of both matrices.
constexpr auto alpha_scales_the_bias() -> bool {
  const auto has_scale = [](float expected, std::initializer_list<named_literal> literals) {
    program_builder b;
    const auto half = b.constant("half", tensor(f32), span{"\0\0\0\x3f", 4});
    const auto zero = b.constant("zero", tensor(dtype::int8), span{"\0", 1});
    const auto w = b.parameter("w", tensor(dtype::int8, 2, 1), span{"\1\2", 2});
    const auto bias = b.parameter("c", tensor(dtype::int32, 1), span{"\x8\0\0\0", 4});
    b.output(b.call("y", "onnx.com.microsoft.QGemm", {b.user_input("x", tensor(dtype::int8, 1, 2)), half, zero, w, half, zero, bias},
                    tensor(f32, 1, 1), literals));
    const result<exported_program> legalized = legalize_onnx::run(b.finish());
    const program_view program = legalized.value;
    for (const auto& record : program.values) {
      if (record.type != dtype::int32 || record.quant.channels != 1) continue;
      return program.scale(record.quant) == expected;
    }
    return false;
  };
  return has_scale(0.25F, {}) && has_scale(0.125F, {{"alpha", 0.5}});
}
static_assert(alpha_scales_the_bias());

/// Positions of elements, which count from the end if they are negative.
constexpr auto positions_of_elements_are_inside() -> bool {
  const auto has_reason = [](const tensor_type& type, std::int64_t position, std::string_view reason) {
    program_builder b;
    const auto x = b.user_input("x", tensor(f32, 2, 3));
    text_buffer bytes;
    for (std::int64_t i = 0; i < element_count(type.shape()); ++i) append_little_endian(bytes, static_cast<std::uint64_t>(position), 8);
    const auto positions = b.constant("positions", type, bytes);
    b.output(b.call("y", "onnx.GatherElements", {x, positions}, tensor(f32, type.sizes[0], type.sizes[1]), {{"axis", 1}}));
    return view(result<exported_program>{legalize_onnx::run(b.finish())}.error.reason) == reason;
  };
  const auto row = tensor(dtype::int64, 1, 2);
  return has_reason(row, 2, "") && has_reason(row, -3, "") && has_reason(row, 3, "position 3 is not inside a dimension of size 3") &&
         has_reason(row, -4, "position -4 is not inside a dimension of size 3") && has_reason(tensor(dtype::int64, 2, 4), 0, "") &&
         has_reason(tensor(dtype::int64, 3, 2), 0, "dimension 0 of the positions is 3, but that of the tensor is 2");
}
static_assert(positions_of_elements_are_inside());

/// A node of another dialect that has no outputs, such as a call of a delegate that only changes states, reads an image in the layout of
/// the file.
constexpr auto nodes_without_outputs_are_kept() -> bool {
  program_builder b;
  const std::int64_t two[] = {2, 2};
  const auto pool = b.call("pool", "onnx.MaxPool", {b.user_input("x", tensor(f32, 1, 3, 4, 4))}, tensor(f32, 1, 3, 2, 2),
                           {{"kernel_shape", span{two}}, {"strides", span{two}}});
  // The first user of the image, for which the image is transposed. The operand after its empty list of outputs is omitted.
  static_cast<void>(b.call_many("log", "my.log", {pool}, {}));
  b.output(b.call("sum", "my.sum", {none<value_id>, pool}, tensor(f32, 1)));
  const result<exported_program> legalized = legalize_onnx::run(b.finish());
  if (!legalized) return false;
  const program_view program = legalized.value;
  for (const auto& record : program.nodes) {
    if (record.is("my.log")) return program.shape(program.inputs(record)[0])[1] == 3 && !verify(program);
  }
  return false;
}
static_assert(nodes_without_outputs_are_kept());

}  // namespace

TEST_CASE("onnx.ConstantOfShape: of the real types, only float32 is supported") { CHECK(real_constants_are_float32()); }
TEST_CASE("Celu requires a positive alpha") { CHECK(celu_requires_a_positive_alpha()); }
TEST_CASE("DepthToSpace requires whole blocks of channels") { CHECK(blocks_have_all_their_channels()); }
TEST_CASE("Resize: unknown modes, roundings and coordinates are refused") { CHECK(unknown_texts_of_resize_are_refused()); }
TEST_CASE("Clip: bounds that are attributes are not ignored") { CHECK(bounds_that_are_attributes_are_not_ignored()); }
TEST_CASE("Pad: a value that is an attribute is not ignored") { CHECK(padding_values_that_are_attributes_are_not_ignored()); }
TEST_CASE("QGemm: alpha scales the bias") { CHECK(alpha_scales_the_bias()); }
TEST_CASE("GatherElements: positions are inside of the tensor") { CHECK(positions_of_elements_are_inside()); }
TEST_CASE("nodes of other dialects need no outputs") { CHECK(nodes_without_outputs_are_kept()); }
