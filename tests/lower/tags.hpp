// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Tags programs by name. Tests of lowering use it instead of a separate partitioner for each test.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/partitioner.hpp>

#include <cstdint>
#include <string_view>

namespace tags {

constexpr auto contains(std::string_view list, std::string_view name) -> bool {
  while (!list.empty()) {
    const auto end = list.find(' ');
    if (list.substr(0, end) == name) return true;
    list = end == std::string_view::npos ? std::string_view{} : list.substr(end + 1);
  }
  return false;
}

/// Tags the nodes and placeholders of these names, separated by blanks, for a backend. Returns the tag.
constexpr auto tag(baton::partition_result& to, const baton::program_view& program, std::string_view tag_name, std::string_view backend,
                   std::string_view names, baton::data_sharing sharing = baton::data_sharing::share) -> baton::tag_id {
  const auto id = to.add_tag(tag_name, baton::delegation_spec{backend});
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    if (contains(names, program.text(program.nodes[n].name))) to.tag_node(static_cast<baton::node_id>(n), id);
  }
  for (std::uint32_t v = 0; v < program.values.size(); ++v) {
    const auto& record = program.values[v];
    if (record.kind != baton::value_kind::intermediate && contains(names, program.text(record.name)))
      to.tag_value(static_cast<baton::value_id>(v), id, sharing);
  }
  return id;
}

/// Returns the program with the tags of `result`.
constexpr auto written(const baton::partition_result& result, const baton::program_view& program) -> baton::exported_program {
  struct fixed_partition {
    const baton::partition_result& result;
    constexpr auto partition(const baton::exported_program&) const -> baton::partition_result { return result; }
  };
  return baton::tag_program(baton::thaw(program), fixed_partition{result}, baton::validation::off).value;
}

/// Returns the program with a tag without a spec on the nodes of these names, as an earlier partitioner may leave it.
constexpr auto tagged_before(const baton::program_view& program, std::string_view tag_name, std::string_view names)
    -> baton::exported_program {
  baton::partition_result earlier(program);
  const auto id = earlier.add_tag(tag_name);
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    if (contains(names, program.text(program.nodes[n].name))) earlier.tag_node(static_cast<baton::node_id>(n), id);
  }
  return written(earlier, program);
}

/// One tag of a `partitioner`: its name, its backend, the names of the nodes and owned data, and the sharing of data that have other users.
template <baton::fixed_string Name, baton::fixed_string Backend, baton::fixed_string Names,
          baton::data_sharing Sharing = baton::data_sharing::share>
struct part {
  static constexpr void write(baton::partition_result& to, const baton::program_view& program) {
    tag(to, program, Name, Backend, Names, Sharing);
  }
};

/// A partitioner that writes these tags, in this order.
template <class... Parts>
struct partitioner {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    baton::partition_result tagged(program);
    (Parts::write(tagged, program), ...);
    return tagged;
  }
};

/// A partitioner that calls `Write` with its result.
template <auto Write>
struct writes {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    baton::partition_result tagged(program);
    Write(tagged);
    return tagged;
  }
};

}  // namespace tags
