// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that takes out nodes which give what they are given.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/transform/detail/same_type.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/rewriter.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

namespace detail {

/// Operators that, like structural ones, change nothing where type, shape and quantization of the first operand and of the output are the
/// same. Of those that enlarge or cut, the shape says that they do not (TensorFlow Lite: kernels/cast.cc, quantize.cc, whose requantization
/// by 1 is exact, pad.cc, mirror_pad.cc, slice.cc, tile.cc, broadcast_to.cc).
inline constexpr literal_name no_ops_by_type[] = {"tfl.cast",  "tfl.quantize",     "tfl.pad",
                                                  "tfl.padv2", "tfl.mirror_pad",   "tfl.slice",
                                                  "tfl.tile",  "tfl.broadcast_to", "aten.expand_copy.default"};

/// Whether a constant operand has the elements `of(0)`, `of(1)` and so on.
template <class Of>
constexpr auto has_elements(rewriter& change, node_id id, std::uint32_t at, Of of) -> bool {
  const auto found = known_integers::in(change.program(), change.input(id, at));
  for (std::size_t i = 0; i < found.count; ++i) {
    if (found[i] != of(static_cast<std::int64_t>(i))) return false;
  }
  return found.are_known;
}

/// Operators that change nothing where more is known than that types are the same.
inline constexpr literal_name no_ops_by_operands[] = {"aten.clone.default", "tfl.concatenation", "tfl.add_n", "tfl.transpose",
                                                      "tfl.strided_slice"};

/// Whether a node gives its first operand as it is. What is cheap to see comes first: most nodes are none.
constexpr auto is_no_op(rewriter& change, node_id id, operator_list operators) -> bool {
  const auto& record = change[id];
  const bool by_type = find_definition(record.op, operators).is_structural || is_among(record.op, no_ops_by_type);
  if (!by_type && !is_among(record.op, no_ops_by_operands)) return false;
  const auto in = change.input(id, 0), out = change.output(id);
  if (in == none<value_id> || out == none<value_id> || !is_same_type(change.program(), in, out)) return false;
  if (by_type) return true;
  if (record.is("aten.clone.default")) return record.attributes.size == 0;  // else it may change how elements lie
  if (record.is("tfl.concatenation")) {
    return record.inputs.size == 1 && change.program().text(record, "fused_activation_function", "none") == "none";
  }
  if (record.is("tfl.add_n")) return record.inputs.size == 1;
  if (record.is("tfl.transpose")) return has_elements(change, id, 1, [](std::int64_t axis) { return axis; });
  // Forwards, and none left out: all of them (kernels/strided_slice.cc).
  return has_elements(change, id, 3, [](std::int64_t) { return 1; });
}

}  // namespace detail

/// A pass that removes nodes which give what they are given: reshapes to the same shape, quantization from a type to the same, paddings by
/// nothing, and their like. A graph's outputs keep their names, so a node stays where its output is one of the graph's and its operand is a
/// placeholder or an output too. It stays behind a state, which may be written while the copy is used, and behind data that a tag has.
struct remove_no_ops {
  static constexpr std::string_view name = "remove_no_ops";

  static constexpr auto run(const program_view& program) -> exported_program {
    rewriter change(program);
    for (const auto id : change.nodes()) {
      if (detail::is_no_op(change, id, program.operators)) remove(change, id);
    }
    return change.finish();
  }

 private:
  static constexpr void remove(rewriter& change, node_id id) {
    const auto in = change.input(id, 0), out = change.output(id);
    const auto& given = change[in];
    if (given.kind == value_kind::mutable_buffer || given.kind == value_kind::scratch || given.tag != none<tag_id>) return;
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
