// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The bytes that the transposes of a program move, and the minimum for its other operators, found by trying all orders of dimensions.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/operators/known_integers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace formats {

struct transpose_counts {
  std::size_t transposes = 0;
  std::int64_t bytes = 0;      ///< that the transposes move
  std::int64_t min_bytes = 0;  ///< the minimum of `bytes` for the same other operators
};

/// Counts the transposes of one graph. The values that transposes and elementwise operators connect form a region. In a region, each
/// operator that computes in any order of dimensions may get any of the orders that occur there; a value is converted once for all readers
/// of an order. The minimum is exact for operators whose order is given: convolutions, pools, products, softmax, and reshapes. Any other
/// operator counts as free of order, and a reshape to one row for each batch reads every order, because weights could be permuted instead.
/// So the minimum is never too large.
class transpose_bound {
 public:
  transpose_bound(const baton::program_view& program, const baton::graph& of)
      : program_(program),
        graph_(of),
        producers_(baton::producers_of(program, of)) {
    for (auto n = of.nodes.first; n < of.nodes.first + of.nodes.size; ++n) {
      for (const auto id : program.inputs(program.nodes[n])) {
        if (id != baton::none<baton::value_id>) readers_[id].push_back(n);
      }
    }
  }

  /// Returns nothing if a value has two orders in a region, or if a region has too many combinations.
  auto counts() -> std::optional<transpose_counts> {
    transpose_counts result;
    for (auto n = graph_.nodes.first; n < graph_.nodes.first + graph_.nodes.size; ++n) {
      const auto& record = program_.nodes[n];
      if (!is_transpose(record)) continue;
      const auto to = program_.outputs_of(record)[0];
      result.transposes += 1;
      result.bytes += bytes_of(to);
      if (orders_.contains(to)) continue;
      const auto known = orders_;
      order first(program_.shape(to).size());
      for (std::size_t i = 0; i < first.size(); ++i) first[i] = i;
      if (!spread(to, first)) return {};
      region_.clear();
      for (const auto& each : orders_) {
        if (!known.contains(each.first)) region_.insert(each);
      }
      const auto region_min = min_bytes();
      if (!region_min) return {};
      result.min_bytes += *region_min;
    }
    return result;
  }

 private:
  using order = std::vector<std::size_t>;  ///< the dimension of the region at each position
  using labels = std::map<std::uint32_t, order>;

  auto is_transpose(const baton::node& record) const -> bool { return record.is("tfl.transpose"); }
  auto is_data(baton::value_id id) const -> bool {
    return is_owned_data(program_[id].kind) && program_[id].kind != baton::value_kind::mutable_buffer;
  }
  auto bytes_of(baton::value_id id) const -> std::int64_t { return byte_count(program_[id].type, program_.shape(id)); }

  /// True if an operator computes in any order of dimensions: all values that it reads and writes have as many dimensions.
  auto is_free(const baton::node& record) const -> bool {
    for (const std::string_view each : {"tfl.transpose", "tfl.reshape", "tfl.conv_2d", "tfl.depthwise_conv_2d", "tfl.transpose_conv",
                                        "tfl.max_pool_2d", "tfl.average_pool_2d", "tfl.fully_connected", "tfl.batch_matmul", "tfl.softmax",
                                        "tfl.log_softmax", "baton.conv_2d", "baton.depthwise_conv_2d", "baton.fully_connected"}) {
      if (program_.text(record.target) == each) return false;
    }
    if (record.outputs.size == 0 || record.subgraphs.size != 0) return false;
    const auto rank = program_.shape(program_.outputs_of(record)[0]).size();
    for (const auto id : values_of(record)) {
      if (program_.shape(id).size() != rank) return false;
    }
    return rank > 1;
  }
  /// True if an operator flattens the elements of each batch to one row.
  auto is_flattening(const baton::node& record) const -> bool {
    if (!record.is("tfl.reshape")) return false;
    const auto from = program_.shape(program_.inputs(record)[0]), to = program_.shape(program_.outputs_of(record)[0]);
    return to.size() == 2 && from.size() > 2 && to[0] == from[0];
  }
  /// Returns the values of an operator, except constants.
  auto values_of(const baton::node& record) const -> std::vector<baton::value_id> {
    std::vector<baton::value_id> result;
    for (const auto id : program_.inputs(record)) {
      if (id != baton::none<baton::value_id> && !is_data(id)) result.push_back(id);
    }
    for (const auto id : program_.outputs_of(record)) result.push_back(id);
    return result;
  }

  /// Gives a value and all values of its region their orders. Returns false if a value has two.
  auto spread(baton::value_id id, const order& by) -> bool {
    const auto [entry, is_new] = orders_.insert({id, by});
    if (!is_new) return entry->second == by;
    auto nodes = readers_[id];
    if (const auto producer = producers_[index(id)]; producer != baton::none<baton::node_id>) nodes.push_back(index(producer));
    for (const auto n : nodes) {
      const auto& record = program_.nodes[n];
      if (is_transpose(record)) {
        const auto from = program_.inputs(record)[0], to = program_.outputs_of(record)[0];
        const auto positions = baton::known_integers::in(program_, program_.inputs(record)[1]);
        if (!positions.are_known || positions.count != by.size()) return false;
        order other(by.size());
        for (std::size_t i = 0; i < by.size(); ++i) {
          const auto at = static_cast<std::size_t>(positions[i]);
          if (id == from)
            other[i] = by[at];
          else
            other[at] = by[i];
        }
        if (!spread(id == from ? to : from, other)) return false;
      } else if (is_free(record)) {
        for (const auto each : values_of(record)) {
          if (!spread(each, by)) return false;
        }
      }
    }
    return true;
  }

  /// Returns an order without the dimensions of size 1, which do not move elements.
  auto moved(const order& by, const std::vector<std::int64_t>& sizes) const -> order {
    order result;
    std::copy_if(by.begin(), by.end(), std::back_inserter(result), [&](std::size_t at) { return sizes[at] != 1; });
    return result;
  }

  /// The bytes of all conversions of a region if the free operators have these orders.
  auto bytes_with(const labels& chosen) const -> std::int64_t {
    std::int64_t sum = 0;
    for (const auto& [id, by] : region_) {
      const auto producer = producers_[index(id)];
      if (producer != baton::none<baton::node_id> && is_transpose(program_[producer])) continue;  // counts as its operand
      std::vector<std::int64_t> sizes(by.size());
      for (std::size_t i = 0; i < by.size(); ++i) sizes[by[i]] = program_.shape(id)[i];
      std::set<order> wanted;
      add_orders(id, chosen, sizes, wanted);
      const auto own = producer != baton::none<baton::node_id> && chosen.contains(index(producer)) ? chosen.at(index(producer)) : by;
      wanted.erase(moved(own, sizes));
      sum += static_cast<std::int64_t>(wanted.size()) * bytes_of(id);
    }
    return sum;
  }
  /// Adds the orders in which a value and its transposed copies are read.
  void add_orders(baton::value_id id, const labels& chosen, const std::vector<std::int64_t>& sizes, std::set<order>& wanted) const {
    const auto& by = region_.at(id);
    for (const auto& spec : program_.outputs_of(graph_)) {
      if (spec.value == id) wanted.insert(moved(by, sizes));
    }
    const auto entry = readers_.find(id);
    if (entry == readers_.end()) return;
    for (const auto n : entry->second) {
      const auto& record = program_.nodes[n];
      if (is_transpose(record)) {
        add_orders(program_.outputs_of(record)[0], chosen, sizes, wanted);
      } else if (!is_flattening(record)) {
        wanted.insert(moved(chosen.contains(n) ? chosen.at(n) : by, sizes));
      }
    }
  }

  /// Returns the minimum of `bytes_with` over all orders of the free operators of the region.
  auto min_bytes() const -> std::optional<std::int64_t> {
    std::set<order> orders;
    std::set<std::uint32_t> free;
    for (const auto& [id, by] : region_) {
      orders.insert(by);
      if (const auto n = producers_[index(id)]; n != baton::none<baton::node_id> && is_free(program_[n])) free.insert(index(n));
    }
    labels chosen;
    std::size_t combinations = 1;
    for (const auto n : free) {
      chosen[n] = *orders.begin();
      combinations *= orders.size();
      if (combinations > 100'000) return {};
    }
    auto result = bytes_with(chosen);
    for (std::size_t c = 1; c < combinations; ++c) {
      auto quotient = c;
      for (auto& [n, label] : chosen) {
        label = *std::next(orders.begin(), static_cast<std::ptrdiff_t>(quotient % orders.size()));
        quotient /= orders.size();
      }
      result = std::min(result, bytes_with(chosen));
    }
    return result;
  }

  const baton::program_view& program_;
  const baton::graph& graph_;
  baton::vector<baton::node_id> producers_;
  std::map<baton::value_id, std::vector<std::uint32_t>> readers_;
  std::map<baton::value_id, order> orders_;
  std::map<baton::value_id, order> region_;
};

/// Counts the transposes of all graphs of a program. Returns nothing if the minimum of one is not known.
inline auto transpose_counts_of(const baton::program_view& program) -> std::optional<transpose_counts> {
  transpose_counts sum;
  for (const auto& each : program.graphs) {
    const auto counts = transpose_bound(program, each).counts();
    if (!counts) return {};
    sum.transposes += counts->transposes;
    sum.bytes += counts->bytes;
    sum.min_bytes += counts->min_bytes;
  }
  return sum;
}

}  // namespace formats
