// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The backend concept: what turns a part of a program, or those of several methods at once, into blobs, and runs them where it can.
#pragma once

#include <baton/backend/named_data.hpp>
#include <baton/backend/packed_constant.hpp>
#include <baton/backend/shared/blob_packing.hpp>
#include <baton/backend/shared/rules.hpp>
#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// Something for every part of several methods: `by_method<exported_program>` the parts, `by_method<compile_specs>` what their backend is
/// given of each, `by_method<preprocess_result>` what it makes of each. Methods stand in the order in which they came.
template <class T>
struct by_method {
  struct entry {
    text_buffer method;
    vector<T> parts;
  };
  vector<entry> entries;

  /// The list of a method, which is added if it is not there.
  constexpr auto operator[](std::string_view method) -> vector<T>& {
    for (auto& candidate : entries) {
      if (view(candidate.method) == method) return candidate.parts;
    }
    entries.push_back({join(method), {}});
    return entries.back().parts;
  }
  /// The list of a method, null if it is not there.
  constexpr auto find(std::string_view method) const -> const vector<T>* {
    for (const auto& candidate : entries) {
      if (view(candidate.method) == method) return &candidate.parts;
    }
    return nullptr;
  }

  constexpr auto begin() const { return entries.begin(); }
  constexpr auto end() const { return entries.end(); }
};

/// One entry of a delegate mapping as a backend makes it: its identifier of one of its operations, and the debug handles it came from,
/// ascending.
struct debug_map_entry {
  std::int64_t identifier = 0;
  text_buffer text;  ///< the identifier, where it is a string
  bool is_text = false;
  vector<std::int64_t> handles;
};

/// What `preprocess` returns. Everything but the blob may be left out.
/// A linker script puts blobs into memory of their own with `*(.rodata._ZN5baton6detail10blob_bytesI*)`, and named data that is kept as a
/// copy with `*(.rodata._ZN5baton6detail16named_data_bytesI*)`, which stand before its `*(.rodata*)` and select nothing else. The compiler
/// must be given `-fdata-sections`, and with `-flto` the linker, too.
struct preprocess_result {
  text_buffer processed_bytes;               ///< the blob, without packed constants; it is in read-only memory on the target
  vector<debug_map_entry> debug_handle_map;  ///< handles that passes folded into nodes are added to their entries
  named_data_store named_data;               ///< bytes that the delegate finds by key while it runs, stored once for all delegates
  text_buffer delegate_info;                 ///< anything to tell tools about the delegate; it does not reach the target
  std::uint32_t scratch_bytes = 0;           ///< memory that `execute` needs while it runs; planned with the rest of the arena

  blob_packing packing;  ///< what `pack` added to the blob

  constexpr preprocess_result() = default;
  constexpr explicit preprocess_result(std::string_view blob) : processed_bytes(join(blob)) {}

  /// Appends a constant of the part, as `preprocess` was given it, to the blob, permuted and padded, and returns its offset in the blob;
  /// later bytes of `processed_bytes` follow it. Lowering at compile time computes such a blob in several constants, so its size is not
  /// bounded by the compiler's limit for one. A constant that cannot be packed fails the lowering with `malformed_packing`.
  constexpr auto pack(const program_view& part, packed_constant constant) -> std::size_t {
    const auto offset = blob_size();
    packing.add(part, std::move(constant), processed_bytes.size());
    return offset;
  }
  /// The size of the blob in bytes, packed constants included.
  constexpr auto blob_size() const -> std::size_t { return processed_bytes.size() + packing.size(); }
  /// The blob, packed constants of the part included.
  constexpr auto blob(const program_view& part) const -> text_buffer {
    text_buffer bytes;
    bytes.resize(blob_size());
    packing.copy(view(processed_bytes), part, 0, {bytes.data(), bytes.size()});
    return bytes;
  }
};

namespace archetypes {

/// The smallest backend.
struct backend {
  static constexpr auto id = name<"archetype">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};

}  // namespace archetypes

/// A backend takes parts of a program.
/// - `static constexpr auto id = baton::name<"MyNpu">`, unlike every other id in the list.
/// - `static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result`
///   makes the blob, in the compiler or at run time (`result<preprocess_result>` for one that may refuse, with `baton::refuse_part(...)`).
/// - `static constexpr auto preprocess_multimethod(const baton::by_method<baton::exported_program>& parts,
///   const baton::by_method<baton::compile_specs>&) -> baton::by_method<baton::preprocess_result>`, only if it shall see the parts of all
///   methods at once, when several methods are lowered together (`result<...>` for one that may refuse): one result a part, in order.
/// - `static void execute(const baton::delegate_call&)`, only if the blob also runs here; the executor asks for it. Other forms of it, one
///   of which is compiled for each part: `run/backend_life.hpp`.
/// Laws: equal parts and specs give equal blobs; the debug handles named are those of the part's nodes.
template <class T>
concept backend = requires(const exported_program& part, const compile_specs& specs) {
  { to_text(T::id) } -> std::convertible_to<std::string_view>;
  { T::preprocess(part, specs) } -> std::convertible_to<result<preprocess_result>>;
};
static_assert(backend<archetypes::backend>);

/// What a backend returns from `preprocess` when it cannot take a part; the reason is made of text and numbers.
template <class... Parts>
constexpr auto refuse_part(Parts... reason) -> failure {
  return broken<"refused_part">(reason...);
}

}  // namespace baton
