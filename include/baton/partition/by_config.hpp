// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The configuration partitioner: one config struct per operator selects the supported nodes, and the groups in which they are delegated.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/position_of_duplicate.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/shared/type_name.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/operators/shared/require_operator_name.hpp>
#include <baton/partition/detail/group_proposer.hpp>
#include <baton/partition/detail/node_choice.hpp>
#include <baton/partition/node_list.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/proposed_parts.hpp>
#include <baton/partition/shared/rules.hpp>
#include <baton/partition/shared/visible_graphs.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <utility>

namespace baton {

/// A config states, for one operator, which nodes a backend supports, and which nodes are delegated together.
/// - `static constexpr auto op = baton::name<"tfl.conv_2d">;`: the operator. If the name of the operator has at least two dots, omit the
///   text before the first dot: write `"linear.default"` for `aten.linear.default`.
/// - `static constexpr auto is_supported(const baton::program_view&, const baton::node&) -> baton::verdict`: whether the backend supports
///   the node.
/// - `static constexpr auto group_of(const baton::program_view&, baton::node_id) -> baton::node_list`: optional; the group of the node. By
///   default, the group consists of the node, and of those operands that are parameters, constants or immutable buffers. Mutable buffers
///   keep their values from run to run. They are excluded, because only one part can own a mutable buffer, and other nodes may use it.
///   Groups that share a node are merged. Data that is in several groups belongs to the first of these groups.
/// - `static constexpr bool prevents_decomposition = true;`: optional; asks an exporter not to decompose the operator.
template <class T>
concept operator_config = requires(const program_view& program, const node& candidate) {
  { to_text(T::op) } -> std::same_as<std::string_view>;
  { T::is_supported(program, candidate) } -> std::same_as<verdict>;
};

namespace detail {

/// Returns whether `T` is a config. Reports a compile-time error if `T` is not.
template <class T>
consteval auto require_config() -> bool {
  constexpr bool is_config = operator_config<T>;
  static_assert(is_config,
                "baton not_a_config: the config has no op or no is_supported; write: static constexpr auto op = "
                "baton::name<\"tfl.conv_2d\">; and static constexpr auto is_supported(const baton::program_view&, const baton::node&) -> "
                "baton::verdict");
  return is_config;
}

/// Removes the dialect, the text before the first dot, from a name with at least two dots: returns `linear.default` for
/// `aten.linear.default`. Returns any other name unchanged.
constexpr auto without_dialect(std::string_view op) -> std::string_view {
  const auto first = op.find('.');
  if (first == std::string_view::npos || op.find('.', first + 1) == std::string_view::npos) return op;
  return op.substr(first + 1);
}

/// Fails with the errors of `check_operator_name` if a config has no valid operator name, and with `duplicate_config` if two configs have
/// the same operator.
template <operator_config... Configs>
constexpr auto check_configs() -> failure {
  constexpr std::array<std::string_view, sizeof...(Configs)> ops{to_text(Configs::op)...};
  for (const auto op : ops) {
    if (auto why = check_operator_name(op)) return why;
  }
  constexpr std::array<std::string_view, sizeof...(Configs)> types{type_name<Configs>()...};
  const auto second = position_of_duplicate(ops);
  if (second == ops.size()) return {};
  const auto first = static_cast<std::size_t>(std::find(ops.begin(), ops.end(), ops[second]) - ops.begin());
  auto why = broken<"duplicate_config">("configs ", types[first], " and ", types[second]);
  why.op = join(ops[second]);
  return why;
}

template <class... Configs>
consteval auto require_configs() -> bool {
  if constexpr ((operator_config<Configs> && ...)) {
    constexpr static_failure why{check_configs<Configs...>()};
    require_no_failure<why>();
    return !why.is_set;
  }
  return false;
}

}  // namespace detail

/// Reports a compile-time error if `T` is not a config. Always satisfied, so that the compiler reports no second error for `T`.
template <class T>
concept required_config = (detail::require_config<T>() || true);

/// A partitioner with one config per operator. Each group is in one part (the nodes of a graph that become one delegate); `group_parts`
/// describes how parts are formed. The tags (names) of parts are `tag0`, `tag1` and so on. Fails at compile time with the errors of
/// `check_operator_name`, and with `duplicate_config` if two configs have the same operator. `partition` fails with `misplaced_index` if a
/// node or value of a group does not exist, and with `node_tagged_twice` if a node already has a tag. `partition` also fails with
/// `cycle_of_groups` if groups cannot be kept whole (`group_parts`). `tag_program` also fails with `kept_operator` if a node is not
/// delegated, although the config of its operator supports the node and sets `prevents_decomposition`.
template <class Backend, required_config... Configs>
struct by_config {
  static_assert(detail::require_configs<Configs...>() || true);  // `require_configs` reports the errors; this assertion never fails
  using backend = Backend;

  static constexpr auto partition(const program_view& program) -> result<partition_result> {
    vector<node_list> groups;
    failure why;
    for (const auto id : visible_nodes(program)) {
      static_cast<void>(((why = visit<Configs>(groups, program, id), static_cast<bool>(why)) || ...));
      if (why) return why;
    }
    if (groups.empty()) return partition_result{program};
    detail::group_proposer proposer(program, 1, detail::choose_nodes<no_support>(program, groups));
    return detail::tagged_with<Backend>(program, proposer.run(groups, detail::shared_nodes::join_groups));
  }

  /// Returns a callable that explains why a node is not delegated. There are three reasons: there is no config for the node's operator, the
  /// config refuses the node, or the group that the config returns does not contain the node.
  static constexpr auto explain_undelegated(const program_view& tagged) {
    return [tagged](node_id id) {
      auto why = join("there is no config for ", tagged.text(tagged[id].target));
      static_cast<void>(((is_for<Configs>(tagged, tagged[id]) && (why = refusal<Configs>(tagged, tagged[id]), true)) || ...));
      return why;
    };
  }

  /// True if an exporter should not decompose the node.
  static constexpr auto prevents_decomposition(const program_view& program, const node& candidate) -> bool {
    return (config_prevents_decomposition<Configs>(program, candidate) || ...);
  }

 private:
  template <class Config>
  static constexpr auto is_for(const program_view& program, const node& candidate) -> bool {
    return detail::without_dialect(program.text(candidate.target)) == to_text(Config::op);
  }

  template <class Config>
  static constexpr auto is_supported(const program_view& program, const node& candidate) -> bool {
    return is_for<Config>(program, candidate) && Config::is_supported(program, candidate).accepted;
  }

  /// Returns why a node that has the operator of `Config` is not delegated.
  template <class Config>
  static constexpr auto refusal(const program_view& program, const node& candidate) -> text_buffer {
    auto answer = Config::is_supported(program, candidate);
    if (answer) return join("its config supports it, but its group does not contain it");
    if (answer.reason.empty()) return join("its config does not support it");
    return std::move(answer.reason);
  }

  template <class Config>
  static constexpr auto config_prevents_decomposition(const program_view& program, const node& candidate) -> bool {
    if constexpr (requires { Config::prevents_decomposition; }) {
      return Config::prevents_decomposition && is_supported<Config>(program, candidate);
    } else {
      return false;
    }
  }

  template <class Config>
  static constexpr auto visit(vector<node_list>& groups, const program_view& program, node_id id) -> failure {
    if (!is_supported<Config>(program, program[id])) return {};
    if constexpr (requires { Config::group_of(program, id); }) {
      const node_list list = Config::group_of(program, id);
      const auto missing = detail::missing_of(program, list);
      if (!missing.empty()) return broken_at<"misplaced_index">(program, id, "the group of its config has ", view(missing));
      groups.push_back(list);
    } else {
      node_list list{{id}, {}};
      for (const auto input : program.inputs(program[id])) {
        if (input == none<value_id> || !is_owned_data(program[input].kind)) continue;
        if (program[input].kind != value_kind::mutable_buffer) list.placeholders.push_back(input);
      }
      groups.push_back(std::move(list));
    }
    return {};
  }
};

}  // namespace baton
