// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that removes nodes that return their operand unchanged.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/transform/detail/same_type.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/rewriter.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

namespace detail {

/// Operators that are no-ops if the first operand and the output have the same type, shape and quantization. Operators whose definition
/// sets `is_structural` are no-ops under the same condition. If an operator that pads, repeats or crops does not change the shape, all
/// elements are unchanged. Sources in TensorFlow Lite: kernels/cast.cc, quantize.cc (a requantization with a factor of 1 is exact), pad.cc,
/// mirror_pad.cc, slice.cc, tile.cc, broadcast_to.cc.
inline constexpr literal_name no_ops_by_type[] = {"tfl.cast",  "tfl.quantize",     "tfl.pad",
                                                  "tfl.padv2", "tfl.mirror_pad",   "tfl.slice",
                                                  "tfl.tile",  "tfl.broadcast_to", "aten.expand_copy.default"};

/// True if element `i` of operand `at` is known to be `expected(i)`, for every `i`.
template <class Expected>
constexpr auto has_elements(rewriter& change, node_id id, std::uint32_t at, Expected expected) -> bool {
  const auto elements = known_integers::in(change.program(), change.input(id, at));
  for (std::size_t i = 0; i < elements.count; ++i) {
    if (elements[i] != expected(static_cast<std::int64_t>(i))) return false;
  }
  return elements.are_known;
}

/// Operators that are no-ops if they meet the condition of `no_ops_by_type` and a condition on their operands or attributes. `is_no_op`
/// checks both conditions.
inline constexpr literal_name no_ops_by_operands[] = {"aten.clone.default", "tfl.concatenation", "tfl.add_n", "tfl.transpose",
                                                      "tfl.strided_slice"};

/// True if a node returns its first operand unchanged. `source` is the program before the pass, for `find_definition`. Checks the cheap
/// conditions first, because most nodes do not meet these conditions.
constexpr auto is_no_op(rewriter& change, node_id id, const program_view& source) -> bool {
  const auto& record = change[id];
  const bool is_no_op_by_type = find_definition(source, record).is_structural || is_among(record.op, no_ops_by_type);
  if (!is_no_op_by_type && !is_among(record.op, no_ops_by_operands)) return false;
  const auto in = change.input(id, 0), out = change.output(id);
  if (in == none<value_id> || out == none<value_id> || !is_same_type(change.program(), in, out)) return false;
  if (is_no_op_by_type) return true;
  if (record.is("aten.clone.default")) return record.attributes.size == 0;  // an attribute may change the memory layout
  if (record.is("tfl.concatenation")) {
    return record.inputs.size == 1 && change.program().text(record, "fused_activation_function", "none") == "none";
  }
  if (record.is("tfl.add_n")) return record.inputs.size == 1;
  if (record.is("tfl.transpose")) return has_elements(change, id, 1, [](std::int64_t axis) { return axis; });
  // A `tfl.strided_slice` with strides of 1 and an unchanged shape returns all elements in order (kernels/strided_slice.cc).
  return has_elements(change, id, 3, [](std::int64_t) { return 1; });
}

}  // namespace detail

/// A pass that removes nodes that return their operand unchanged: reshapes to the same shape, requantizations to the same quantization,
/// empty paddings, and similar nodes. Graph outputs keep their names. So a node stays if its output is a graph output and its operand is
/// another graph output or a placeholder. A placeholder is an input, parameter, buffer or constant. A node also stays if its operand is the
/// working memory of a custom operator (scratch), or has a tag. A value with a tag is assigned to a delegate. A node whose operand is a
/// mutable buffer stays, because the buffer may be written while the output of the node is still in use. A mutable buffer keeps its value
/// from run to run.
struct remove_no_ops {
  static constexpr std::string_view name = "remove_no_ops";
  static constexpr bool rarely_grows = true;

  /// True if the pass changes the program.
  static constexpr auto is_needed(const program_view& program) -> bool {
    rewriter change(program);
    for (const auto id : change.nodes()) {
      if (detail::is_no_op(change, id, program)) remove(change, id);
      if (change.is_changed()) return true;
    }
    return false;
  }
  static constexpr auto run(const program_view& program) -> exported_program {
    rewriter change(program);
    for (const auto id : change.nodes()) {
      if (detail::is_no_op(change, id, program)) remove(change, id);
    }
    return change.finish();
  }

 private:
  static constexpr void remove(rewriter& change, node_id id) {
    const auto in = change.input(id, 0), out = change.output(id);
    const auto& operand = change[in];
    if (operand.kind == value_kind::mutable_buffer || operand.kind == value_kind::scratch || operand.tag != none<tag_id>) return;
    if (!change.is_output(out)) {
      change.erase(id);
      change.replace_uses(out, in);
    } else if (change.producer_of(in) != none<node_id> && !change.is_output(in)) {
      change.erase(id);
      change.move_result(in, out);
    }
  }
};
static_assert(pass<remove_no_ops>);

}  // namespace baton
