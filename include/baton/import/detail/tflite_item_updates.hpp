// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Finds updates of one item of a tensor list. The converter of TensorFlow writes such an update as two slices and a concatenation.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/tflite_operator_codes.hpp>
#include <baton/import/detail/tflite_reading.hpp>
#include <baton/import/detail/tflite_same_quantization.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/detail/tflite_tensors.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::tflite::detail {

/// A search for item updates in one called graph. A loop of Keras stores its outputs in a list, a tensor with one item for each iteration,
/// along dimension 0. The converter expands the update of item `i` (`TensorListSetItem` in `lower_static_tensor_list.cc`) to these
/// operators:
///
///     size  = concatenation(reshape(i), [-1, ...])       head = slice(list, [0, ...], size)
///     begin = concatenation(reshape(i + 1), [0, ...])    tail = slice(list, begin, [-1, ...])
///     updated = concatenation(head, item, tail)
///
/// The sizes of `head` and `tail` depend on `i`, but `updated` has the shape of the list. So the importer reads the operators as
///
///     size  = concatenation(reshape(i), [0, ...])
///     updated = dynamic_update_slice(list, item, size)
///
/// If the items are scalars, `size` is `reshape(i)` and `begin` is `reshape(i + 1)`, and the importer keeps `size`.
///
/// Both sequences of operators compute the same `updated` for every index of the list. For other indices, TensorFlow Lite fails or changes
/// the shape of the list.
class item_updates {
 public:
  using table = flatbuffer::table;

  /// The action for an operator. A `read` operator is converted unchanged, and a `skip` operator is omitted. A `start` operator, which
  /// produces `size`, gets other inputs. An `update` operator, which produces `updated`, becomes a `dynamic_update_slice`.
  enum class action : std::uint8_t { read, skip, start, update };

  constexpr item_updates(reading& model, const operator_codes& codes, tensor_reader& reader)
      : reading_(model),
        codes_(codes),
        reader_(reader) {}

  /// Finds the updates of the current graph, whose table is `stored`. Finds no updates in the root graph, which is not a body of a loop.
  constexpr void begin(const table& stored) {
    actions_.clear();
    if (index(reading_.builder.current()) == 0 || !codes_.has(slice_code) || !codes_.has(concatenation_code)) return;
    tensors_ = stored.elements<table>(slot::subgraph::tensors);
    operations_ = stored.elements<table>(slot::subgraph::operators);
    reading_.charge_elements(tensors_.size() + operations_.size());
    if (!reading_.reader.ok()) return;
    index_tensors(stored.elements<std::int32_t>(slot::subgraph::outputs));
    actions_.assign(operations_.size(), {});
    for (std::size_t i = 0; i < operations_.size() && reading_.reader.ok(); ++i) {
      if (is_operator(i, "tfl.concatenation")) add_update(i);
    }
    // A `start` operator gets other inputs, so the value of its output `size` changes. If another operator uses this output, no operator of
    // the graph is changed.
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      if (actions_[i].what == action::start && uses_[position_of(i)] != 0) return actions_.clear();
    }
  }

  constexpr auto action_of(std::size_t operation) const -> action { return actions_.empty() ? action::read : actions_[operation].what; }

  /// Returns the inputs of an operator whose action is `start` or `update`.
  constexpr auto inputs_of(std::size_t operation) const -> span<const std::int32_t> {
    return {actions_[operation].inputs.data(), actions_[operation].what == action::start ? 2u : 3u};
  }

 private:
  /// An action, and the inputs that replace those of the operator: two for `start`, three for `update`.
  struct treatment {
    action what = action::read;
    std::array<std::int32_t, 3> inputs{};
  };
  static constexpr std::size_t no_operation = static_cast<std::size_t>(-1);

  constexpr void index_tensors(const flatbuffer::vector<std::int32_t>& graph_outputs) {
    producers_.assign(tensors_.size(), no_operation);
    uses_.assign(tensors_.size(), 0);
    const auto use = [&](const flatbuffer::vector<std::int32_t>& used) {
      for (std::size_t i = 0; i < used.size(); ++i) {
        if (is_tensor(used[i])) ++uses_[static_cast<std::size_t>(used[i])];
      }
    };
    for (std::size_t o = 0; o < operations_.size(); ++o) {
      use(operations_[o].elements<std::int32_t>(slot::operation::inputs));
      const auto results = operations_[o].elements<std::int32_t>(slot::operation::outputs);
      for (std::size_t i = 0; i < results.size(); ++i) {
        if (is_tensor(results[i])) producers_[static_cast<std::size_t>(results[i])] = o;
      }
    }
    use(graph_outputs);
  }

  /// Adds the update whose last operator is the concatenation `joined`, if `joined` ends an update.
  constexpr void add_update(std::size_t joined) {
    const auto parts = inputs(joined);
    const auto updated = output(joined);
    if (parts.size() != 3 || !is_tensor(updated) || !is_plain_join(joined)) return;
    const auto head = producer(parts[0], "tfl.slice"), tail = producer(parts[2], "tfl.slice");
    if (head == no_operation || tail == no_operation || head == tail || uses(parts[0]) != 1 || uses(parts[2]) != 1) return;
    const auto list = input(head, 0), item = parts[1], size = input(head, 2), tail_begin = input(tail, 1);
    if (input(tail, 0) != list || !is_item_of(item, list, updated)) return;
    const auto length = 4 * shape(list).size();
    const auto next = scalar_of(tail_begin, length, '\0');
    if (!is_filled(input(head, 1), length, '\0') || !is_filled(input(tail, 2), length, '\xff') ||
        !is_successor(next, scalar_of(size, length, '\xff')))
      return;
    actions_[head].what = actions_[tail].what = action::skip;
    actions_[joined] = {action::update, {list, item, size}};
    if (length > 4) {
      actions_[producer_of(size)] = {action::start, {input(producer_of(size), 0), input(producer_of(tail_begin), 1)}};
      --uses_[static_cast<std::size_t>(size)];
    }
    // The skipped tail no longer uses `begin`. If `begin` has no other user, its producer is also skipped, so the operand of this producer
    // loses a use, and so on.
    for (auto tensor = tail_begin; --uses_[static_cast<std::size_t>(tensor)] == 0; tensor = input(producer_of(tensor), 0)) {
      actions_[producer_of(tensor)].what = action::skip;
      if (tensor == next) return;
    }
  }

  // Operators

  constexpr auto is_operator(std::size_t operation, literal_name name) const -> bool {
    const auto code = operations_[operation].scalar<std::uint32_t>(slot::operation::opcode_index);
    return code < codes_.size() && codes_[code].op == name.hash;
  }
  constexpr auto inputs(std::size_t operation) const -> flatbuffer::vector<std::int32_t> {
    return operations_[operation].elements<std::int32_t>(slot::operation::inputs);
  }
  /// Returns an input of an operator, or -1 if the operator has no such input.
  constexpr auto input(std::size_t operation, std::size_t position) const -> std::int32_t {
    const auto all = inputs(operation);
    return position < all.size() ? all[position] : -1;
  }
  /// Returns the only output of an operator, or -1.
  constexpr auto output(std::size_t operation) const -> std::int32_t {
    const auto all = operations_[operation].elements<std::int32_t>(slot::operation::outputs);
    return all.size() == 1 ? all[0] : -1;
  }
  constexpr auto position_of(std::size_t operation) const -> std::size_t { return static_cast<std::size_t>(output(operation)); }
  /// Returns the operator that produces a tensor, if this operator has the name `name` and a single output; otherwise returns
  /// `no_operation`.
  constexpr auto producer(std::int32_t tensor, literal_name name) const -> std::size_t {
    if (!is_tensor(tensor)) return no_operation;
    const auto operation = producer_of(tensor);
    return operation != no_operation && is_operator(operation, name) && output(operation) == tensor ? operation : no_operation;
  }
  constexpr auto producer_of(std::int32_t tensor) const -> std::size_t { return producers_[static_cast<std::size_t>(tensor)]; }
  /// Returns the options of an operator. The result is absent if the union type of the options is not `type`.
  constexpr auto options(std::size_t operation, std::uint8_t type) const -> table {
    const auto stored = operations_[operation].member(slot::operation::builtin_options_type);
    return stored.type == type ? stored.value : table{};
  }
  /// True for a concatenation along dimension 0 without an activation.
  constexpr auto is_plain_join(std::size_t operation) const -> bool {
    const auto stored = options(operation, 10);  // ConcatenationOptions: axis, activation
    return stored.scalar<std::int32_t>(0) == 0 && stored.scalar<std::int8_t>(1) == 0;
  }
  /// True for a concatenation of two tensors along dimension 0 without an activation.
  constexpr auto joins_two(std::size_t operation) const -> bool {
    return operation != no_operation && inputs(operation).size() == 2 && is_plain_join(operation);
  }

  // Tensors

  constexpr auto is_tensor(std::int32_t tensor) const -> bool { return tensor >= 0 && static_cast<std::size_t>(tensor) < tensors_.size(); }
  constexpr auto stored_tensor(std::int32_t tensor) const -> table { return tensors_[static_cast<std::size_t>(tensor)]; }
  constexpr auto uses(std::int32_t tensor) const -> std::uint32_t { return uses_[static_cast<std::size_t>(tensor)]; }
  constexpr auto shape(std::int32_t tensor) const -> flatbuffer::vector<std::int32_t> {
    return stored_tensor(tensor).elements<std::int32_t>(slot::tensor::shape);
  }
  constexpr auto type(std::int32_t tensor) const -> std::int8_t { return stored_tensor(tensor).scalar<std::int8_t>(slot::tensor::type); }
  /// Returns a size of a tensor, or -1 if the file leaves it open.
  constexpr auto size(std::int32_t tensor, std::size_t d) const -> std::int32_t {
    const auto signature = stored_tensor(tensor).elements<std::int32_t>(slot::tensor::shape_signature);
    return d < signature.size() && signature[d] < 0 ? -1 : shape(tensor)[d];
  }
  /// True if `item` is a slice of `list` of size 1 in dimension 0, and `updated` has the type of `list`. The file may leave sizes of `list`
  /// and dimension 0 of `updated` open. The other sizes of `updated` are stated, so `check_inference` compares these sizes with the sizes
  /// of `list`.
  constexpr auto is_item_of(std::int32_t item, std::int32_t list, std::int32_t updated) const -> bool {
    if (!is_tensor(item) || !is_tensor(list)) return false;
    const auto rank = shape(list).size();
    bool all = rank != 0 && shape(item).size() == rank && shape(updated).size() == rank && size(item, 0) == 1;
    for (std::size_t d = 0; d < rank && all; ++d) {
      const auto stated = size(list, d), result = size(updated, d);
      all = (stated < 0 || (d == 0 && result < 0) || result == stated) && (d == 0 || (result >= 0 && result == size(item, d)));
    }
    for (const auto tensor : {item, updated}) {
      all = all && type(tensor) == type(list) && has_quantization_of(stored_tensor(tensor), stored_tensor(list));
    }
    return all;
  }
  /// Returns the bytes of a constant of type int32; empty if the tensor is not such a constant.
  constexpr auto constant(std::int32_t tensor) -> std::string_view {
    if (!is_tensor(tensor) || producer_of(tensor) != no_operation || type(tensor) != int32_code) return {};
    const auto data = reader_.data_of(stored_tensor(tensor));
    reading_.charge_elements(data.size);
    return reading_.reader.ok() ? reading_.builder.draft().text(data) : std::string_view{};
  }
  /// True if a tensor is an int32 constant of `size` > 0 bytes, and all its bytes are `byte`.
  constexpr auto is_filled(std::int32_t tensor, std::size_t size, char byte) -> bool {
    const auto data = constant(tensor);
    return !data.empty() && data.size() == size && std::all_of(data.begin(), data.end(), [&](char each) { return each == byte; });
  }
  /// If a tensor of `length` bytes is a reshaped int32 scalar followed by constant bytes with the value `filler`, returns the scalar.
  /// Otherwise returns -1.
  constexpr auto scalar_of(std::int32_t tensor, std::size_t length, char filler) -> std::int32_t {
    if (length > 4) {
      const auto joined = producer(tensor, "tfl.concatenation");
      if (!joins_two(joined) || !is_filled(input(joined, 1), length - 4, filler)) return -1;
      tensor = input(joined, 0);
    }
    const auto reshaped = producer(tensor, "tfl.reshape");
    if (reshaped == no_operation) return -1;
    const auto scalar = input(reshaped, 0);
    return is_tensor(scalar) && type(scalar) == int32_code && shape(scalar).empty() ? scalar : -1;
  }
  /// True if `next` is `scalar` + 1.
  constexpr auto is_successor(std::int32_t next, std::int32_t scalar) -> bool {
    const auto sum = producer(next, "tfl.add");
    if (sum == no_operation || !is_tensor(scalar) || input(sum, 0) != scalar || options(sum, 11).scalar<std::int8_t>(0) != 0) return false;
    return constant(input(sum, 1)) == std::string_view("\1\0\0\0", 4);
  }

  static constexpr std::int8_t int32_code = 2;           ///< TensorType.INT32
  static constexpr std::int32_t concatenation_code = 2;  ///< BuiltinOperator.CONCATENATION
  static constexpr std::int32_t slice_code = 65;         ///< BuiltinOperator.SLICE

  reading& reading_;
  const operator_codes& codes_;
  tensor_reader& reader_;
  flatbuffer::vector<table> tensors_;
  flatbuffer::vector<table> operations_;
  vector<std::size_t> producers_;  ///< the operator that produces each tensor, or `no_operation`
  vector<std::uint32_t> uses_;     ///< the number of uses of each tensor
  vector<treatment> actions_;      ///< indexed by operator; empty if the graph cannot have updates
};

}  // namespace baton::tflite::detail
