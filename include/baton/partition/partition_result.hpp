// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The result of a partitioner: tags with their delegation specs, and the tags of nodes and values. A tag is the name of the part (the nodes
// of a graph that become one delegate) to which a node is assigned.
#pragma once

#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/pool_sizes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/detail/tag_names.hpp>
#include <baton/partition/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// The id of the backend that a tag delegates to, and the compile specs (key-value pairs) for the backend's `preprocess`.
struct delegation_spec {
  text_buffer backend_id;
  baton::compile_specs compile_specs;

  constexpr explicit delegation_spec(std::string_view id, baton::compile_specs specs = {})
      : backend_id(join(id)),
        compile_specs(std::move(specs)) {}
  friend constexpr auto operator==(const delegation_spec&, const delegation_spec&) -> bool = default;
};

namespace detail {

/// Checks that the two specs of a tag that is added twice are equal. Fails with `conflicting_tag` if the specs differ.
constexpr auto check_same_spec(std::string_view tag, const delegation_spec& first, const delegation_spec& second) -> failure {
  if (first == second) return {};
  auto why = broken<"conflicting_tag">("the compile specs differ");
  if (first.backend_id != second.backend_id) why.reason = join("the tag already has backend ", view(first.backend_id));
  why.tag = join(tag);
  why.backend = second.backend_id;
  return why;
}

}  // namespace detail

/// True if a tag has a delegation spec. A tag without a spec delegates nothing.
constexpr auto has_spec(const program_view& program, tag_id id) -> bool { return id != none<tag_id> && program[id].order != tag{}.order; }

/// The result of a partitioner: an ordered list of tags with their delegation specs, the tag of each node, and the tags of owned data.
/// Owned data are parameters, buffers and constants. The result contains nothing else, because a partitioner cannot change the program.
/// `tag_program` writes the tags into the program. All nodes of one graph with the same tag become one delegate. `tag_program` discards
/// earlier specs: afterwards, a tag of the input program has a spec only if `partition_tags` contains the tag. If a partitioner assigns a
/// tag to a node, the tag needs a spec (`tag_without_spec`).
struct partition_result {
  /// A node to which `tag_node` assigned a second tag of this result.
  struct second_tag {
    node_id node = none<node_id>;
    tag_id first = none<tag_id>;
    tag_id second = none<tag_id>;
  };
  /// The tag of a value, and how the data of this value is shared.
  struct value_tag {
    tag_id tag = none<tag_id>;
    data_sharing sharing = data_sharing::share;
  };

  vector<std::pair<tag_id, delegation_spec>> partition_tags;
  /// The first error: a tag that was added twice with different specs, or a node, value or tag that does not exist. `tag_program` fails
  /// with this error.
  failure error;
  /// The first node with two tags. If validation is on, `tag_program` fails with `node_tagged_twice` at this node.
  second_tag conflict;

  /// A result for no program. `tag_program` fails with `foreign_result`.
  constexpr partition_result() = default;
  /// A result for `program`. Initially, each node and value has its tag in `program`.
  constexpr explicit partition_result(const program_view& program)
      : names_(program),
        source_sizes_(sizes_of(program)),
        node_tags_(program.nodes.size(), none<tag_id>),
        value_count_(program.values.size()) {
    if (program.tags.empty()) return;
    for (std::size_t n = 0; n < program.nodes.size(); ++n) node_tags_[n] = program.nodes[n].tag;
    for (const auto& record : program.values) value_tags_.push_back({record.tag, record.sharing});
  }

  /// Reserves memory for `tags` additional tags. The reservation saves steps in a constant expression, because reallocation moves each
  /// record.
  constexpr void reserve(std::size_t tags) {
    partition_tags.reserve(partition_tags.size() + tags);
    names_.reserve(names_.size() + tags);
  }
  /// Adds a tag with its spec, and returns the id of the tag. A second call with the same name and spec returns the same tag, so a
  /// partitioner can call this function for each node. A second call with the same name and a different spec is an error
  /// (`conflicting_tag`). The returned tag is never a tag of the input program, even if a tag of the input program has the same name. The
  /// name must not be empty (`unnamed_tag`).
  constexpr auto add_tag(std::string_view name, delegation_spec spec) -> tag_id {
    const auto known = names_.size();
    const auto id = names_.find_or_add(name);
    auto& position = names_.note(id);
    if (known == names_.size()) find_spec(id, position);
    if (position == npos) {
      position = static_cast<std::uint32_t>(partition_tags.size());
      partition_tags.emplace_back(id, std::move(spec));
    } else if (!error) {
      error = detail::check_same_spec(name, partition_tags[position].second, spec);
    }
    return id;
  }
  /// Adds a tag without a spec, and returns the id of the tag. The caller adds the spec to `partition_tags` later; without a spec, no node
  /// may have the tag. A second call with the same name returns the same tag.
  constexpr auto add_tag(std::string_view name) -> tag_id { return names_.find_or_add(name); }
  /// Returns the tag that `add_tag` added with this name, or `none`.
  constexpr auto find_tag(std::string_view name) const -> tag_id { return names_.find(name); }
  /// Returns the name of an existing tag. The view is valid until a tag is added.
  constexpr auto name_of(tag_id id) const -> std::string_view { return names_.name(id); }
  /// Returns the number of tags. The tags of the input program come first.
  constexpr auto tag_count() const -> std::size_t { return names_.size(); }

  /// Assigns a tag to a node. If the node has a tag of the input program, this tag is replaced. If the node already has another tag of this
  /// result, the second tag is an error (`node_tagged_twice`). To replace a tag of this result, first remove the tag: `tag_node(id,
  /// none<tag_id>)`. A node or a tag that does not exist is an error (`misplaced_index`).
  constexpr void tag_node(node_id id, tag_id tag) {
    if (!check_index("node", index(id), node_tags_.size())) return;
    if (!has(tag)) {
      if (error) return;
      error = broken<"misplaced_index">("the tag does not exist");
      error.node = index(id);  // `tag_program` has the program and adds the name
      return;
    }
    auto& now = node_tags_[index(id)];
    const bool has_own_tag = now != none<tag_id> && names_.was_added(now);
    if (has_own_tag && tag != none<tag_id> && tag != now && conflict.node == none<node_id>) conflict = {id, now, tag};
    now = tag;
  }
  /// Assigns a tag to owned data (a parameter, buffer or constant). The part then owns the data, so the data is not an argument of the
  /// delegate call. With `data_sharing::borrow`, the tag is ignored. The other values of `sharing` matter only if nodes outside the part
  /// also use the data.
  constexpr void tag_value(value_id id, tag_id tag, data_sharing sharing = data_sharing::share) {
    if (!check_index("value", index(id), value_count_)) return;
    if (!has(tag)) {
      if (!error) error = broken<"misplaced_index">("value ", index(id), " is assigned a tag that does not exist");
      return;
    }
    if (value_tags_.empty()) value_tags_.resize(value_count_, value_tag{});
    value_tags_[index(id)] = {tag, sharing};
  }

  /// Returns the current tag of a node or value of the program, or `none`.
  constexpr auto tag_of(node_id id) const -> tag_id { return node_tags_[index(id)]; }
  constexpr auto tag_of(value_id id) const -> tag_id { return value_tags_.empty() ? none<tag_id> : value_tags_[index(id)].tag; }
  /// Returns the tag of each node.
  constexpr auto node_tags() const -> span<const tag_id> { return node_tags_; }
  /// Returns the tag and the sharing of each value. The span may be empty if no value has a tag.
  constexpr auto value_tags() const -> span<const value_tag> { return value_tags_; }

  /// True if `program` has as many records of every kind as the program that was passed to the constructor.
  constexpr auto is_of(const program_view& program) const -> bool { return source_sizes_ == sizes_of(program); }

 private:
  constexpr auto check_index(std::string_view kind, std::uint32_t at, std::size_t count) -> bool {
    if (at >= count && !error) error = broken<"misplaced_index">(kind, " ", at, " is tagged, but the number of ", kind, "s is ", count);
    return at < count;
  }
  /// True if the tag exists or is `none`.
  constexpr auto has(tag_id id) const -> bool { return id == none<tag_id> || index(id) < names_.size(); }

  // Corrects `position`, the stored position of the tag's spec in `partition_tags`. The stored position can be wrong only after the caller
  // has changed `partition_tags` directly. Sets `position` to `npos` if the tag has no spec.
  constexpr void find_spec(tag_id id, std::uint32_t& position) const {
    if (position < partition_tags.size() && partition_tags[position].first == id) return;
    position = npos;
    for (std::uint32_t i = 0; i < partition_tags.size() && position == npos; ++i) {
      if (partition_tags[i].first == id) position = i;
    }
  }

  detail::tag_names names_;
  pool_sizes source_sizes_{};
  vector<tag_id> node_tags_;
  vector<value_tag> value_tags_;
  std::size_t value_count_ = 0;
};

}  // namespace baton
