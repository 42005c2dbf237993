// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The backend concept: a backend preprocesses parts of a program into processed bytes, and may execute the processed bytes. A part is the
// nodes of a graph that become one delegate. Processed bytes are the result of `preprocess`.
#pragma once

#include <baton/backend/named_data.hpp>
#include <baton/backend/packed_constant.hpp>
#include <baton/backend/shared/constant_packing.hpp>
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

/// A map from methods to lists with one `T` for each part of the method. The elements are the parts (`by_method<exported_program>`), the
/// compile specs of each part (`by_method<compile_specs>`), or the results of `preprocess` (`by_method<preprocess_result>`). Compile specs
/// are key-value pairs for `preprocess`. Methods are in insertion order.
template <class T>
struct by_method {
  struct entry {
    text_buffer method;
    vector<T> parts;
  };
  vector<entry> entries;

  /// Returns the list of a method. Adds an empty list if the method has no list. O(methods).
  constexpr auto operator[](std::string_view method) -> vector<T>& {
    for (auto& candidate : entries) {
      if (view(candidate.method) == method) return candidate.parts;
    }
    entries.push_back({join(method), {}});
    return entries.back().parts;
  }
  /// Returns the list of a method, or null if the method has no list. O(methods).
  constexpr auto find(std::string_view method) const -> const vector<T>* {
    for (const auto& candidate : entries) {
      if (view(candidate.method) == method) return &candidate.parts;
    }
    return nullptr;
  }

  constexpr auto begin() const { return entries.begin(); }
  constexpr auto end() const { return entries.end(); }
};

/// An entry of a debug handle map (a delegate mapping): the identifier of an operation of the backend, and the debug handles of the nodes
/// that the operation computes. A debug handle is a number that identifies a node of the model.
struct debug_map_entry {
  std::int64_t identifier = 0;
  text_buffer text;  ///< if `is_text`, the identifier, which replaces the number `identifier`
  bool is_text = false;
  vector<std::int64_t> handles;  ///< ascending
};

/// The result of `preprocess`. Only the member `processed_bytes` is required.
///
/// A linker script can place processed bytes in a separate memory with `*(.rodata._ZN5baton6detail20processed_bytes_copyI*)`. The pattern
/// for named data (bytes that delegates look up by key) is `*(.rodata._ZN5baton6detail16named_data_bytesI*)`. The second pattern does not
/// match data that an executor uses in place (`named_data_store::add_view`). Neither pattern matches other data. Both patterns must precede
/// `*(.rodata*)`. Compile with `-fdata-sections`. With `-flto`, also pass `-fdata-sections` to the linker.
struct preprocess_result {
  text_buffer processed_bytes;  ///< without packed constants; in read-only memory on the target
  /// Maps operations of the backend to nodes. An entry needs only the `debug_handle` of each node, because lowering adds the folded handles
  /// of the node. Folded handles are the debug handles of the nodes that were merged into the node.
  vector<debug_map_entry> debug_handle_map;
  named_data_store named_data;      ///< bytes that the delegate finds by key at run time; equal bytes of all delegates are stored once
  text_buffer delegate_info;        ///< information about the delegate for tools; not present on the target
  std::uint32_t scratch_bytes = 0;  ///< size of the working memory of `execute` in the arena, in bytes

  constant_packing packing;  ///< the constants that `pack` added to the processed bytes

  constexpr preprocess_result() = default;
  constexpr explicit preprocess_result(std::string_view bytes) : processed_bytes(join(bytes)) {}

  /// Appends a constant of `part`, permuted and padded, to the processed bytes. Returns the offset of the constant in the processed bytes.
  /// `part` is the argument of `preprocess`. Bytes that are appended to `processed_bytes` after this call follow the constant. At compile
  /// time, several constant expressions compute the processed bytes. Therefore the compiler's limit for one constant expression does not
  /// bound the size of the constant. If the constant cannot be packed, lowering fails with `malformed_packing`.
  constexpr auto pack(const program_view& part, packed_constant constant) -> std::size_t {
    const auto offset = processed_size();
    packing.add(part, std::move(constant), processed_bytes.size());
    return offset;
  }
  /// Returns the number of processed bytes, including packed constants.
  constexpr auto processed_size() const -> std::size_t { return processed_bytes.size() + packing.size(); }
  /// Returns the processed bytes, including the packed constants of `part`.
  constexpr auto all_processed_bytes(const program_view& part) const -> text_buffer {
    text_buffer bytes;
    bytes.resize(processed_size());
    packing.copy(view(processed_bytes), part, 0, {bytes.data(), bytes.size()});
    return bytes;
  }
};

namespace archetypes {

/// A minimal type that satisfies the concept `backend`.
struct backend {
  static constexpr auto id = name<"archetype">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};

}  // namespace archetypes

/// A backend preprocesses parts of a program into processed bytes. A backend is a struct of static members:
/// - `static constexpr auto id = baton::name<"MyNpu">`: unique in the list of backends.
/// - `static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result`:
///   computes the processed bytes of a part, at compile time or at run time. A backend that may refuse a part declares the return type
///   `result<preprocess_result>`, and refuses a part with `return baton::refuse_part(...)`.
/// - `static constexpr auto preprocess_multimethod(const baton::by_method<baton::exported_program>& parts, const
///   baton::by_method<baton::compile_specs>&) -> baton::by_method<baton::preprocess_result>` (optional): computes the processed bytes of
///   all methods that are lowered together. The function returns one `preprocess_result` for each part, in the same order. If the function
///   may fail, the return type is `result<baton::by_method<baton::preprocess_result>>`.
/// - `static void execute(const baton::delegate_call&)` (optional): executes processed bytes. An executor requires this function.
///   `run/delegate_lifecycle.hpp` documents other signatures, such as a template that is instantiated for each part.
///
/// Laws: equal parts and specs must produce equal processed bytes; the debug handle map must contain only debug handles of the part's
/// nodes.
template <class T>
concept backend = requires(const exported_program& part, const compile_specs& specs) {
  { to_text(T::id) } -> std::convertible_to<std::string_view>;
  { T::preprocess(part, specs) } -> std::convertible_to<result<preprocess_result>>;
};
static_assert(backend<archetypes::backend>);

/// Returns the failure with which `preprocess` refuses a part. The reason is the concatenation of the arguments: texts and integers.
template <class... Parts>
constexpr auto refuse_part(Parts... reason) -> failure {
  return broken<"refused_part">(reason...);
}

}  // namespace baton
