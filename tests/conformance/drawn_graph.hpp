// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Graphs and parts in the notation of the specification's tables.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/partition/by_lists.hpp>
#include <baton/partition/shared/proposed_parts.hpp>

#include "conformance/name_lookup.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace conformance {

/// Builds a program from a text such as `conv(x;1) relu(conv) add(conv,relu) -> add`. The text has the nodes in order, with their operands.
/// After a semicolon, it has the layer whose weight and bias the node uses. The operator is the name without the number after its last
/// underscore. A name that no node has is a user input, or a buffer if it begins with `b_`.
class drawn_graph {
 public:
  constexpr explicit drawn_graph(std::string_view text) : rest_(text) {}

  constexpr auto make() -> baton::exported_program {
    while (!rest_.empty() && rest_.front() != '-') node();
    if (!rest_.empty()) word(" ");
    while (!rest_.empty()) b_.output(value(word(" ")));
    return b_.finish();
  }

 private:
  constexpr auto word(std::string_view ends) -> std::string_view {
    const auto end = std::min(rest_.find_first_of(ends), rest_.size());
    const auto result = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return result;
  }

  static constexpr auto stem(std::string_view name) -> std::string_view {
    const auto digits = name.find_last_not_of("0123456789");
    return digits + 1 < name.size() && name[digits] == '_' ? name.substr(0, digits) : name;
  }

  template <class Make>
  constexpr auto known(std::string_view name, Make make) -> baton::value_id {
    for (const auto& [text, id] : values_) {
      if (baton::view(text) == name) return id;
    }
    values_.emplace_back(baton::join(name), make());
    return values_.back().second;
  }

  constexpr auto value(std::string_view name) -> baton::value_id {
    return known(name, [&] { return name.substr(0, 2) == "b_" ? b_.buffer(name.substr(2), type_) : b_.user_input(name, type_); });
  }

  constexpr void node() {
    const auto name = word("(");
    baton::vector<baton::value_id> inputs;
    auto arguments = word(")");
    const auto semicolon = arguments.find(';');
    auto list = arguments.substr(0, semicolon);
    while (!list.empty()) {
      const auto end = std::min(list.find(','), list.size());
      inputs.push_back(value(list.substr(0, end)));
      list.remove_prefix(std::min(end + 1, list.size()));
    }
    if (semicolon != std::string_view::npos) {
      const auto layer = arguments.substr(semicolon + 1);
      for (const std::string_view part : {".weight", ".bias"}) {
        const auto target = baton::join(stem(name), layer, part);
        inputs.push_back(known(baton::view(target), [&] { return b_.parameter(baton::view(target), type_); }));
      }
    }
    const auto output = b_.add_value(b_.make_value(name, type_, baton::value_kind::intermediate));
    b_.add_node(b_.make_node(name, stem(name)), inputs, baton::span{&output, 1});
    values_.emplace_back(baton::join(name), output);
    if (!rest_.empty()) rest_.remove_prefix(1);
  }

  static constexpr auto type_ = baton::tensor(baton::dtype::float32, 2, 2);
  std::string_view rest_;
  baton::program_builder b_;
  baton::vector<std::pair<baton::text_buffer, baton::value_id>> values_;
};

constexpr auto draw(std::string_view text) -> baton::exported_program { return drawn_graph(text).make(); }

/// A list of nodes and owned data, from names separated by commas.
constexpr auto listed(const baton::program_view& program, std::string_view names) -> baton::node_list {
  baton::node_list list{{}, {}};
  while (!names.empty()) {
    const auto end = std::min(names.find(','), names.size());
    const auto name = names.substr(0, end);
    if (const auto node = node_named(program, name); node != baton::none<baton::node_id>) {
      list.nodes.push_back(node);
    } else {
      list.placeholders.push_back(value_named(program, name));
    }
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return list;
}

/// Parts as text, each with its names in alphabetical order: `{add,linear} {relu}`, or `{4:add,linear} {7:relu}` with ids.
constexpr auto parts_text(const baton::program_view& program, const baton::proposed_parts& parts, bool with_ids = false)
    -> baton::text_buffer {
  baton::text_buffer text;
  for (const auto& part : parts) {
    baton::vector<std::string_view> names;
    for (const auto id : part.nodes) names.push_back(program.text(program[id].name));
    for (const auto id : part.placeholders) names.push_back(program.text(program[id].name));
    std::sort(names.begin(), names.end());
    baton::append(text, text.empty() ? "{" : " {");
    if (with_ids) baton::append(baton::append(text, part.id), ":");
    for (std::size_t i = 0; i < names.size(); ++i) baton::append(baton::append(text, i == 0 ? "" : ","), names[i]);
    baton::append(text, "}");
  }
  return text;
}

/// A support that accepts the nodes with these names.
template <baton::fixed_string... Names>
struct named {
  static constexpr auto supports(const baton::program_view& program, const baton::node& candidate) -> baton::verdict {
    const auto name = program.text(candidate.name);
    if (((name == std::string_view(Names)) || ...)) return baton::accept();
    return baton::refuse();
  }
};

}  // namespace conformance
