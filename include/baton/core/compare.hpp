// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Equality of programs, field by field and by content. The addresses of bytes do not matter.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/pool_sizes.hpp>
#include <baton/core/span.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace baton {

/// True if two lists have equal items in the same order. Takes less compile time than `std::ranges::equal`.
template <class T>
constexpr auto same(span<const T> left, span<const T> right) -> bool {
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] != right[i]) return false;
  }
  return true;
}

namespace detail {

/// A comparison of records of two programs. Texts and bytes are compared by content.
class record_comparison {
 public:
  constexpr record_comparison(const program_view& left, const program_view& right)
      : left_(left),
        right_(right),
        shared_(std::min(left.bytes.size(), right.bytes.size())) {
    if (!same_bytes({left.bytes.data(), shared_}, {right.bytes.data(), shared_})) shared_ = 0;
  }

  // A byte pool is the array of all bytes of a program. If one of the two byte pools is a prefix of the other, equal ranges in the prefix
  // contain the same bytes. These bytes are not compared. This saves steps of a constant expression, for example if one program is a copy
  // of the other and has large weights.
  constexpr auto same(byte_ref a, byte_ref b) const -> bool {
    return (a.outside == nullptr && b.outside == nullptr && a.first == b.first && a.size == b.size && a.first + a.size <= shared_) ||
           same_bytes(left_.data(a), right_.data(b));
  }
  // True if two ranges are equal; all empty ranges are equal.
  static constexpr auto same(range a, range b) -> bool { return a.size == b.size && (a.size == 0 || a.first == b.first); }
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  static constexpr auto same(T a, T b) -> bool {
    return a == b;
  }
  static constexpr auto same(double a, double b) -> bool { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
  constexpr auto same(const quantization& a, const quantization& b) const -> bool {
    return same(a.scales, b.scales) && same(a.zero_points, b.zero_points) && a.channels == b.channels && a.axis == b.axis;
  }
  constexpr auto same(const graph& a, const graph& b) const -> bool {
    return same(a.name, b.name) && same(a.nodes, b.nodes) && same(a.inputs, b.inputs) && same(a.outputs, b.outputs);
  }
  constexpr auto same(const node& a, const node& b) const -> bool {
    return same(a.name, b.name) && same(a.target, b.target) && a.op == b.op && same(a.inputs, b.inputs) && same(a.outputs, b.outputs) &&
           same(a.attributes, b.attributes) && same(a.subgraphs, b.subgraphs) && a.debug_handle == b.debug_handle &&
           same(a.folded_handles, b.folded_handles) && a.tag == b.tag && a.delegate == b.delegate;
  }
  constexpr auto same(const value& a, const value& b) const -> bool {
    return same(a.name, b.name) && a.type == b.type && a.kind == b.kind && a.persistent == b.persistent && same(a.shape, b.shape) &&
           same(a.quant, b.quant) && same(a.data, b.data) && same(a.target, b.target) && a.graph == b.graph && a.tag == b.tag &&
           a.sharing == b.sharing;
  }
  constexpr auto same(const attribute& a, const attribute& b) const -> bool {
    return same(a.name, b.name) && a.key == b.key && a.kind == b.kind && a.integer == b.integer && same(a.real, b.real) &&
           same(a.bytes, b.bytes) && same(a.list, b.list);
  }
  constexpr auto same(const output_spec& a, const output_spec& b) const -> bool {
    return a.kind == b.kind && a.value == b.value && same(a.target, b.target);
  }
  constexpr auto same(const compile_spec_ref& a, const compile_spec_ref& b) const -> bool {
    return same(a.key, b.key) && same(a.value, b.value);
  }
  constexpr auto same(const tag& a, const tag& b) const -> bool {
    return same(a.name, b.name) && same(a.backend_id, b.backend_id) && same(a.compile_specs, b.compile_specs) && a.order == b.order;
  }
  constexpr auto same(const lowered_module_ref::mapping_entry& a, const lowered_module_ref::mapping_entry& b) const -> bool {
    return a.identifier == b.identifier && same(a.text, b.text) && a.is_text == b.is_text && same(a.handles, b.handles);
  }
  constexpr auto same(const named_data_ref& a, const named_data_ref& b) const -> bool {
    return same(a.key, b.key) && same(a.data, b.data) && same(a.external_tag, b.external_tag) && a.alignment == b.alignment &&
           a.is_tensor == b.is_tensor && a.type == b.type && same(a.sizes, b.sizes) && same(a.dim_order, b.dim_order);
  }
  constexpr auto same(const lowered_module_ref& a, const lowered_module_ref& b) const -> bool {
    return same(a.name, b.name) && same(a.backend_id, b.backend_id) && same(a.processed_bytes, b.processed_bytes) &&
           a.original == b.original && same(a.compile_specs, b.compile_specs) && same(a.debug_map, b.debug_map) &&
           same(a.named_data, b.named_data) && same(a.info, b.info) && a.scratch_bytes == b.scratch_bytes;
  }

 private:
  program_view left_;
  program_view right_;
  std::size_t shared_;  ///< the size of the shorter byte pool if this pool is a prefix of the longer byte pool, else 0
};

}  // namespace detail

/// True if two programs are equal, field by field. Texts and bytes are compared by content, real numbers by their bits. The byte pools
/// themselves are not compared. Therefore an owned copy and a view of the same text or named data are equal. The comparison also ignores
/// `named_data_ref::is_view`, `lowered_module_ref::packing`, the definitions of user-defined operators and the dialect.
constexpr auto same(const program_view& left, const program_view& right) -> bool {
  const detail::record_comparison compare(left, right);
  bool is_equal = true;
  for_each_pool(
      [&]<class Pool>(const Pool& a, const Pool& b) {
        using record = typename Pool::value_type;
        if constexpr (!std::is_same_v<record, char>) {
          is_equal = is_equal && a.size() == b.size();
          for (std::size_t i = 0; is_equal && i < a.size(); ++i) is_equal = compare.same(a[i], b[i]);
        }
      },
      left, right);
  return is_equal;
}

}  // namespace baton
