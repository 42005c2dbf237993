// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Chooses for each value of a program whether the value is stored with the channels first, as in the file, or with the channels last.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/minimum_cut.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// The layouts that an operator accepts for its operands, and the layouts of its outputs. A transpose with the rule `to_last` or `to_first`
/// moves no element, because its operand and its output are stored in the same order.
enum class layout_rule : std::uint8_t {
  fixed,    ///< all values are as in the file
  image,    ///< operand 0 and the outputs have the channels last; other operands are as in the file
  same,     ///< all operands and outputs have the same layout: channels first or channels last
  merging,  ///< like `same`; operand 0 is flattened to rows (`value_layout`), whose elements are in the order of the layout of operand 0
  flexible_operand_0,  ///< operand 0 may have either layout, because `emit` supports both; other values are as in the file
  flexible_operand_1,  ///< like `flexible_operand_0`, but operand 1 may have either layout
  to_last,   ///< a transpose in the file that moves the channels last: operand 0 has the channels last, the output is as in the file
  to_first,  ///< a transpose in the file that moves the channels first: operand 0 is as in the file, the output has the channels last
  constant,  ///< the outputs are constants; a reader that needs the channels last uses a permuted copy
};

/// The layout of a value. An image is a value of at least three dimensions. In the file, dimension 1 of an image is the channels. With the
/// channels last, the last dimension is the channels. A row is a flattened image. The order of the elements in the last dimension of a row
/// is [channels, `inner`], or [`inner`, channels] with the channels last. Values that are neither images nor rows have no layout.
/// `is_channels_last` is false for values without a layout and for constants.
struct value_layout {
  std::int64_t channels = 0;
  std::int64_t inner = 0;  ///< the number of elements of one channel
  bool has_layout = false;
  bool is_constant = false;
  bool is_channels_last = false;

  /// True if channels first and channels last differ in the order of elements in memory, not only in the shape.
  constexpr auto moves() const -> bool { return has_layout && channels != 1 && inner != 1; }
};

/// A node whose layout rule is to be determined. The layouts of the node's operands are known, except `is_channels_last`.
class layout_query {
 public:
  constexpr layout_query(const program_view& source, const node& which, const vector<value_layout>& layouts)
      : program(source),
        record(which),
        layouts_(layouts) {}

  constexpr auto operand_count() const -> std::size_t { return record.inputs.size; }
  constexpr auto has(std::size_t at) const -> bool { return at < record.inputs.size && operand(at) != none<value_id>; }
  constexpr auto operand(std::size_t at) const -> value_id { return program.operands[record.inputs.first + at]; }
  constexpr auto output() const -> value_id { return program.operands[record.outputs.first]; }
  constexpr auto shape(std::size_t at) const -> span<const std::int64_t> { return program.shape(operand(at)); }
  constexpr auto output_shape() const -> span<const std::int64_t> { return program.shape(output()); }
  constexpr auto layout(std::size_t at) const -> const value_layout& { return layouts_[operand(at)]; }
  constexpr auto is_constant(std::size_t at) const -> bool { return has(at) && layout(at).is_constant; }
  /// True if operand `at` is a flattened image.
  constexpr auto is_row(std::size_t at) const -> bool { return layout(at).has_layout && shape(at).size() < 3; }

  const program_view& program;
  const node& record;

 private:
  const vector<value_layout>& layouts_;
};

/// The layout rule of each node and the layout of each value.
struct layout_choice {
  vector<layout_rule> rules;
  vector<value_layout> values;
};

/// A choice of the layout of each value, such that transposes move as few bytes as possible. `LayoutRuleOf` returns the layout rule of the
/// node of a `layout_query`, and is called for producers before users. Graph inputs and outputs stay as in the file. A value is converted
/// at most once, for all its readers together. A conversion that moves no element is a reshape. A reshape costs the size of one element,
/// not 0. So if reshapes are possible at several values, the value with the smallest elements is converted. The layout rule of a value's
/// producer determines the layout of the value. If the rule accepts either layout, the choice determines the layout. The choice is a
/// minimum cut. A node whose values may have either layout is a vertex, which is on the sink side if the values have the channels last. A
/// value with several readers that accept either layout has a vertex for each possible copy, so that a conversion is counted once.
template <class LayoutRuleOf>
class layout_problem {
 public:
  constexpr layout_problem(const program_view& program, LayoutRuleOf rule_of) : program_(program), rule_of_(rule_of) {}

  constexpr auto solve() -> layout_choice {
    bool has_images = false;
    find_layouts(has_images);
    if (has_images) choose();
    return {std::move(rules_), std::move(layouts_)};
  }

 private:
  /// The facts about the readers of a value that determine the choice of layouts.
  struct readers {
    bool wants_file_layout = false;
    bool wants_channels_last = false;
    std::uint32_t free = npos;   ///< the vertex of the first reader that accepts either layout
    std::uint32_t others = 0;    ///< the number of further readers that accept either layout
    std::uint32_t back = npos;   ///< the vertex of the copy with the channels last, if there are further readers
    std::uint32_t front = npos;  ///< the vertex of the copy as in the file, if there are further readers
  };

  constexpr void find_layouts(bool& has_images) {
    layouts_.resize(program_.values.size());
    for (std::size_t v = 0; v < layouts_.size(); ++v) {
      const auto& record = program_.values[v];
      layouts_[v].is_constant = is_owned_data(record.kind) && record.kind != value_kind::mutable_buffer;
      note_image(static_cast<value_id>(v));
    }
    rules_.reserve(program_.nodes.size());
    for (const auto& record : program_.nodes) {
      auto rule_of_node = layout_rule::fixed;
      if (record.outputs.size != 0) rule_of_node = rule_of_(layout_query(program_, record, layouts_));
      rules_.push_back(rule_of_node);
      has_images =
          has_images || rule_of_node == layout_rule::image || rule_of_node == layout_rule::to_last || rule_of_node == layout_rule::to_first;
      for (const auto output : program_.outputs_of(record)) {
        auto& layout = layouts_[output];
        layout.is_constant = rule_of_node == layout_rule::constant;
        if (layout.has_layout || (rule_of_node != layout_rule::same && rule_of_node != layout_rule::merging)) continue;
        note_row(record, output, layout);
      }
    }
  }
  constexpr void note_image(value_id id) {
    const auto shape = program_.shape(id);
    auto& layout = layouts_[id];
    if (shape.size() < 3 || shape.size() > tensor_type::max_rank || layout.is_constant || element_count(shape) <= 0) return;
    layout.has_layout = true;
    layout.channels = shape[1];
    layout.inner = element_count(shape.subspan(2));
  }
  /// Searches for the first operand that has a layout and as many elements as `output`. Copies `channels` and `inner` of this operand to
  /// `layout`, the layout of `output`. Does nothing if there is no such operand.
  constexpr void note_row(const node& record, value_id output, value_layout& layout) const {
    for (const auto input : program_.inputs(record)) {
      if (input == none<value_id> || !layouts_[input].has_layout) continue;
      if (element_count(program_.shape(input)) != element_count(program_.shape(output))) continue;
      layout.channels = layouts_[input].channels;
      layout.inner = layouts_[input].inner;
      layout.has_layout = true;
      return;
    }
  }

  constexpr auto cost_of(value_id id) const -> minimum_cut::amount {
    constexpr std::int64_t max_bytes = std::int64_t{1} << 30;
    const std::int64_t element = std::max<std::int64_t>(1, facts(program_[id].type).bits / 8);
    const auto bytes = byte_count(program_[id].type, program_.shape(id));
    return layouts_[id].moves() ? 1024 * (bytes < 0 || bytes > max_bytes ? max_bytes : bytes) : element;
  }

  static constexpr auto is_free(layout_rule how) -> bool { return how == layout_rule::same || how == layout_rule::merging; }

  constexpr void choose() {
    minimum_cut cut(program_.nodes.size() + 2 * program_.values.size(), 4 * program_.operands.size() + 2 * program_.values.size());
    vertices_.assign(program_.nodes.size(), npos);
    for (std::size_t n = 0; n < rules_.size(); ++n) {
      if (is_free(rules_[n])) vertices_[n] = cut.add_vertex();
    }
    readers_.resize(program_.values.size());
    for (std::size_t n = 0; n < rules_.size(); ++n) {
      const auto inputs = program_.inputs(program_.nodes[n]);
      for (std::size_t i = 0; i < inputs.size(); ++i) note_reader(inputs[i], n, i);
    }
    for (const auto& graph : program_.graphs) {
      for (const auto& spec : program_.outputs_of(graph)) readers_[spec.value].wants_file_layout = true;
    }
    for (std::size_t v = 0; v < layouts_.size(); ++v) {
      if (is_placeholder_with_layout(v)) add_conversion(cut, v, false, true, npos);
    }
    for (std::size_t n = 0; n < rules_.size(); ++n) {
      const auto how = rules_[n];
      const bool is_channels_last = how == layout_rule::image || how == layout_rule::to_first;
      for (const auto output : program_.outputs_of(program_.nodes[n])) {
        if (takes_part(index(output)))
          add_conversion(cut, index(output), is_channels_last, !is_channels_last && !is_free(how), vertices_[n]);
      }
    }
    for (std::size_t n = 0; n < rules_.size(); ++n) add_readers(cut, n);
    cut.solve();
    for (std::size_t n = 0; n < rules_.size(); ++n) {
      const bool is_channels_last =
          vertices_[n] != npos ? cut.is_on_sink_side(vertices_[n]) : rules_[n] == layout_rule::image || rules_[n] == layout_rule::to_first;
      for (const auto output : program_.outputs_of(program_.nodes[n])) {
        layouts_[output].is_channels_last = is_channels_last && layouts_[output].has_layout;
      }
    }
  }
  constexpr auto takes_part(std::size_t v) const -> bool { return layouts_[v].has_layout && !layouts_[v].is_constant; }
  /// True for placeholders (inputs, parameters, buffers and constants) that have a layout.
  constexpr auto is_placeholder_with_layout(std::size_t v) const -> bool {
    return takes_part(v) && program_.values[v].kind != value_kind::intermediate;
  }

  constexpr void note_reader(value_id id, std::size_t n, std::size_t operand) {
    if (id == none<value_id> || !takes_part(index(id))) return;
    auto& each = readers_[id];
    const auto how = rules_[n];
    if (is_free(how)) {
      if (each.free != npos && each.free != vertices_[n]) each.others += 1;
      if (each.free == npos) each.free = vertices_[n];
    } else if (operand == 0 && (how == layout_rule::image || how == layout_rule::to_last)) {
      each.wants_channels_last = true;
    } else if (operand != (how == layout_rule::flexible_operand_0 ? 0 : how == layout_rule::flexible_operand_1 ? 1 : npos)) {
      each.wants_file_layout = true;
    }
  }

  /// Adds the cost of a copy of value `v` with the channels last, and of a copy as in the file. The producer is on the sink side if
  /// `is_channels_last` is set, and on the source side if `is_file` is set. Otherwise, the producer is the vertex `producer`.
  constexpr void add_conversion(minimum_cut& cut, std::size_t v, bool is_channels_last, bool is_file, std::uint32_t producer) {
    auto& each = readers_[v];
    const auto cost = cost_of(static_cast<value_id>(v));
    // The cost of the copy with the channels last, if the value is produced as in the file.
    if (!is_channels_last && each.wants_channels_last) {
      if (!is_file) cut.add_excess(producer, -cost);
    } else if (!is_channels_last && each.free != npos) {
      if (each.others != 0) each.back = cut.add_vertex();
      const auto copy = each.others != 0 ? each.back : each.free;
      if (is_file) cut.add_excess(copy, cost);
      if (!is_file) cut.add_edge(producer, copy, cost, 0);
    }
    // The cost of the copy as in the file, if the value is produced with the channels last.
    if (!is_file && each.wants_file_layout) {
      if (!is_channels_last) cut.add_excess(producer, cost);
    } else if (!is_file && each.free != npos) {
      if (each.others != 0) each.front = cut.add_vertex();
      const auto copy = each.others != 0 ? each.front : each.free;
      if (is_channels_last) cut.add_excess(copy, -cost);
      if (!is_channels_last) cut.add_edge(copy, producer, cost, 0);
    }
  }
  /// Adds edges of unlimited cost, so that each copy that node `n` reads is on the side of `n`.
  constexpr void add_readers(minimum_cut& cut, std::size_t n) const {
    if (vertices_[n] == npos) return;
    for (const auto input : program_.inputs(program_.nodes[n])) {
      if (input == none<value_id> || !takes_part(index(input))) continue;
      const auto& each = readers_[input];
      if (each.back != npos) cut.add_edge(each.back, vertices_[n], minimum_cut::unlimited, 0);
      if (each.front != npos) cut.add_edge(vertices_[n], each.front, minimum_cut::unlimited, 0);
    }
  }

  const program_view& program_;
  LayoutRuleOf rule_of_;
  vector<layout_rule> rules_;
  vector<value_layout> layouts_;
  vector<std::uint32_t> vertices_;  ///< indexed by node: the node's vertex, or `npos` if the layout rule determines the layout
  vector<readers> readers_;         ///< indexed by value
};

/// Returns the choice of a `layout_problem`.
template <class LayoutRuleOf>
constexpr auto choose_layout(const program_view& program, LayoutRuleOf rule_of) -> layout_choice {
  return layout_problem<LayoutRuleOf>(program, rule_of).solve();
}

}  // namespace baton::detail
