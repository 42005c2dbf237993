// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Estimates the flash that a program needs with one form for each node (one of the kernels that support the node, see `node_forms`). The
// estimate includes the constants that the kernels read, and the code of the kernels.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/shared/kernel_functions.hpp>
#include <baton/plan/detail/node_forms.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The sizes of the constants that the forms of a node prepare.
struct prepared_size {
  static constexpr std::uint64_t none = UINT64_MAX;

  std::array<std::uint64_t, node_forms::max_count> bytes{};  ///< indexed by form; `none` if the form prepares no constant

  constexpr prepared_size() { bytes.fill(none); }
};

/// Returns the size of the constant that `Kernel` prepares for a node, in bytes. Returns `prepared_size::none` if there is no such
/// constant.
template <class Kernel>
constexpr auto prepared_bytes([[maybe_unused]] const kernel_facts& facts) -> std::uint64_t {
  if constexpr (preparing_kernel<Kernel>) {
    if (facts.prepared.size() != 0) return facts.prepared.size() * sizeof(prepared_element_of<Kernel>);
  }
  return prepared_size::none;
}

/// The flash of each form of each node, in bytes. A prepared constant that is at least as large as the node's constant operands is assumed
/// to replace these operands. A smaller prepared constant is assumed to contain only per-channel numbers, so the form also reads the
/// constant operands. Branches, loops and delegate calls have no forms; they read their constant operands.
class flash_estimate {
 public:
  constexpr flash_estimate(const program_view& program, span<const node_forms> nodes, span<const prepared_size> prepared)
      : program_(program),
        nodes_(nodes),
        prepared_(prepared) {}

  /// Returns the flash that node `n` alone needs with a form.
  constexpr auto of_node(std::uint32_t n, std::uint8_t form) const -> std::uint64_t {
    auto bytes = nodes_[n][form].cost.code_bytes;
    if (prepares(n, form)) bytes += prepared_[n].bytes[form];
    return reads_constants(n, form) ? bytes + constant_bytes(n) : bytes;
  }
  /// Returns the flash that all nodes need with the given forms. A constant that several nodes read counts once.
  constexpr auto of_all(span<const std::uint8_t> forms) const -> std::uint64_t {
    vector<char> is_read(program_.values.size(), 0);
    std::uint64_t bytes = 0;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (!nodes_[n].is_own) continue;
      if (nodes_[n].count != 0) {
        bytes += nodes_[n][forms[n]].cost.code_bytes;
        if (prepares(n, forms[n])) bytes += prepared_[n].bytes[forms[n]];
        if (!reads_constants(n, forms[n])) continue;
      }
      for (const auto input : program_.inputs(program_.nodes[n])) {
        if (input == none<value_id> || is_read[index(input)] != 0) continue;
        bytes += program_[input].data.size;
        is_read[index(input)] = 1;
      }
    }
    return bytes;
  }

 private:
  constexpr auto prepares(std::uint32_t n, std::uint8_t form) const -> bool { return prepared_[n].bytes[form] != prepared_size::none; }
  constexpr auto constant_bytes(std::uint32_t n) const -> std::uint64_t {
    std::uint64_t bytes = 0;
    for (const auto input : program_.inputs(program_.nodes[n])) {
      if (input != none<value_id>) bytes += program_[input].data.size;
    }
    return bytes;
  }
  constexpr auto reads_constants(std::uint32_t n, std::uint8_t form) const -> bool {
    return !prepares(n, form) || prepared_[n].bytes[form] < constant_bytes(n);
  }

  const program_view& program_;
  span<const node_forms> nodes_;
  span<const prepared_size> prepared_;
};

}  // namespace baton::detail
