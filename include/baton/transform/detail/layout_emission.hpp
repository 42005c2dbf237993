// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Inserts layout conversions and permuted constants into a program, as required by the layouts that were chosen for its values.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/byte_recipe.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/shared/text_argument.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/permuted_bytes.hpp>
#include <baton/transform/rewriter.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace baton::detail {

/// Access to the values of a program while the program is rewritten to the chosen layouts (`choose_layout`). The file type of a value has
/// the channels first; the stored type has the chosen layout. New nodes are inserted before the current node of the source program.
class layout_emission {
 public:
  /// `when` determines whether the bytes of permuted constants are computed immediately or deferred.
  constexpr layout_emission(rewriter& change, const program_view& source, vector<value_layout>& layouts, byte_recipe::timing when)
      : change_(change),
        source_(source),
        layouts_(layouts),
        when_(when),
        converted_(layouts.size(), none<value_id>) {}

  /// Sets the current node.
  constexpr void move_to(node_id id) {
    id_ = id;
    graph_ = graph_of(source_[id]);
    reason_.clear();
  }
  constexpr auto name() const -> std::string_view { return source_.text(source_[id_].name); }
  /// Refuses the current node. The reason is a concatenation of texts and integers.
  template <class... Parts>
  constexpr void refuse(Parts... reason) {
    if (reason_.empty()) reason_ = failure::join_reason({reason...});
  }
  constexpr auto is_refused() const -> bool { return !reason_.empty(); }
  constexpr auto reason() const -> const text_buffer& { return reason_; }

  // Values

  constexpr auto layout(value_id id) const -> value_layout { return index(id) < layouts_.size() ? layouts_[id] : value_layout{}; }
  /// True if a value is stored with the channels last.
  constexpr auto is_channels_last(value_id id) const -> bool { return layout(id).is_channels_last; }
  /// True if a value is a constant or the dequantization of a constant.
  constexpr auto is_constant(value_id id) const -> bool { return id != none<value_id> && (is_data(id) || layout(id).is_constant); }
  /// True if a value itself has constant data, unlike the dequantization of a constant.
  constexpr auto is_data(value_id id) const -> bool {
    return id != none<value_id> && is_owned_data(change_[id].kind) && change_[id].kind != value_kind::mutable_buffer;
  }
  /// Returns the value that has the data of a constant: the operand of the dequantization that produces `id`, or `id` itself.
  constexpr auto data_of(value_id id) -> value_id { return is_data(id) ? id : change_.input(change_.producer_of(id), 0); }
  /// Returns the stored type of a value. Returns a scalar type for an omitted operand (`none`).
  constexpr auto stored_type(value_id id) const -> tensor_type {
    if (id == none<value_id>) return {};
    const auto& record = change_[id];
    tensor_type type{record.type, record.shape.size, {}};
    const auto* const sizes = change_.program().integer_list(record.shape).data();
    auto* const copies = type.sizes.data();  // pointers, because `type.sizes[i]` would be a function call
    for (std::size_t i = 0; i < type.rank && i < tensor_type::max_rank; ++i) copies[i] = sizes[i];
    return type;
  }
  constexpr auto file_type(value_id id) const -> tensor_type {
    const auto type = stored_type(id);
    return is_channels_last(id) && type.rank > 2 ? order_of(type, false).result() : type;
  }
  /// Returns the dimension of the stored value `id` that is dimension `axis` in the file.
  constexpr auto stored_dimension(value_id id, std::size_t axis) const -> std::size_t {
    return is_channels_last(id) ? static_cast<std::size_t>(last_dimension(static_cast<std::int64_t>(axis), change_[id].shape.size)) : axis;
  }
  constexpr auto producer_of(value_id id) const -> node_id { return change_.producer_of(id); }
  constexpr auto node_at(node_id id) const -> const node& { return change_[id]; }
  /// Returns the record of a value, or an empty record for an omitted operand.
  constexpr auto record(value_id id) const -> const value& { return id == none<value_id> ? omitted_value : change_[id]; }
  constexpr auto program() const -> program_reader { return change_.program(); }
  /// Returns the permutation of `type` that moves the channels from dimension 1 to the last dimension, or back if `to_last` is false.
  static constexpr auto order_of(const tensor_type& type, bool to_last) -> permutation {
    permutation by{type, {}};
    const auto rank = type.rank;
    for (std::size_t i = 1; i < rank; ++i)
      by.order[i] = static_cast<std::uint8_t>(to_last ? (i + 1 == rank ? 1 : i + 1) : (i == 1 ? rank - 1 : i - 1));
    return by;
  }
  /// Returns `id` with the channels last, or as in the file if `wants_channels_last` is false. Inserts a layout conversion if one is needed
  /// and does not exist yet.
  constexpr auto in_layout(value_id id, bool wants_channels_last) -> value_id {
    if (wants_channels_last && is_constant(id)) return constant_with_channels_last(id);
    const auto from = layout(id);
    if (id == none<value_id> || !from.has_layout || from.is_channels_last == wants_channels_last) return id;
    if (stored_type(id).rank < 3 && !from.moves()) return id;
    if (index(id) < converted_.size() && converted_[id] != none<value_id>) return converted_[id];
    auto type = stored_type(id);
    if (type.rank > 2) type = order_of(type, wants_channels_last).result();
    auto to = from;
    to.is_channels_last = wants_channels_last;
    const auto copy = add_value(
        view(join(change_.program().text(change_[id].name), wants_channels_last ? "_channels_last" : "_channels_first")), type, to);
    convert(id, copy, wants_channels_last);
    set_converted(id, copy);
    return copy;
  }
  /// Returns `id` in the layout of the file.
  constexpr auto in_file_layout(value_id id) -> value_id { return in_layout(id, false); }

  // Constants

  /// Returns the new position of dimension `axis` of `rank` dimensions if the channels move from dimension 1 to the last dimension.
  static constexpr auto last_dimension(std::int64_t axis, std::size_t rank) -> std::int64_t {
    if (rank < 3 || axis == 0) return axis;
    return axis == 1 ? static_cast<std::int64_t>(rank) - 1 : axis - 1;
  }
  /// Returns a constant with the channels last, or unchanged if the constant has fewer than three dimensions.
  constexpr auto constant_with_channels_last(value_id id) -> value_id {
    const auto type = stored_type(id);
    if (type.rank < 3) return id;
    const auto by = order_of(type, true);
    return moved(id, by, by.result(), static_cast<std::int32_t>(last_dimension(change_[data_of(id)].quant.axis, type.rank)));
  }

  /// Returns the constant `id`, permuted by `axes` and then reshaped to `shape`. If the constant is quantized per channel, `axis` is the
  /// channel dimension of the result. Returns the constant itself if nothing changes. If no element moves, the result shares the bytes of
  /// `id`.
  constexpr auto moved(value_id id, const permutation& axes, const tensor_type& shape, std::int32_t axis) -> value_id {
    for (auto at = last_move(id); at != npos; at = moved_[at].previous) {
      const auto& each = moved_[at];
      if (each.axis == axis && each.by == axes && is_same(each.shape.shape(), shape.shape())) return each.to;
    }
    const auto data = data_of(id);
    const auto before = change_[data];
    const bool is_same_shape = is_same(change_.program().shape(data), shape.shape()), moves_elements = axes.moves();
    if (!moves_elements && is_same_shape && (before.quant.channels < 2 || before.quant.axis == axis)) return id;
    const bool fits = element_count(axes.type.shape()) == element_count(change_.program().shape(data)) &&
                      element_count(shape.shape()) == element_count(axes.type.shape()) &&
                      (before.quant.channels < 2 || (axis >= 0 && static_cast<std::size_t>(axis) < shape.rank &&
                                                     shape.sizes[static_cast<std::size_t>(axis)] == before.quant.channels));
    if (!fits) return refuse("constant ", change_.program().text(before.name), " does not fit the operator"), id;
    const auto width = facts(before.type).bits / 8u;
    if (moves_elements && (width == 0 || facts(before.type).bits % 8 != 0)) {
      refuse("constant ", change_.program().text(before.name), " has elements of less than a byte, which cannot be permuted");
      return id;
    }
    const auto name = join(change_.program().text(before.name), "_moved");
    const auto result = change_.add_constant(graph_, view(name), {before.type, shape.rank, shape.sizes}, "");
    if (moves_elements) {
      // Legalizations read integer constants, for example positions, so the bytes of integers are computed immediately.
      const auto when = bytes_of_integer(before.type) == 0 ? when_ : byte_recipe::timing::at_once;
      const auto permuted = change_.derive(permuted_bytes(axes, width), before.data, when);
      change_.edit(result).data = permuted;
    } else {
      change_.edit(result).data = before.data;
    }
    change_.edit(result).quant = before.quant;
    if (before.quant.channels > 1) change_.edit(result).quant.axis = axis;
    auto to = result;
    if (data != id) {
      to = add_value(view(join(change_.program().text(change_[id].name), "_moved")), {change_[id].type, shape.rank, shape.sizes},
                     {.is_constant = true});
      dequantize_moved(id, result, to);
    }
    const auto previous = last_move(id);
    if (last_moves_.size() <= index(id)) last_moves_.resize(index(id) + 1, npos);
    last_moves_[id] = static_cast<std::uint32_t>(moved_.size());
    moved_.push_back({axes, shape, axis, to, previous});
    return to;
  }
  /// Returns the constant `id`, permuted by `axes`.
  constexpr auto permuted(value_id id, const permutation& axes) -> value_id {
    return moved(id, axes, axes.result(), static_cast<std::int32_t>(axes.position(change_[data_of(id)].quant.axis)));
  }
  /// Returns the constant `id`, reshaped to `shape`. If the constant is quantized per channel, dimension 0 is the channel dimension of the
  /// result.
  constexpr auto reshaped(value_id id, const tensor_type& shape) -> value_id {
    return moved(id, permutation::identity(stored_type(id)), shape, 0);
  }
  /// Adds a constant. The name of the constant is the name of the current node, "_" and `suffix`.
  constexpr auto constant(text_argument suffix, const tensor_type& type, std::string_view bytes) -> value_id {
    return change_.add_constant(graph_, view(join(name(), "_", suffix.text)), type, bytes);
  }
  /// Adds a constant list of int32 numbers, or a matrix with rows of `columns` numbers if `columns` is not 0.
  constexpr auto integer_constant(text_argument suffix, span<const std::int64_t> numbers, std::int64_t columns = 0) -> value_id {
    const auto count = static_cast<std::int64_t>(numbers.size());
    const auto type = columns == 0 ? tensor(dtype::int32, count) : tensor(dtype::int32, count / columns, columns);
    return constant(suffix, type, view(bytes_of(numbers, dtype::int32)));
  }
  /// Adds a constant with the order of `axes`, for the second operand of `tfl.transpose`.
  constexpr auto order_constant(text_argument suffix, const permutation& axes) -> value_id {
    const auto numbers = axes.numbers();
    return integer_constant(suffix, {numbers.data(), axes.type.rank});
  }
  /// Adds a constant of float32 numbers with type `type`.
  constexpr auto real_constant(text_argument suffix, span<const float> numbers, const tensor_type& type) -> value_id {
    text_buffer bytes;
    for (const auto number : numbers) append_little_endian(bytes, std::bit_cast<std::uint32_t>(number), 4);
    return constant(suffix, type, view(bytes));
  }

  /// Copies a per-tensor quantization of `from` to `to`, if `from` and `to` have the same dtype.
  constexpr void copy_quantization(value_id from, value_id to) {
    if (change_[from].quant.channels == 1 && change_[from].type == change_[to].type) change_.edit(to).quant = change_[from].quant;
  }
  /// Returns the data of a constant. If the computation of the data was deferred, computes the data first.
  constexpr auto settled(value_id id) -> byte_ref {
    const auto before = change_[id].data, data = change_.settle(before);
    if (data != before) change_.edit(id).data = data;
    return data;
  }
  constexpr auto value_at(value_id id) -> value& { return change_.edit(id); }
  constexpr auto own(std::string_view bytes) -> byte_ref { return change_.own(bytes); }

 protected:
  constexpr auto graph_of(const node& record) const -> graph_id {
    if (const auto outputs = source_.outputs_of(record); !outputs.empty()) return source_[outputs[0]].graph;
    for (const auto id : source_.inputs(record)) {  // a node without outputs, such as a call of a delegate that only changes states
      if (id != none<value_id>) return source_[id].graph;
    }
    return graph_id{0};
  }
  constexpr auto add_value(std::string_view named, const tensor_type& type, const value_layout& to) -> value_id {
    const auto id = change_.add_value(graph_, named, type);
    layouts_.resize(index(id) + 1, value_layout{});
    layouts_[id] = to;
    return id;
  }
  constexpr auto insert(std::string_view named, text_argument op, span<const value_id> inputs, span<const value_id> outputs,
                        span<const named_literal> literals) -> node_id {
    return change_.insert_before(id_, {.name = named, .op = op, .inputs = inputs, .outputs = outputs, .literals = literals, .tag_of = id_});
  }

  /// Inserts a dequantization of `constant` that produces `to`. Erases the dequantization that produces `id` if `id` has only one use.
  constexpr void dequantize_moved(value_id id, value_id constant, value_id to) {
    const auto before = change_.producer_of(id);
    const bool is_replaced = change_.uses_of(id) == 1;
    const auto added = change_.insert_before(id_, {.name = change_.program().text(change_[before].name),
                                                   .op = text_argument("tfl.dequantize").text,
                                                   .inputs = {&constant, 1},
                                                   .outputs = {&to, 1},
                                                   .handle_of = is_replaced ? before : none<node_id>,
                                                   .tag_of = id_});
    if (is_replaced) change_.erase(before, added);
  }
  constexpr void set_converted(value_id id, value_id copy) {
    if (converted_.size() <= index(id)) converted_.resize(index(id) + 1, none<value_id>);
    converted_[id] = copy;
  }
  /// Inserts the nodes that convert `from` to the other layout and produce `to`.
  constexpr void convert(value_id from, value_id to, bool to_last) {
    const auto layout_of = layout(from);
    const auto named = join(change_.program().text(change_[to].name), "_layout");
    if (change_[from].quant.channels == 1) change_.edit(to).quant = change_[from].quant;
    const auto type = stored_type(from), result = stored_type(to);
    if (!layout_of.moves()) {
      insert(view(named), "tfl.reshape", {&from, 1}, {&to, 1}, span_of({{"new_shape", result.shape()}}));
      return;
    }
    if (type.rank > 2) return transpose(view(named), from, to, order_of(type, to_last));
    // A flattened image is reshaped to [rows, inner, channels] or [rows, channels, inner] for the transpose.
    const auto rows = std::max<std::int64_t>(element_count(type.shape()), 0) / (layout_of.channels * layout_of.inner);
    const auto first = to_last ? layout_of.channels : layout_of.inner, second = to_last ? layout_of.inner : layout_of.channels;
    const auto image = add_value(view(join(view(named), "_image")), tensor(type.type, rows, first, second), {});
    const auto turned = add_value(view(join(view(named), "_turned")), tensor(type.type, rows, second, first), {});
    change_.edit(image).quant = change_.edit(turned).quant = change_[from].quant;
    const auto image_type = stored_type(image);
    insert(view(join(view(named), "_split")), "tfl.reshape", {&from, 1}, {&image, 1}, span_of({{"new_shape", image_type.shape()}}));
    transpose(view(named), image, turned, order_of(image_type, true));
    insert(view(join(view(named), "_merge")), "tfl.reshape", {&turned, 1}, {&to, 1}, span_of({{"new_shape", result.shape()}}));
  }
  constexpr void transpose(std::string_view named, value_id from, value_id to, const permutation& axes) {
    const value_id operands[] = {from, order_constant("order", axes)};
    insert(named, "tfl.transpose", operands, {&to, 1}, {});
  }
  static constexpr auto is_same(span<const std::int64_t> a, span<const std::int64_t> b) -> bool {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  static constexpr auto span_of(std::initializer_list<named_literal> literals) -> span<const named_literal> {
    return {literals.begin(), literals.size()};
  }

  rewriter& change_;
  const program_view& source_;
  vector<value_layout>& layouts_;
  byte_recipe::timing when_;
  node_id id_ = none<node_id>;
  graph_id graph_{0};  ///< the graph of the current node
  text_buffer reason_;

 private:
  static constexpr value omitted_value{};

  struct moved_constant {
    permutation by;
    tensor_type shape;
    std::int32_t axis;
    value_id to;
    std::uint32_t previous;  ///< the position of the previous result of `moved` for the same constant, or `npos`
  };
  /// Returns the position in `moved_` of the last result of `moved` for the constant `id`, or `npos`.
  constexpr auto last_move(value_id id) const -> std::uint32_t { return index(id) < last_moves_.size() ? last_moves_[id] : npos; }

  vector<value_id> converted_;  ///< indexed by value: the value's copy in the other layout, or `none`
  vector<moved_constant> moved_;
  vector<std::uint32_t> last_moves_;  ///< indexed by value: the position in `moved_` of the value's last result, or `npos`
};

}  // namespace baton::detail
