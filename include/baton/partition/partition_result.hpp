// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a partitioner returns: tags, what they stand for, and which nodes and data have them.
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

/// What a tag stands for: a backend, by id, and the compile specs that it is given.
struct delegation_spec {
  text_buffer backend_id;
  baton::compile_specs compile_specs;

  constexpr explicit delegation_spec(std::string_view id, baton::compile_specs specs = {})
      : backend_id(join(id)),
        compile_specs(std::move(specs)) {}
  friend constexpr auto operator==(const delegation_spec&, const delegation_spec&) -> bool = default;
};

namespace detail {

/// The failure of a tag that stands for one spec, and is given another.
constexpr auto check_same_spec(std::string_view tag, const delegation_spec& first, const delegation_spec& second) -> failure {
  if (first == second) return {};
  auto why = broken<"conflicting_tag">("the compile specs are others");
  if (first.backend_id != second.backend_id) why.reason = join("it stands for ", view(first.backend_id));
  why.tag = join(tag);
  why.backend = second.backend_id;
  return why;
}

}  // namespace detail

/// Whether a tag stands for something: it has a delegation spec. Any other delegates nothing.
constexpr auto has_spec(const program_view& program, tag_id id) -> bool { return id != none<tag_id> && program[id].order != tag{}.order; }

/// What a partitioner returns: tags, in order, with the delegation specs that they stand for, the tag of each node, and the tags of owned
/// data. It holds nothing of the program, which a partitioner cannot change; `tag_program` writes the tags into it.
/// All nodes of one graph with one tag become one delegate. A tag that the program came with stands for nothing, unless it is given a spec
/// here; a tag that a partitioner puts on a node needs a spec (`tag_without_spec`).
struct partition_result {
  /// A node that `tag_node` gave a second tag of this result.
  struct second_tag {
    node_id node = none<node_id>;
    tag_id first = none<tag_id>;
    tag_id second = none<tag_id>;
  };
  /// What a value is tagged with.
  struct value_tag {
    tag_id tag = none<tag_id>;
    data_sharing sharing = data_sharing::share;
  };

  vector<std::pair<tag_id, delegation_spec>> partition_tags;
  failure mistake;   ///< the first tag that was added with another spec, or node, value or tag that is not there; `tag_program` refuses it
  second_tag clash;  ///< the first there is; `tag_program` refuses it if it checks

  /// Of no program: `tag_program` refuses it.
  constexpr partition_result() = default;
  /// Of a program, whose nodes and values have the tags that they came with.
  constexpr explicit partition_result(const program_view& program)
      : names_(program),
        made_for_(sizes_of(program)),
        node_tags_(program.nodes.size(), none<tag_id>),
        value_count_(program.values.size()) {
    if (program.tags.empty()) return;
    for (std::size_t n = 0; n < program.nodes.size(); ++n) node_tags_[n] = program.nodes[n].tag;
    for (const auto& record : program.values) value_tags_.push_back({record.tag, record.sharing});
  }

  /// Makes room for so many tags; in a constant, every record that moves costs steps.
  constexpr void reserve(std::size_t tags) {
    partition_tags.reserve(partition_tags.size() + tags);
    names_.reserve(names_.size() + tags);
  }
  /// A tag with its spec. The same name again, with the same spec, is the same tag, so that a partitioner may go node by node; with another
  /// spec it is a mistake (`conflicting_tag`). A tag that the program came with is another one, whatever its name. The name must not be
  /// empty (`unnamed_tag`).
  constexpr auto add_tag(std::string_view name, delegation_spec spec) -> tag_id {
    const auto known = names_.size();
    const auto id = names_.find_or_add(name);
    auto& position = names_.note(id);
    if (known == names_.size()) find_spec(id, position);
    if (position == npos) {
      position = static_cast<std::uint32_t>(partition_tags.size());
      partition_tags.emplace_back(id, std::move(spec));
    } else if (!mistake) {
      mistake = detail::check_same_spec(name, partition_tags[position].second, spec);
    }
    return id;
  }
  /// A tag whose spec is put into `partition_tags` later; without one, no node may have it. The same name again is the same tag.
  constexpr auto add_tag(std::string_view name) -> tag_id { return names_.find_or_add(name); }
  /// The tag of that name that was added here, none if there is none.
  constexpr auto find_tag(std::string_view name) const -> tag_id { return names_.find(name); }
  /// The name of a tag that is there, as long as none is added.
  constexpr auto name_of(tag_id id) const -> std::string_view { return names_.name(id); }
  /// How many tags there are, those that the program came with first.
  constexpr auto tag_count() const -> std::size_t { return names_.size(); }

  /// Tags a node, in place of a tag that it came with. To change one's mind, take the first tag away: `tag_node(id, none<tag_id>)`; a
  /// second tag over a first is a mistake (`node_tagged_twice`), and so is a node or a tag that is not there (`misplaced_index`).
  constexpr void tag_node(node_id id, tag_id as) {
    if (!has("node ", index(id), node_tags_.size())) return;
    if (!has(as)) {
      if (mistake) return;
      mistake = broken<"misplaced_index">("a tag that is not there");
      mistake.node = index(id);  // `tag_program`, which has the program, adds the name
      return;
    }
    auto& now = node_tags_[index(id)];
    const bool has_own_tag = now != none<tag_id> && names_.was_added(now);
    if (has_own_tag && as != none<tag_id> && as != now && clash.node == none<node_id>) clash = {id, now, as};
    now = as;
  }
  /// Tags owned data: the part then owns it, and it is no argument of the call. `sharing` says what becomes of it where others use it too.
  constexpr void tag_value(value_id id, tag_id as, data_sharing sharing = data_sharing::share) {
    if (!has("value ", index(id), value_count_)) return;
    if (!has(as)) {
      if (!mistake) mistake = broken<"misplaced_index">("value ", index(id), " was to have a tag that is not there");
      return;
    }
    if (value_tags_.empty()) value_tags_.resize(value_count_, value_tag{});
    value_tags_[index(id)] = {as, sharing};
  }

  /// The tag that a node or value of the program has by now, none if it has none.
  constexpr auto tag_of(node_id id) const -> tag_id { return node_tags_[index(id)]; }
  constexpr auto tag_of(value_id id) const -> tag_id { return value_tags_.empty() ? none<tag_id> : value_tags_[index(id)].tag; }
  /// By node: its tag.
  constexpr auto node_tags() const -> span<const tag_id> { return node_tags_; }
  /// By value: its tag, and what becomes of it; empty: no value has one.
  constexpr auto value_tags() const -> span<const value_tag> { return value_tags_; }

  /// Whether this is the result of a program: of one with as many records of every kind.
  constexpr auto is_of(const program_view& program) const -> bool { return made_for_ == sizes_of(program); }

 private:
  constexpr auto has(std::string_view what, std::uint32_t at, std::size_t count) -> bool {
    if (at >= count && !mistake) mistake = broken<"misplaced_index">(what, at, " was to be tagged, of ", count);
    return at < count;
  }
  /// No tag is one, too.
  constexpr auto has(tag_id id) const -> bool { return id == none<tag_id> || index(id) < names_.size(); }

  // Where the map was not filled by hand, the spec is where it was put.
  constexpr void find_spec(tag_id of, std::uint32_t& position) const {
    if (position < partition_tags.size() && partition_tags[position].first == of) return;
    position = npos;
    for (std::uint32_t i = 0; i < partition_tags.size() && position == npos; ++i) {
      if (partition_tags[i].first == of) position = i;
    }
  }

  detail::tag_names names_;
  pool_sizes made_for_{};
  vector<tag_id> node_tags_;
  vector<value_tag> value_tags_;
  std::size_t value_count_ = 0;
};

}  // namespace baton
