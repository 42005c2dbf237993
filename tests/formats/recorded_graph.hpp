// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The graphs that partitions.json records, as programs.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include "formats/json_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace formats {

/// A graph as ExecuTorch showed it to a partitioner. Types, weights and attributes are omitted, because a support that lists nodes does not
/// depend on them. A `getitem` is an output of its node. The name of a node in a branch or a body begins with the name of its graph.
class recorded_graph {
 public:
  explicit recorded_graph(const json_tree& graph) {
    add_nodes(graph, {});
    program = build_.finish();
  }

  baton::exported_program program;
  std::map<std::int64_t, std::string> names;    ///< by debug handle; each node has a different one
  std::map<std::string, std::int64_t> handles;  ///< the debug handle of each node

 private:
  struct references {
    std::vector<baton::value_id> values;
    std::vector<baton::graph_id> graphs;
  };
  struct graph_names {
    std::map<std::string, std::vector<baton::value_id>> values;  ///< the outputs of each node
    std::map<std::string, baton::graph_id> modules, graphs;      ///< by attribute; by the node that reads the attribute

    void append(const json_tree& argument, references& to) const {
      const auto* const node = argument.find("node");
      if (node == nullptr) {
        for (const auto& item : argument.items) append(item, to);
      } else if (const auto graph = graphs.find(node->value); graph != graphs.end()) {
        to.graphs.push_back(graph->second);
      } else {
        to.values.push_back(values.at(node->value).at(0));
      }
    }
  };

  void add_nodes(const json_tree& graph, const std::string& path) {
    graph_names known;
    if (const auto* modules = graph.find("submodules")) {
      const auto outer = build_.current();
      for (const auto& each : modules->items) {
        known.modules[each.key] = build_.add_graph(path + each.key);
        add_nodes(each, path + each.key + "/");
        build_.enter(outer);
      }
    }
    for (const auto& each : graph.at("nodes").items) add_node(each, path, known);
  }

  void add_node(const json_tree& stated, const std::string& path, graph_names& known) {
    constexpr auto type = baton::tensor(baton::dtype::float32, 1);
    const auto& name = stated.at("name").value;
    const auto& kind = stated.at("op").value;
    const auto& target = stated.at("target").value;
    if (kind == "placeholder") {
      known.values[name] = {build_.user_input(path + name, type)};
    } else if (kind == "get_attr" && known.modules.contains(target)) {
      known.graphs[name] = known.modules.at(target);
    } else if (kind == "get_attr") {
      known.values[name] = {build_.constant(path + target, type)};
    } else if (target == "_operator.getitem") {
      const auto& arguments = stated.at("args").items;
      const auto& outputs = known.values.at(arguments.at(0).at("node").value);
      known.values[name] = {outputs.at(static_cast<std::size_t>(arguments.at(1).number()))};
    } else {
      references used;
      for (const char* key : {"args", "kwargs"}) {
        if (const auto* arguments = stated.find(key)) known.append(*arguments, used);
      }
      if (kind == "output") {
        for (const auto id : used.values) build_.output(id);
        return;
      }
      const auto* const value = stated.find("value");
      const bool is_list = value != nullptr && !value->items.empty() && value->items[0].type == json_tree::kind::list;
      auto& outputs = known.values[name];
      for (std::size_t i = 0; i < (is_list ? value->items.size() : 1); ++i)
        outputs.push_back(build_.add_value(build_.make_value(path + name, type, baton::value_kind::intermediate)));
      const auto record = build_.make_node(path + name, target);
      build_.add_node(record, used.values, outputs);
      if (!used.graphs.empty()) build_.set_subgraphs(used.graphs);
      names[record.debug_handle] = path + name;
      handles[path + name] = record.debug_handle;
    }
  }

  baton::program_builder build_;
};

}  // namespace formats
