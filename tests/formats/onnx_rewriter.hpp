// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Other ONNX files with the same meaning: names, the order of nodes and fields, and the representation of tensors and numbers are changed
// at random. The same seed produces the same files on every machine. ONNX requires that a node follows the nodes whose outputs it uses; the
// importer does not, and shuffled nodes are in any order.
#pragma once

#include "formats/onnx_tree.hpp"
#include "properties/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace formats {

/// The changes, as bits. `all_changes` is every one of them.
enum change : unsigned {
  renamed_values = 1,
  other_tensor_data = 2,
  moved_constants = 4,
  other_scale_ranks = 8,
  no_stated_types = 16,
  other_packing = 32,
  shuffled_nodes = 64,
  shuffled_fields = 128,
  extra_fields = 256,
  extra_nodes = 512,
  all_changes = 1023
};

class onnx_rewriter {
 public:
  onnx_rewriter(std::string_view file, std::uint64_t seed) : model_(read_tree(file)), random_(seed) {}

  /// Returns a changed file. Each change in `allowed` is made with a probability of three quarters.
  auto next(unsigned allowed = all_changes) -> std::string {
    auto model = model_;
    const auto applies = [&](change which) { return !random_.once_in(4) && (allowed & which) != 0; };
    if (applies(other_scale_ranks)) change_scale_ranks(model);
    if (applies(other_tensor_data)) for_each_message(model, message_kind::tensor, [&](tree_field& tensor) { change_data(tensor); });
    if (applies(moved_constants)) for_each_message(model, message_kind::graph, [&](tree_field& graph) { move_constants(graph); });
    if (applies(extra_nodes)) for_each_message(model, message_kind::graph, [&](tree_field& graph) { add_nodes(graph); });
    if (applies(no_stated_types)) {
      for_each_message(model, message_kind::graph, [&](tree_field& graph) { erase_some(graph, field::graph_value_info); });
    }
    if (applies(renamed_values)) rename(model);
    if (applies(shuffled_nodes)) {
      for_each_message(model, message_kind::graph, [&](tree_field& graph) { shuffle(graph, field::graph_node); });
      for_each_message(model, message_kind::graph, [&](tree_field& graph) { shuffle(graph, field::graph_initializer); });
      for_each_message(model, message_kind::node, [&](tree_field& node) { shuffle(node, field::node_attribute); });
    }
    if (applies(other_packing)) {
      for_each_message(model, message_kind::tensor, [&](tree_field& tensor) { change_packing(tensor, {1, 4, 5, 7, 10, 11}); });
      for_each_message(model, message_kind::attribute, [&](tree_field& attribute) { change_packing(attribute, {7, 8}); });
    }
    if (applies(extra_fields)) add_fields(model);
    if (applies(shuffled_fields)) shuffle_fields(model);
    return bytes_of_tree(model);
  }

 private:
  struct field {
    enum : std::uint32_t {
      graph_node = 1,
      graph_initializer = 5,
      graph_input = 11,
      graph_output = 12,
      graph_value_info = 13,
      node_input = 1,
      node_output = 2,
      node_name = 3,
      node_operator = 4,
      node_attribute = 5,
      attribute_name = 1,
      attribute_tensor = 5,
      attribute_type = 20,
      tensor_dims = 1,
      tensor_type = 2,
      tensor_float_data = 4,
      tensor_int32_data = 5,
      tensor_int64_data = 7,
      tensor_name = 8,
      tensor_raw_data = 9,
      tensor_location = 14,
      value_name = 1
    };
  };

  // Names

  auto new_name(const std::string& name) -> std::string {
    if (name.empty()) return name;  // an omitted operand
    const auto number = names_.size() + 1;
    return names_.emplace(name, std::to_string(number)).first->second;
  }
  void rename_texts(tree_field& message, std::uint32_t number) {
    for (auto& each : message.fields) {
      if (each.number == number) each.bytes = new_name(each.bytes);
    }
  }
  /// Equal names become equal numbers, so each name still refers to the same value, also from a body.
  void rename(tree_field& model) {
    names_.clear();
    for_each_message(model, message_kind::graph, [&](tree_field& graph) {
      for (auto& each : graph.fields) {
        if (each.number == field::graph_initializer) rename_texts(each, field::tensor_name);
        if (each.kind == message_kind::value) rename_texts(each, field::value_name);
      }
    });
    for_each_message(model, message_kind::node, [&](tree_field& node) {
      rename_texts(node, field::node_input);
      rename_texts(node, field::node_output);
      if (random_.once_in(2)) node.remove(field::node_name);
    });
  }

  // Tensors

  /// Stores the elements in `raw_data`, or in the list of their type.
  void change_data(tree_field& tensor) {
    struct layout {
      std::uint32_t list;
      std::size_t width;
      bool has_sign;
    };
    static const std::map<std::uint64_t, layout> layouts = {
        {1, {field::tensor_float_data, 4, false}}, {2, {field::tensor_int32_data, 1, false}}, {3, {field::tensor_int32_data, 1, true}},
        {6, {field::tensor_int32_data, 4, true}},  {7, {field::tensor_int64_data, 8, true}},  {9, {field::tensor_int32_data, 1, false}}};
    const auto entry = layouts.find(tensor.integer(field::tensor_type));
    if (entry == layouts.end() || tensor.integer(field::tensor_location) != 0 || random_.once_in(2)) return;
    const auto [list, width, has_sign] = entry->second;
    const bool is_real = list == field::tensor_float_data;
    if (tensor.has(field::tensor_raw_data)) {
      const auto raw = tensor.text(field::tensor_raw_data);
      tree_field typed{.number = list, .wire = 2};
      for (std::size_t at = 0; at + width <= raw.size(); at += width) {
        std::uint64_t bits = 0;
        for (std::size_t i = width; i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(raw[at + i]);
        if (has_sign && width < 8 && (bits >> (8 * width - 1) & 1) != 0) bits |= ~std::uint64_t{0} << (8 * width);
        if (!is_real) append_varint(typed.bytes, bits);
      }
      if (is_real) typed.bytes = raw;
      tensor.remove(field::tensor_raw_data);
      if (!typed.bytes.empty()) tensor.fields.push_back(typed);
    } else if (tensor.has(list)) {
      std::string raw;
      for (const auto& each : tensor.fields) {
        if (each.number != list) continue;
        if (is_real) raw += each.bytes;
        std::string_view left = each.bytes;
        for (bool is_first = true; !is_real && (!left.empty() || (is_first && each.wire == 0)); is_first = false) {
          const auto bits = each.wire == 0 ? each.value : take_varint(left);
          for (std::size_t i = 0; i < width; ++i) raw.push_back(static_cast<char>(bits >> (8 * i) & 0xff));
        }
      }
      tensor.remove(list);
      tensor.fields.push_back(text_field(field::tensor_raw_data, raw));
    }
  }

  /// Initializers become `Constant` nodes, and `Constant` nodes become initializers. An initializer that is an input remains.
  void move_constants(tree_field& graph) {
    std::set<std::string> inputs;
    for (const auto& each : graph.fields) {
      if (each.number == field::graph_input) inputs.insert(each.text(field::value_name));
    }
    for (auto& each : graph.fields) {
      if (random_.once_in(2)) continue;
      if (each.number == field::graph_initializer && !inputs.contains(each.text(field::tensor_name))) {
        each = constant_node(each);
      } else if (each.kind == message_kind::node && each.text(field::node_operator) == "Constant") {
        for (const auto& attribute : each.fields) {
          if (attribute.number != field::node_attribute || attribute.text(field::attribute_name) != "value") continue;
          auto tensor = attribute.fields;
          std::erase_if(tensor, [](const tree_field& of) { return of.number != field::attribute_tensor; });
          auto initializer = tensor.at(0);
          initializer.number = field::graph_initializer;
          initializer.remove(field::tensor_name);
          initializer.fields.push_back(text_field(field::tensor_name, each.text(field::node_output)));
          const auto moved = initializer;
          each = moved;
          break;
        }
      }
    }
  }
  auto constant_node(tree_field tensor) -> tree_field {
    const auto name = tensor.text(field::tensor_name);
    tensor.number = field::attribute_tensor;
    if (random_.once_in(2)) tensor.remove(field::tensor_name);
    tree_field attribute{.number = field::node_attribute, .kind = message_kind::attribute};
    attribute.fields = {text_field(field::attribute_name, "value"), tensor, integer_field(field::attribute_type, 4)};
    tree_field node{.number = field::graph_node, .kind = message_kind::node};
    node.fields = {text_field(field::node_output, name), text_field(field::node_operator, "Constant"), attribute};
    return node;
  }

  /// Scales and zero points of one element get the rank 0 or 1. The scale and the zero point of a pair get the same rank.
  void change_scale_ranks(tree_field& model) {
    static const std::map<std::string, std::vector<std::size_t>> scales_of = {
        {"QuantizeLinear", {1}}, {"DequantizeLinear", {1}}, {"QLinearConv", {1, 6}}, {"QGemm", {1, 7}}};
    std::map<std::string, bool> has_rank;
    for_each_message(model, message_kind::node, [&](tree_field& node) {
      const auto entry = scales_of.find(node.text(field::node_operator));
      if (entry == scales_of.end()) return;
      std::vector<std::string> inputs;
      for (const auto& each : node.fields) {
        if (each.number == field::node_input) inputs.push_back(each.bytes);
      }
      for (const auto at : entry->second) {
        if (at >= inputs.size()) continue;
        const bool rank = has_rank.emplace(inputs[at], random_.once_in(2)).first->second;
        if (at + 1 < inputs.size()) has_rank[inputs[at + 1]] = rank;
      }
    });
    // Other operators support only scalars.
    for_each_message(model, message_kind::node, [&](tree_field& node) {
      const auto name = node.text(field::node_operator);
      if (!name.starts_with("QLinear") || name == "QLinearConv") return;
      for (const auto& each : node.fields) has_rank.erase(each.number == field::node_input ? each.bytes : "");
    });
    for_each_message(model, message_kind::tensor, [&](tree_field& tensor) {
      const auto entry = has_rank.find(tensor.text(field::tensor_name));
      if (entry == has_rank.end()) return;
      for (const auto size : tensor.integers(field::tensor_dims)) {
        if (size != 1) return;
      }
      tensor.remove(field::tensor_dims);
      if (entry->second) tensor.fields.push_back(integer_field(field::tensor_dims, 1));
    });
  }

  // Nodes

  /// Some users of a dequantized value get a dequantization of their own, and some operands are copied by `Identity`.
  void add_nodes(tree_field& graph) {
    std::map<std::string, tree_field> producers;
    for (const auto& each : graph.fields) {
      if (each.kind == message_kind::node) producers.emplace(each.text(field::node_output), each);
    }
    std::vector<tree_field> added;
    for (auto& each : graph.fields) {
      if (each.kind != message_kind::node) continue;
      for (auto& operand : each.fields) {
        const auto producer = producers.find(operand.bytes);
        if (operand.number != field::node_input || producer == producers.end()) continue;
        const auto op = producer->second.text(field::node_operator);
        const auto name = "added " + std::to_string(++added_values_);
        if (op == "DequantizeLinear" && random_.once_in(2)) {
          auto copy = producer->second;
          copy.remove(field::node_output);
          copy.remove(field::node_name);
          copy.fields.push_back(text_field(field::node_output, name));
          added.push_back(copy);
          operand.bytes = name;
        } else if (op != "Constant" && random_.once_in(8)) {
          tree_field copy{.number = field::graph_node, .kind = message_kind::node};
          copy.fields = {text_field(field::node_input, operand.bytes), text_field(field::node_output, name),
                         text_field(field::node_operator, "Identity")};
          added.push_back(copy);
          operand.bytes = name;
        }
      }
    }
    // In front of all other nodes, because the order of nodes does not matter.
    graph.fields.insert(graph.fields.begin(), added.begin(), added.end());
  }

  // Fields

  void erase_some(tree_field& message, std::uint32_t number) {
    const bool all = random_.once_in(2);
    std::erase_if(message.fields, [&](const tree_field& each) { return each.number == number && (all || random_.once_in(2)); });
  }

  /// Repeated numbers are packed, stored one by one, or a mixture of both.
  void change_packing(tree_field& message, std::initializer_list<std::uint32_t> numbers) {
    for (const auto number : numbers) {
      if (random_.once_in(3)) continue;
      std::size_t width = 0;  // of fixed numbers
      if (number == (message.kind == message_kind::tensor ? 4u : 7u)) width = 4;
      if (number == 10) width = 8;
      std::vector<tree_field> elements;
      for (const auto& each : message.fields) {
        if (each.number != number) continue;
        if (each.wire != 2) elements.push_back(each);
        if (each.wire != 2) continue;
        for (std::string_view left = each.bytes; !left.empty();) {
          if (width == 0) elements.push_back(integer_field(number, take_varint(left)));
          if (width == 0) continue;
          elements.push_back({.number = number, .wire = width == 4 ? 5u : 1u, .bytes = std::string(left.substr(0, width))});
          left.remove_prefix(width);
        }
      }
      if (elements.empty()) continue;
      message.remove(number);
      for (std::size_t at = 0; at < elements.size();) {
        if (random_.once_in(2)) {
          message.fields.push_back(elements[at++]);
          continue;
        }
        tree_field packed{.number = number, .wire = 2};
        const auto end = std::min(elements.size(), at + 1 + random_.below(elements.size()));
        for (; at < end; ++at) {
          if (width == 0) append_varint(packed.bytes, elements[at].value);
          packed.bytes += elements[at].bytes;
        }
        message.fields.push_back(packed);
      }
    }
  }

  /// Puts documentation and fields that ONNX does not define in front of other fields.
  void add_fields(tree_field& model) {
    static const std::map<message_kind, std::uint32_t> documentation = {{message_kind::model, 6},   {message_kind::graph, 10},
                                                                        {message_kind::node, 6},    {message_kind::attribute, 13},
                                                                        {message_kind::tensor, 12}, {message_kind::value, 3}};
    for (const auto& [kind, number] : documentation) {
      for_each_message(model, kind, [&, number = number](tree_field& message) {
        if (random_.once_in(2)) message.fields.insert(message.fields.begin(), text_field(number, "\x0a\x03 documentation"));
        if (!random_.once_in(3)) return;
        const std::uint32_t unknown = static_cast<std::uint32_t>(1000 + random_.below(100'000));
        const tree_field kinds[] = {integer_field(unknown, ~std::uint64_t{0}),
                                    text_field(unknown, std::string(300, '\xff')),
                                    {.number = unknown, .wire = 5, .bytes = "1234"},
                                    {.number = unknown, .wire = 1, .bytes = "12345678"}};
        message.fields.insert(message.fields.begin(), kinds[random_.below(4)]);
      });
    }
  }

  /// Exchanges the fields that have the same number.
  void shuffle(tree_field& message, std::uint32_t number) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < message.fields.size(); ++i) {
      if (message.fields[i].number == number) places.push_back(i);
    }
    for (std::size_t i = places.size(); i > 1; --i) std::swap(message.fields[places[i - 1]], message.fields[places[random_.below(i)]]);
  }
  /// Interleaves the fields of each message. Fields with equal numbers remain in their order.
  void shuffle_fields(tree_field& message) {
    std::map<std::uint32_t, std::vector<tree_field>> lists;
    std::vector<std::uint32_t> order;
    for (auto& each : message.fields) {
      if (each.kind != message_kind::leaf) shuffle_fields(each);
      order.push_back(each.number);
      lists[each.number].push_back(std::move(each));
    }
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_.below(i)]);
    std::map<std::uint32_t, std::size_t> next;
    message.fields.clear();
    for (const auto number : order) message.fields.push_back(std::move(lists[number][next[number]++]));
  }

  tree_field model_;
  properties::random_numbers random_;
  std::map<std::string, std::string> names_;
  std::size_t added_values_ = 0;
};

}  // namespace formats
