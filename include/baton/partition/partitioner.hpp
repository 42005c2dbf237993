// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The partitioner concept: what looks at a program and tags the nodes that a backend shall take.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/npos.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/locate.hpp>
#include <baton/core/shared/pools.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/delegation_spec.hpp>
#include <baton/partition/detail/tag_names.hpp>
#include <baton/partition/rules.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

namespace detail {

/// The failure of a node that has a tag and would get another.
constexpr auto tagged_twice(const program_view& program, node_id id, tag_id first, std::string_view second) -> failure {
  auto why = broken_at<rule::node_tagged_twice>(program, id, "tag ", program.text(program[first].name), " is there already");
  why.tag = join(second);
  return why;
}

}  // namespace detail

/// What a partitioner returns: the program with tags, and the ordered map from tags to delegation specs.
/// All nodes of one graph with one tag become one delegate. A tag that the program came with stands for nothing, unless it is given a spec
/// here; a tag that a partitioner puts on a node needs a spec (`tag_without_spec`).
struct partition_result {
  exported_program tagged_program;
  vector<std::pair<tag_id, delegation_spec>> partition_tags;
  failure mistake;  ///< the first tag that was added with another spec, or node or value that is not there; `tag_program` refuses it
  failure clash;    ///< the first node that `tag_node` gave a second tag of this result; `tag_program` refuses it if it checks

  constexpr partition_result() = default;
  /// The program, with no tags yet.
  constexpr explicit partition_result(const program_view& program) : tagged_program(thaw(program)) {}

  /// Makes room for so many tags; in a constant, every record that moves costs steps.
  constexpr void reserve(std::size_t tags) {
    partition_tags.reserve(partition_tags.size() + tags);
    tagged_program.tags.reserve(tagged_program.tags.size() + tags);
  }
  /// A tag with its spec. The same name again, with the same spec, is the same tag, so that a partitioner may go node by node; with another
  /// spec it is a mistake (`conflicting_tag`). A tag that the program came with is another one, whatever its name. The name must not be
  /// empty (`unnamed_tag`).
  constexpr auto add_tag(std::string_view name, delegation_spec spec) -> tag_id {
    auto& known = tag_named(name);
    if (known.spec == npos) {
      known.spec = static_cast<std::uint32_t>(partition_tags.size());
      partition_tags.emplace_back(known.id, std::move(spec));
    } else if (!mistake) {
      mistake = detail::check_same_spec(name, partition_tags[known.spec].second, spec);
    }
    return known.id;
  }
  /// A tag whose spec is put into `partition_tags` later; without one, no node may have it. The same name again is the same tag.
  constexpr auto add_tag(std::string_view name) -> tag_id { return tag_named(name).id; }
  /// The tag of that name that was added here, none if there is none.
  constexpr auto find_tag(std::string_view name) -> tag_id {
    const auto* known = names_.find(tagged_program, name, hash_of(name));
    return known != nullptr ? known->id : none<tag_id>;
  }

  /// Tags a node, in place of a tag that it came with. To change one's mind, take the first tag away: `tag_node(id, none<tag_id>)`; a
  /// second tag over a first is a mistake (`node_tagged_twice`).
  constexpr void tag_node(node_id id, tag_id as) {
    if (!has("node ", index(id), tagged_program.nodes.size())) return;
    auto& record = tagged_program.nodes[index(id)];
    const bool has_own_tag = record.tag != none<tag_id> && index(record.tag) >= index(first_own_tag_);
    if (has_own_tag && as != record.tag && index(as) < tagged_program.tags.size() && !clash) {
      const program_view program = tagged_program;
      clash = detail::tagged_twice(program, id, record.tag, program.text(program[as].name));
    }
    record.tag = as;
  }
  /// Tags owned data: the part then owns it, and it is no argument of the call. `sharing` says what becomes of it where others use it too.
  constexpr void tag_value(value_id id, tag_id as, data_sharing sharing = data_sharing::share) {
    if (!has("value ", index(id), tagged_program.values.size())) return;
    auto& record = tagged_program.values[index(id)];
    record.tag = as;
    record.sharing = sharing;
  }

 private:
  constexpr auto has(std::string_view what, std::uint32_t at, std::size_t count) -> bool {
    if (at >= count && !mistake) mistake = broken<rule::misplaced_index>(what, at, " was to be tagged, of ", count);
    return at < count;
  }

  /// The tag of that name, which is added if it is not there, with the position of its spec, if it has one.
  constexpr auto tag_named(std::string_view name) -> detail::named_tag& {
    const auto hash = hash_of(name);
    if (auto* known = names_.find(tagged_program, name, hash)) {
      find_spec(*known);
      return *known;
    }
    tag record;
    record.name = own_bytes(tagged_program, name);
    tagged_program.tags.push_back(record);
    const auto id = static_cast<tag_id>(tagged_program.tags.size() - 1);
    if (first_own_tag_ == none<tag_id>) first_own_tag_ = id;
    return names_.add({.id = id, .hash = hash});
  }
  // Where the map was not filled by hand, the spec is where it was put.
  constexpr void find_spec(detail::named_tag& of) const {
    if (of.spec < partition_tags.size() && partition_tags[of.spec].first == of.id) return;
    of.spec = npos;
    for (std::uint32_t i = 0; i < partition_tags.size() && of.spec == npos; ++i) {
      if (partition_tags[i].first == of.id) of.spec = i;
    }
  }

  tag_id first_own_tag_ = none<tag_id>;  ///< tags before it came with the program
  detail::tag_names names_;
};

namespace archetypes {

/// The smallest partitioner: it tags nothing.
struct partitioner {
  constexpr auto partition(const exported_program& program) const -> partition_result { return partition_result{program}; }
};

}  // namespace archetypes

/// A partitioner decides what goes where, and changes nothing else.
/// - `constexpr auto partition(const baton::exported_program&) const -> baton::partition_result` (a `program_view` does as a parameter, a
///   `result<partition_result>` as what is returned by one that may fail).
/// Laws: the tagged program equals the given one but for tags; the same program gives the same tags; a node gets one tag at most, and every
/// tag that a node gets has a spec; the parts form no cycle.
/// Models: `by_support`. Where one list of operators says it all, write an operator support for `by_support` instead.
template <class T>
concept partitioner = requires(const T& candidate, const exported_program& program) {
  { candidate.partition(program) } -> std::convertible_to<result<partition_result>>;
};
static_assert(partitioner<archetypes::partitioner>);

/// Stops the compiler with a sentence if a type is no partitioner.
template <class T>
consteval auto require_partitioner() -> bool {
  static_assert(
      requires(const T& candidate, const exported_program& program) { candidate.partition(program); },
      "baton not_a_partitioner: a partitioner tags a program; write: constexpr auto partition(const baton::exported_program& program) "
      "const -> baton::partition_result");
  if constexpr (requires(const T& candidate, const exported_program& program) { candidate.partition(program); }) {
    constexpr bool returns_a_result = partitioner<T>;
    static_assert(returns_a_result, "baton not_a_partitioner: partition must return a baton::partition_result");
  }
  return partitioner<T>;
}

}  // namespace baton
