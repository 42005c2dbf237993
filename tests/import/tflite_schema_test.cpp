// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/detail/tflite_schema.hpp>
#include <baton/import/detail/tflite_slots.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

namespace {

namespace tflite = baton::tflite;
using tflite::field_type;
using tflite::find_operator;

constexpr auto every_code_is_its_index() -> bool {
  std::int32_t index = 0;
  for (const auto& op : tflite::operators) {
    if (op.code != index || find_operator(index) != &op) return false;
    ++index;
  }
  return index == 210;
}
static_assert(every_code_is_its_index());

constexpr auto unknown_codes_have_no_operator() -> bool {
  return find_operator(-1) == nullptr && find_operator(210) == nullptr && find_operator(INT32_MIN) == nullptr &&
         find_operator(INT32_MAX) == nullptr;
}
static_assert(unknown_codes_have_no_operator());

constexpr auto names_begin_with_tfl_and_differ() -> bool {
  for (const auto& op : tflite::operators) {
    if (!op.name.text.starts_with("tfl.") || op.name.hash != baton::hash_of(op.name.text)) return false;
    for (const auto& other : tflite::operators) {
      if (&op != &other && op.name.hash == other.name.hash) return false;
    }
  }
  return true;
}
static_assert(names_begin_with_tfl_and_differ());

constexpr auto options_and_union_types_agree() -> bool {
  for (const auto& op : tflite::operators) {
    const int last = op.options == tflite::builtin_options ? 126 : op.options == tflite::builtin_options_2 ? 23 : 0;
    if ((op.options_type == 0) != (op.options == tflite::no_options) || op.options_type > last) return false;
    if (op.options == tflite::no_options && !op.fields.empty()) return false;
    for (const auto& other : tflite::operators) {
      const bool same = op.options == other.options && op.options_type == other.options_type;
      const auto same_name = [](const auto& a, const auto& b) { return a.name.hash == b.name.hash; };
      if (same && !std::ranges::equal(op.fields, other.fields, same_name)) return false;
    }
  }
  return true;
}
static_assert(options_and_union_types_agree());

constexpr auto is_enumeration(field_type type) -> bool {
  return type == field_type::enumeration8 || type == field_type::enumeration32 || type == field_type::enumeration32_vector;
}

constexpr auto fields_are_in_order_and_well_typed() -> bool {
  for (const auto& op : tflite::operators) {
    int previous = -1;
    for (const auto& field : op.fields) {
      if (field.slot <= previous || field.name.text.empty() || is_enumeration(field.type) != !field.symbols.empty()) return false;
      if (is_enumeration(field.type) && field.default_value >= static_cast<std::int64_t>(field.symbols.size())) return false;
      previous = field.slot;
    }
  }
  return true;
}
static_assert(fields_are_in_order_and_well_typed());

/// Returns a field of an operator by name, or a field with slot 999 if it does not exist.
constexpr auto field_of(std::int32_t code, std::string_view name) -> tflite::field_schema {
  const auto& fields = find_operator(code)->fields;
  const auto position = std::find_if(fields.begin(), fields.end(), [name](const auto& field) { return field.name.text == name; });
  return position == fields.end() ? tflite::field_schema{"", 999, field_type::text} : *position;
}

constexpr auto known_operators_agree_with_the_schema() -> bool {
  const auto& convolution = *find_operator(3);
  const auto& depthwise = *find_operator(4);
  const auto& stablehlo_add = *find_operator(163);
  const auto& composite = *find_operator(206);
  return convolution.name.text == "tfl.conv_2d" && convolution.options == tflite::builtin_options && convolution.options_type == 1 &&
         convolution.fields.size() == 7 && depthwise.name.text == "tfl.depthwise_conv_2d" && depthwise.options_type == 2 &&
         stablehlo_add.name.text == "tfl.stablehlo_add" && stablehlo_add.options == tflite::no_options &&
         composite.name.text == "tfl.stablehlo_composite" && composite.options == tflite::builtin_options_2 &&
         composite.options_type == 21 && find_operator(tflite::custom_operator)->name.text == "tfl.custom";
}
static_assert(known_operators_agree_with_the_schema());

constexpr auto known_fields_agree_with_the_schema() -> bool {
  const auto padding = field_of(3, "padding");
  const auto stride = field_of(3, "stride_w");
  const auto activation = field_of(3, "fused_activation_function");
  const auto precision = field_of(197, "precision_config");
  return padding.slot == 0 && padding.symbols[0] == "same" && padding.symbols[1] == "valid" && stride.slot == 1 &&
         stride.type == field_type::int32 && stride.default_value == 0 && activation.slot == 3 && activation.symbols[0] == "none" &&
         activation.symbols[3] == "relu6" && precision.slot == 4 && precision.type == field_type::enumeration32_vector &&
         field_of(25, "beta").type == field_type::float32 && field_of(22, "new_shape").type == field_type::int32_vector &&
         field_of(142, "container").type == field_type::text && field_of(53, "out_data_type").type == field_type::tensor_type &&
         field_of(206, "composite_attributes").type == field_type::uint8_vector;
}
static_assert(known_fields_agree_with_the_schema());

constexpr auto nonzero_defaults_agree_with_the_schema() -> bool {
  return field_of(3, "dilation_w_factor").default_value == 1 && field_of(4, "dilation_h_factor").default_value == 1 &&
         field_of(132, "dilation_d_factor").default_value == 1 && field_of(0, "pot_scale_int16").default_value == 1 &&
         field_of(41, "pot_scale_int16").default_value == 1 && field_of(52, "time_major").default_value == 1 &&
         field_of(44, "time_major").default_value == 0 && field_of(103, "idx_out_type").default_value == 2;
}
static_assert(nonzero_defaults_agree_with_the_schema());

constexpr auto deprecated_fields_keep_their_slots() -> bool {
  return find_operator(23)->fields.size() == 2 && field_of(23, "align_corners").slot == 2 && field_of(23, "half_pixel_centers").slot == 3 &&
         tflite::slot::signature_def::subgraph_index == 4;
}
static_assert(deprecated_fields_keep_their_slots());

constexpr auto subgraph_indices_have_a_separate_type() -> bool {
  const auto is_subgraph = [](std::int32_t code, std::string_view name) { return field_of(code, name).type == field_type::subgraph; };
  const auto are_subgraphs = [](std::int32_t code, std::string_view name) {
    return field_of(code, name).type == field_type::subgraph_vector;
  };
  return is_subgraph(31, "subgraph") && is_subgraph(118, "then_subgraph_index") && is_subgraph(118, "else_subgraph_index") &&
         is_subgraph(119, "cond_subgraph_index") && is_subgraph(119, "body_subgraph_index") && is_subgraph(129, "init_subgraph_index") &&
         is_subgraph(174, "body_subgraph_index") && is_subgraph(190, "update_computation_subgraph_index") &&
         is_subgraph(198, "body_subgraph_index") && is_subgraph(199, "comparator_subgraph_index") &&
         is_subgraph(200, "cond_subgraph_index") && is_subgraph(206, "decomposition_subgraph_index") &&
         are_subgraphs(173, "called_computations") && are_subgraphs(209, "branch_subgraph_indices");
}
static_assert(subgraph_indices_have_a_separate_type());

constexpr auto tensor_types_are_dtypes() -> bool {
  const auto name = [](std::int32_t code) { return baton::facts(*tflite::find_tensor_type(code)).name; };
  return name(0) == "float32" && name(2) == "int32" && name(3) == "uint8" && name(5) == "text" && name(6) == "boolean" &&
         name(9) == "int8" && name(17) == "int4" && name(18) == "bfloat16" && name(22) == "float8_e5m2" &&
         tflite::find_tensor_type(23) == nullptr && tflite::find_tensor_type(-1) == nullptr;
}
static_assert(tensor_types_are_dtypes());

constexpr auto structural_slots_agree_with_the_schema() -> bool {
  namespace slot = tflite::slot;
  return slot::model::subgraphs == 2 && slot::model::buffers == 4 && slot::model::signature_defs == 7 &&
         slot::model::external_buffers == 9 && slot::operator_code::builtin_code == 3 && slot::subgraph::operators == 3 &&
         slot::tensor::is_variable == 5 && slot::tensor::shape_signature == 7 && slot::tensor::external_buffer == 10 &&
         slot::quantization_parameters::quantized_dimension == 6 && slot::operation::custom_options == 5 &&
         slot::operation::large_custom_options_offset == 9 && slot::operation::builtin_options_2_type == 11 &&
         slot::operation::builtin_options_2 == 12 && slot::buffer::size == 2 && slot::tensor_map::tensor_index == 1;
}
static_assert(structural_slots_agree_with_the_schema());

}  // namespace

TEST_CASE("the tables of operators and types agree with the TensorFlow Lite schema") {
  CHECK(every_code_is_its_index());
  CHECK(unknown_codes_have_no_operator());
  CHECK(names_begin_with_tfl_and_differ());
  CHECK(options_and_union_types_agree());
  CHECK(fields_are_in_order_and_well_typed());
  CHECK(known_operators_agree_with_the_schema());
  CHECK(known_fields_agree_with_the_schema());
  CHECK(nonzero_defaults_agree_with_the_schema());
  CHECK(deprecated_fields_keep_their_slots());
  CHECK(subgraph_indices_have_a_separate_type());
  CHECK(tensor_types_are_dtypes());
  CHECK(structural_slots_agree_with_the_schema());
}
