// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The parts of `by_support` against the parts that ExecuTorch's partitioners formed, which are recorded in partitions.json. docs/pt2.md has
// the counts of each case; BATON_WRITE_PAGES=1 writes them.
#include <baton/backend/backend.hpp>
#include <baton/backend/backends.hpp>
#include <baton/backend/delegate_mapping.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/compat/executorch/group_partitioner.hpp>
#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/lower/shared/check_parts.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_lists.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/node_list.hpp>
#include <baton/partition/partitioner.hpp>

#include "formats/json_tree.hpp"
#include "formats/page_table.hpp"
#include "formats/portable_run.hpp"
#include "formats/pt2_case.hpp"
#include "formats/recorded_graph.hpp"
#include "formats/zip_records.hpp"
#include "needs_shared.hpp"
#include "partition/greedy_merge.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace baton;
using formats::json_tree;

using name_set = std::set<std::string>;
using part_list = std::map<std::string, name_set>;  ///< names of nodes by tag; a tag in a branch or body begins with the graph's name
using handle_set = std::set<std::int64_t>;          ///< debug handles of nodes
using handle_names = std::map<std::int64_t, std::string>;  ///< names of nodes or tags, by debug handle

/// A backend that maps debug handles as BackendWithCompilerDemo does, for all operators.
struct npu {
  static constexpr auto id = name<"Npu">;

  static auto preprocess(const exported_program& part, const compile_specs&) -> result<preprocess_result> {
    preprocess_result processed;
    delegate_mapping_builder mapping;
    for (const auto& each : program_view(part).nodes_of(part.root())) {
      const auto inserted = mapping.insert(each, delegate_mapping_builder::debug_identifier(std::int64_t{each.debug_handle}));
      if (!inserted) return inserted.error;
    }
    processed.debug_handle_map = mapping.entries();
    return processed;
  }
};

/// Supports the nodes with these debug handles. In the programs of this test, each node has a different one.
struct listed_handles {
  static inline handle_set handles{};

  static auto supports(const program_view&, const node& candidate) -> verdict {
    if (handles.contains(candidate.debug_handle)) return accept();
    return refuse("the recorded partitioner does not support it");
  }
};

/// The groups that `by_listed_groups` keeps whole.
struct listed_groups {
  static inline vector<node_list> lists{};

  auto operator()(const program_view&) const -> vector<node_list> { return lists; }
};
using by_listed_handles = by_support<npu, listed_handles>;
using by_listed_groups = by_groups<npu, listed_groups{}, listed_handles>;

auto texts_of(const json_tree& list) -> std::vector<std::string> {
  std::vector<std::string> texts;
  for (const auto& item : list.items) texts.push_back(item.value);
  return texts;
}
auto path_of(const std::string& node) -> std::string { return node.substr(0, node.rfind('/') + 1); }
auto name_of(const program_view& program, const node& record) -> std::string { return std::string(program.text(record.name)); }

/// Counts the recorded parts that Baton forms, too. The nodes are those of the parts.
struct part_counts {
  std::size_t parts = 0, equal_parts = 0, equal_tags = 0;
  std::size_t nodes = 0, equal_nodes = 0;

  /// Adds the parts of one program.
  void add(const part_list& expected, const part_list& actual) {
    CHECK(actual.size() == expected.size());
    for (const auto& [tag, part] : expected) {
      CAPTURE(tag);
      const auto same = std::find_if(actual.begin(), actual.end(), [&](const auto& each) { return each.second == part; });
      CHECK(same != actual.end());
      parts += 1;
      nodes += part.size();
      if (same == actual.end()) continue;
      equal_parts += 1;
      equal_nodes += part.size();
      equal_tags += same->first == tag ? 1 : 0;
    }
  }
  auto text() const -> std::string {
    if (parts == 0) return "-";
    return std::to_string(equal_parts) + " of " + std::to_string(parts);
  }
  auto node_text() const -> std::string {
    if (nodes == 0) return "-";
    return std::to_string(equal_nodes) + " of " + std::to_string(nodes);
  }
};

/// Returns the parts of a partitioner. Checks that exactly the nodes with the handles `supported` have parts, and that the parts form no
/// cycle.
template <class Partitioner>
auto parts_of(const exported_program& program, const handle_set& supported, const handle_names& names) -> part_list {
  listed_handles::handles = supported;
  const auto tagged = tag_program(exported_program(program), Partitioner{}, validation::off);
  REQUIRE(tagged);
  CHECK(!check_parts(tagged.value));
  CHECK(reference::is_acyclic(tagged.value));
  const program_view view(tagged.value);
  part_list parts;
  for (const auto& each : view.nodes) {
    CHECK((each.tag != none<tag_id>) == supported.contains(each.debug_handle));
    if (each.tag == none<tag_id>) continue;
    const auto& name = names.at(each.debug_handle);
    parts[path_of(name) + std::string(view.text(view[each.tag].name))].insert(name);
  }
  return parts;
}

/// Returns, for each node, the positions of the nodes whose outputs it uses.
auto dependencies_of(const program_view& program) -> std::vector<std::set<std::size_t>> {
  std::map<value_id, std::size_t> producers;
  std::vector<std::set<std::size_t>> result;
  for (const auto& each : program.nodes) {
    for (const auto id : program.outputs_of(each)) producers[id] = result.size();
    result.emplace_back();
    for (const auto id : program.inputs(each)) {
      if (const auto entry = producers.find(id); entry != producers.end()) result.back().insert(entry->second);
    }
  }
  return result;
}

/// A program after the passes. The debug handle of each node is its position in the file, counted from 1. The nodes of a recorded part are
/// the nodes that come from nodes of the part.
class legal_parts {
 public:
  /// `part_of` has the tag of each debug handle of the file.
  legal_parts(const program_view& file, exported_program legal, const handle_names& part_of) : program(std::move(legal)) {
    const program_view view(program);
    for (const auto& each : view.nodes) {
      name_set tags;
      const auto add = [&](std::int64_t handle) {
        if (handle < 1 || handle > static_cast<std::int64_t>(file.nodes.size())) return;
        const auto entry = part_of.find(handle);
        tags.insert(entry == part_of.end() ? std::string{} : entry->second);
      };
      add(each.debug_handle);
      for (const auto handle : view.folded_handles(each)) add(handle);
      CHECK(tags.size() <= 1);  // no node comes from two parts
      tags_.push_back(std::move(tags));
    }
    for (std::size_t n = 0; n < program.nodes.size(); ++n) program.nodes[n].debug_handle = static_cast<std::uint32_t>(n + 1);
    for (std::size_t n = 0; n < tags_.size(); ++n) {
      names[static_cast<std::int64_t>(n + 1)] = std::to_string(n + 1);
      const bool is_supported = tags_[n].empty() || !tags_[n].begin()->empty();
      if (is_supported) supported.insert(static_cast<std::int64_t>(n + 1));
      if (is_supported && !tags_[n].empty()) expected[*tags_[n].begin()].insert(std::to_string(n + 1));
    }
    remove_moves();
  }

  /// Returns the parts without the nodes that the passes added.
  auto without_moves(const part_list& parts) const -> part_list {
    part_list result;
    for (const auto& [tag, part] : parts) {
      for (const auto& each : part) {
        if (!tags_[std::stoul(each) - 1].empty()) result[tag].insert(each);
      }
    }
    return result;
  }

  exported_program program;
  handle_names names;
  handle_set supported;
  part_list expected;

 private:
  /// A node that the passes added is supported unless one of its neighbors is not.
  void remove_moves() {
    const auto uses = dependencies_of(program);
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      const auto check = [&](std::size_t n, std::size_t neighbor) {
        if (!tags_[n].empty() || supported.contains(static_cast<std::int64_t>(neighbor + 1))) return;
        is_changed = supported.erase(static_cast<std::int64_t>(n + 1)) != 0 || is_changed;
      };
      for (std::size_t n = 0; n < uses.size(); ++n) {
        for (const auto used : uses[n]) {
          check(n, used);
          check(used, n);
        }
      }
    }
  }

  std::vector<name_set> tags_;  ///< of each node; empty if the passes added the node
};

/// The comparison of a case.
class case_check {
 public:
  explicit case_check(const formats::pt2_case& of) : model(of) {}

  const formats::pt2_case& model;
  std::size_t supports = 0;
  std::string partitioners{};      ///< of the edge graph
  std::string own_partitioners{};  ///< those whose edge graph has the nodes of the file
  std::size_t handle_maps = 0;
  bool is_grouped_differently = false;
  part_counts stored{}, groups{}, edge{}, own{}, legal{};

  void check_stored(const json_tree& record, std::string_view entry) {
    const auto imported = model.read(entry);
    REQUIRE(imported);
    const program_view program(imported.value);
    handle_names names;
    std::map<std::string, std::int64_t> handles;
    for (const auto& each : program.nodes_of(program.root())) {
      names[each.debug_handle] = name_of(program, each);
      handles[name_of(program, each)] = each.debug_handle;
    }
    const auto targets = stored_targets(entry);
    for (const auto& policy : record.at("policies").items) {
      CAPTURE(policy.key);
      part_list expected;
      for (const auto& part : policy.at("partitions").items) {
        name_set known;  // a `getitem` is an output of its node
        for (const auto& each : texts_of(part.at("nodes"))) {
          if (handles.contains(each))
            known.insert(each);
          else
            CHECK(each.starts_with("getitem"));
        }
        if (!known.empty()) expected["tag" + part.at("id").value] = known;
      }
      if (const auto* list = policy.find("groups")) {
        check_groups(*list, imported.value, names, expected);
        continue;
      }
      const auto listed = texts_of(policy.at("supported_targets"));
      handle_set supported;
      for (const auto& [name, handle] : handles) {
        if (std::find(listed.begin(), listed.end(), targets.at(name)) != listed.end()) supported.insert(handle);
      }
      const auto earlier = stored;
      stored.add(expected, parts_of<by_listed_handles>(imported.value, supported, names));
      // A `getitem` has a number of its own in ExecuTorch.
      if (listed.empty() || listed[0] != "_operator.getitem") CHECK(stored.equal_tags - earlier.equal_tags == expected.size());
      supports += 1;
    }
  }

  /// Compares the parts of groups. There are two rules: ExecuTorch's, pair by pair, and that of `by_groups`, which forms the fewest parts.
  void check_groups(const json_tree& lists, const exported_program& imported, const handle_names& names, const part_list& expected) {
    const program_view program(imported);
    const auto nodes = program.root().nodes;
    handle_set members;
    listed_groups::lists.clear();
    for (const auto& list : lists.items) {
      const auto listed = texts_of(list);
      listed_groups::lists.push_back({});
      for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
        const auto& each = program.nodes[n];
        if (std::find(listed.begin(), listed.end(), name_of(program, each)) == listed.end()) continue;
        members.insert(each.debug_handle);
        listed_groups::lists.back().nodes.push_back(node_id{n});
      }
    }
    const auto fewest = parts_of<by_listed_groups>(imported, members, names);
    CHECK(fewest.size() <= expected.size());
    is_grouped_differently = !std::all_of(fewest.begin(), fewest.end(), [&](const auto& formed) {
      return std::any_of(expected.begin(), expected.end(), [&](const auto& each) { return each.second == formed.second; });
    });
    const auto merged = merged_group_parts<listed_handles>(program, listed_groups::lists);
    REQUIRE(merged);
    part_list actual;
    for (const auto& part : merged.value) {
      for (const auto id : part.nodes) actual["tag" + std::to_string(part.id)].insert(names.at(program[id].debug_handle));
    }
    groups.add(expected, actual);
    CHECK(groups.equal_tags == groups.parts);
  }

  /// Returns the operator in the file of each node.
  auto stored_targets(std::string_view entry) const -> std::map<std::string, std::string> {
    const auto ending = "models/" + std::string(entry.empty() ? "model" : entry) + ".json";
    std::map<std::string, std::string> targets;
    for (const auto& record : formats::zip_records_of(model.model())) {
      if (!record.name.ends_with(ending)) continue;
      const auto contents = formats::json_tree_of(record.bytes);
      for (const auto& each : contents.at("graph_module").at("graph").at("nodes").items)
        targets[each.at("name").value] = each.at("target").value;
    }
    return targets;
  }

  void check_edge(const json_tree& record) {
    const auto partitioner = record.at("partitioner").value;
    CAPTURE(partitioner);
    append(partitioners, partitioner);
    for (const auto& shown : record.at("shown_and_tagged").items) {
      const formats::recorded_graph graph(shown.at("graph"));
      handle_set supported;
      part_list expected;
      for (const auto& tag : shown.at("tags").items) {
        for (const auto& each : texts_of(tag.at("nodes"))) {
          const auto entry = graph.handles.find(each);
          if (entry == graph.handles.end()) continue;  // a weight or a `getitem`
          supported.insert(entry->second);
          expected[path_of(each) + tag.at("tag").value].insert(each);
        }
      }
      const auto earlier = edge;
      edge.add(expected, parts_of<by_listed_handles>(graph.program, supported, graph.names));
      if (partitioner != "XnnpackPartitioner") CHECK(edge.equal_tags - earlier.equal_tags == expected.size());
      if (!check_own_nodes(graph, supported, expected, record.at("after"))) continue;
      append(own_partitioners, partitioner);
    }
  }

  /// Compares the parts of the edge graph with those of the imported program, and with those of the program after the passes. Returns
  /// false if the nodes of the edge graph are not those of the file.
  auto check_own_nodes(const formats::recorded_graph& graph, const handle_set& on_edge, const part_list& expected, const json_tree& after)
      -> bool {
    const auto imported = model.read();
    REQUIRE(imported);
    const program_view program(imported.value), edge_view(graph.program);
    if (dependencies_of(program) != dependencies_of(edge_view)) return false;
    handle_names names, tags;
    handle_set supported;
    for (std::size_t i = 0; i < program.nodes.size(); ++i) {
      const auto handle = program.nodes[i].debug_handle;
      names[handle] = name_of(edge_view, edge_view.nodes[i]);
      if (!on_edge.contains(edge_view.nodes[i].debug_handle)) continue;
      supported.insert(handle);
      for (const auto& [tag, part] : expected) {
        if (part.contains(names[handle])) tags[handle] = tag;
      }
    }
    own.add(expected, parts_of<by_listed_handles>(imported.value, supported, names));
    check_handle_maps(imported.value, supported, after);
    auto passed = formats::legalized(imported.value);
    REQUIRE(passed);
    const legal_parts moved(program, std::move(passed.value), tags);
    legal.add(moved.expected, moved.without_moves(parts_of<by_listed_handles>(moved.program, moved.supported, moved.names)));
    return true;
  }

  /// Lowers the parts, and compares the debug handle maps of the delegates with those of BackendWithCompilerDemo. XNNPACK has none.
  void check_handle_maps(const exported_program& program, const handle_set& supported, const json_tree& after) {
    using handle_map = std::map<std::int64_t, std::vector<std::int64_t>>;
    std::multiset<handle_map> expected, actual;
    for (const auto& method : after.items) {
      for (const auto& delegate : method.at("delegates").items) {
        if (delegate.at("backend_id").value != "BackendWithCompilerDemo") return;
        handle_map handles;
        for (const auto& entry : delegate.at("debug_handle_map").items) {
          for (const auto& handle : entry.items) handles[std::stoll(entry.key)].push_back(handle.number());
        }
        expected.insert(handles);
      }
    }
    listed_handles::handles = supported;
    const auto lowered = try_to_backend(backends<npu>, program, by_listed_handles{});
    if (!lowered) FAIL(std::string(view(lowered.error.reason)));
    for (const auto& delegate : delegates(lowered.value, {}, reach::branches)) {
      handle_map handles;
      for (const auto& entry : delegate.debug_handle_map()) {
        const auto list = delegate.handles(entry);
        handles[entry.identifier] = {list.begin(), list.end()};
      }
      actual.insert(handles);
    }
    CHECK(actual == expected);
    handle_maps += expected.size();
  }

  auto row() const -> std::string {
    std::string text = "| `" + model.name() + "` | " + std::to_string(supports);
    for (const auto& cell :
         {stored.text(), stored.node_text(), groups.text() + (is_grouped_differently ? " *" : ""), partitioners, edge.text(),
          edge.node_text(), own_partitioners, own.text(), legal.text(), handle_maps == 0 ? "" : std::to_string(handle_maps)})
      text += " | " + (cell.empty() ? "-" : cell);
    return text + " |\n";
  }

 private:
  /// Appends the short name of a partitioner.
  static void append(std::string& names, std::string partitioner) {
    const std::string_view word = "Partitioner";
    partitioner.erase(partitioner.find(word), word.size());
    names += (names.empty() ? "" : ", ") + partitioner;
  }
};

}  // namespace

TEST_CASE("pt2: by_support forms the parts of ExecuTorch's partitioners" * tests::needs_shared("formats")) {
  std::string rows;
  std::size_t cases = 0;
  for (const auto& model : formats::pt2_cases()) {
    CAPTURE(model.name());
    const auto text = model.file("partitions.json");
    if (text.empty()) continue;
    const auto record = formats::json_tree_of({text.data(), text.size()});
    case_check check(model);
    if (const auto* stored = record.find("stored_graph")) {
      check.check_stored(*stored, {});
    } else {
      for (const auto& each : record.items) check.check_stored(each.at("stored_graph"), each.key);
    }
    for (const auto& each : record.items) {
      if (each.find("shown_and_tagged") != nullptr) check.check_edge(each);
    }
    rows += check.row();
    ++cases;
  }
  CHECK(cases >= 24);
  CHECK(formats::page_difference("pt2.md", "| case | supports |", rows) == "");
}
