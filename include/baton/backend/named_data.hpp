// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The named data store: bytes and tensors that delegates find by key at run time. Equal bytes are stored once.
#pragma once

#include <baton/backend/shared/rules.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/append_hex.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

/// The layout of a dense tensor: its elements are stored without gaps or repetitions, in some order of the dimensions.
struct tensor_layout {
  dtype type = dtype::float32;
  vector<std::int64_t> sizes;
  vector<std::int64_t> dim_order;  ///< the dimensions, outermost first: 0, 1, 2, 3 is row-major; 0, 2, 3, 1 is channels-last

  /// Returns the row-major layout of a tensor.
  static constexpr auto row_major(dtype type, span<const std::int64_t> sizes) -> tensor_layout {
    tensor_layout layout{type, {sizes.begin(), sizes.end()}, {}};
    for (std::size_t i = 0; i < sizes.size(); ++i) layout.dim_order.push_back(static_cast<std::int64_t>(i));
    return layout;
  }
  /// Returns the layout of a tensor with the strides `strides`, in elements. `dim_order` is sorted by descending stride; dimensions with
  /// equal strides keep their order. Fails with `malformed_layout` if the tensor is not dense, has a negative size, is too large, or has a
  /// wrong number of strides.
  static constexpr auto of_strides(dtype type, span<const std::int64_t> sizes, span<const std::int64_t> strides) -> result<tensor_layout> {
    if (sizes.size() != strides.size())
      return broken<"malformed_layout">("the tensor has ", sizes.size(), " sizes, but ", strides.size(), " strides");
    auto layout = row_major(type, sizes);
    const auto stride = [&](std::int64_t dimension) { return strides[static_cast<std::size_t>(dimension)]; };
    sort(layout.dim_order.begin(), layout.dim_order.end(),
         [&](std::int64_t a, std::int64_t b) { return stride(a) != stride(b) ? stride(a) > stride(b) : a < b; });
    const auto count = element_count(sizes);
    if (count < 0) return broken<"malformed_layout">("a size is negative, or the tensor is too large");
    std::int64_t dense = 1;
    for (std::size_t i = sizes.size(); i-- > 0 && count != 0;) {
      const auto dimension = layout.dim_order[i];
      const auto size = sizes[static_cast<std::size_t>(dimension)];
      if (size != 1 && stride(dimension) != dense) {
        return broken<"malformed_layout">("dimension ", dimension, " has stride ", stride(dimension), ", not ", dense);
      }
      dense *= size;
    }
    return layout;
  }

  friend constexpr auto operator==(const tensor_layout&, const tensor_layout&) -> bool = default;
};

/// Returns a layout as text: `float32[2, 3] order [1, 0]`.
constexpr auto print(const tensor_layout& layout) -> text_buffer {
  auto text = join(facts(layout.type).name);
  const auto list = [&](const vector<std::int64_t>& numbers) {
    append(text, "[");
    for (std::size_t i = 0; i < numbers.size(); ++i) append(append(text, i == 0 ? "" : ", "), numbers[i]);
    append(text, "]");
  };
  list(layout.sizes);
  append(text, " order ");
  list(layout.dim_order);
  return text;
}

/// The options with which named data is stored.
struct named_data_options {
  std::int64_t alignment = 1;             ///< in bytes
  std::string_view external_tag{};        ///< the name of the external file that contains the data; empty if the program contains the data
  std::optional<tensor_layout> layout{};  ///< optional; for a `tensor`, the default is the layout of the tensor
};

/// Returns the options that differ from the defaults, as text.
constexpr auto print(const named_data_options& how) -> text_buffer {
  text_buffer text;
  if (how.alignment != named_data_options{}.alignment) append(append(text, " alignment "), how.alignment);
  if (!how.external_tag.empty()) append(append(text, " tag "), how.external_tag);
  if (how.layout) append(append(text, " layout "), view(print(*how.layout)));
  return text;
}

namespace detail {

class named_data_sharding;

/// True if a value of type `T` is certainly a range of bytes. False for an array of characters, or a pointer to a character, because such a
/// value may be zero-terminated text, or memory.
template <class T>
concept unambiguous_bytes = !std::is_array_v<T> && !std::is_pointer_v<T> &&
                            (std::convertible_to<const T&, std::string_view> || std::convertible_to<const T&, span<const char>>);

}  // namespace detail

/// A store of named data. A backend's `preprocess` fills the store and returns it with the processed bytes (the result of `preprocess`).
/// Keys are unique; keys with equal bytes share a buffer. If a call fails, the store does not change.
///
/// If two parts (the nodes of a graph that become one delegate) of a program have different bytes for a key, lowering fails with
/// `conflicting_named_data`. Keys of `add_by_content` depend on the bytes, so two such keys conflict only if their 64-bit hashes collide.
class named_data_store {
 public:
  /// A tensor as named data: its bytes in memory order, and the layout of its elements. If `strides` is empty, the tensor is row-major.
  struct tensor {
    span<const char> bytes;
    dtype type = dtype::float32;
    span<const std::int64_t> sizes;
    span<const std::int64_t> strides{};  ///< in elements
  };
  /// A key of a store, with its buffer and its options.
  struct entry {
    text_buffer key;
    std::uint32_t buffer = 0;  ///< the index of the key's buffer in the store
    std::uint32_t alignment = 1;
    text_buffer external_tag;  ///< empty if the program contains the bytes
    std::optional<tensor_layout> layout;

    friend constexpr auto operator==(const entry&, const entry&) -> bool = default;
  };

  /// Adds a copy of `data`: a span of `char`, a `string_view`, a `vector` or `array` of `char`, or a `tensor`. If the store has the key
  /// with the same bytes, the alignment, external tag and layout of the key do not change (as in ExecuTorch). Fails with
  /// `conflicting_named_data` if the store has the key with different bytes. Fails with `malformed_alignment` if the alignment is not in
  /// the range [1, 2^31]. Also fails with `malformed_alignment` if the least common multiple of the alignments of all keys with these bytes
  /// exceeds 2^31. For a `tensor`, fails with `malformed_layout` as `tensor_layout::of_strides` does. Fails with `malformed_data` if the
  /// shape of the tensor does not match the number of bytes. Also fails with `conflicting_layout` if `how.layout` differs from the layout
  /// of the tensor. If `data` has another type, the compiler reports `unsupported_named_data`.
  template <class Data>
  [[nodiscard]] constexpr auto add(std::string_view key, const Data& data, const named_data_options& how = {}) -> failure {
    return add_data(key, data, how, keep::copy);
  }
  /// Adds data without copying its bytes, for example bytes in flash. The bytes must outlive every program that refers to them. If all keys
  /// of these bytes have alignment 1, the executor of a static program uses the bytes in place. Otherwise, the executor contains a copy of
  /// the bytes, because the alignment of the original bytes is unknown at compile time. Fails as `add` does.
  template <class Data>
  [[nodiscard]] constexpr auto add_view(std::string_view key, const Data& data, const named_data_options& how = {}) -> failure {
    return add_data(key, data, how, keep::view);
  }
  /// Adds the data of a parameter, buffer or constant of a part, with its layout. The key is the fully qualified name of the value. Data
  /// outside the program (`byte_ref::outside`) is not copied. Fails as `add` does.
  [[nodiscard]] constexpr auto add_value(const program_view& part, value_id id, const named_data_options& how = {}) -> failure {
    const auto& record = part[id];
    const tensor stored{part.data(record.data), record.type, part.shape(id)};
    return add_data(part.text(record.target), stored, how, record.data.outside != nullptr ? keep::view : keep::copy);
  }
  /// Adds a copy of `data` under a key that is computed from `name`, the bytes and the options, and returns the key. Therefore parts may
  /// use one name for different bytes, alignments, external tags or layouts without conflict. Equal bytes of all parts are stored once. At
  /// compile time, computing the key costs about five evaluation steps per byte. Fails as `add` does.
  template <class Data>
  constexpr auto add_by_content(std::string_view name, const Data& data, const named_data_options& how = {}) -> result<text_buffer> {
    auto kept = how;
    if (auto why = complete_layout(name, data, kept)) return why;
    auto key = content_key(name, bytes_of(data), baton::view(print(kept)));
    if (auto why = add_bytes(baton::view(key), bytes_of(data), kept, keep::copy)) return why;
    return key;
  }
  /// Adds all entries of `other`, with their alignments, external tags and layouts. Bytes that `other` does not own are not copied. Fails
  /// as `add` does.
  [[nodiscard]] constexpr auto merge(const named_data_store& other) -> failure {
    auto merged = *this;
    for (const auto& each : other.entries_) {
      const auto kept = other.buffers_[each.buffer].outside != nullptr ? keep::view : keep::copy;
      const named_data_options how{each.alignment, baton::view(each.external_tag), each.layout};
      if (auto why = merged.add_bytes(baton::view(each.key), other.bytes(each.buffer), how, kept)) return why;
    }
    *this = std::move(merged);
    return {};
  }

  /// Returns `name`, a 64-bit hash in hexadecimal, and the number of bytes, joined by `_`. The hash is computed from `options` (the options
  /// as text) and `bytes`. If two different buffers have the same key, adding the second buffer fails with `conflicting_named_data`.
  static constexpr auto content_key(std::string_view name, std::string_view bytes, std::string_view options = {}) -> text_buffer {
    constexpr std::size_t piece = 65'536;
    std::uint64_t hash = hash_of(options);
    for (std::size_t at = 0; at < bytes.size(); at += piece) hash = hash_of(bytes.substr(at, piece), hash);
    auto key = join(name, "_");
    return append(append(append_hex(key, hash, 16), "_"), static_cast<std::int64_t>(bytes.size()));
  }

  /// Returns the number of distinct buffers. Buffers are in the order of their first keys.
  constexpr auto buffer_count() const -> std::size_t { return buffers_.size(); }
  /// Returns the bytes of a buffer. For a buffer that the store owns, the view is valid until the store changes.
  constexpr auto bytes(std::size_t buffer) const -> std::string_view {
    const auto& stored = buffers_[buffer];
    return stored.outside != nullptr ? std::string_view{stored.outside, stored.size} : baton::view(stored.own);
  }
  /// True if a buffer is a view of bytes outside the store.
  constexpr auto is_view(std::size_t buffer) const -> bool { return buffers_[buffer].outside != nullptr; }
  /// Returns the alignment of a buffer, in bytes: the least common multiple of the alignments of its keys.
  constexpr auto alignment(std::size_t buffer) const -> std::uint32_t { return buffers_[buffer].alignment; }

  /// Returns all entries, one for each key, in insertion order.
  constexpr auto entries() const -> const vector<entry>& { return entries_; }
  /// Returns the entry with key `key`, or null if there is none. O(log(keys)) comparisons.
  constexpr auto find(std::string_view key) const -> const entry* {
    const auto position = position_of_key(key);
    return position < by_key_.size() && baton::view(entries_[by_key_[position]].key) == key ? &entries_[by_key_[position]] : nullptr;
  }
  /// Returns the entries with the external tag `external_tag`, in insertion order. If the tag is empty, returns the entries whose bytes are
  /// not in an external file.
  constexpr auto entries_in(std::string_view external_tag = {}) const -> vector<entry> {
    vector<entry> result;
    for (const auto& each : entries_) {
      if (baton::view(each.external_tag) == external_tag) result.push_back(each);
    }
    return result;
  }
  /// Returns the tags of the external files, in the order of their first keys. The views are valid until the store changes.
  constexpr auto external_tags() const -> vector<std::string_view> {
    vector<std::string_view> tags;
    for (const auto& each : entries_) {
      const auto tag = baton::view(each.external_tag);
      if (!tag.empty() && std::find(tags.begin(), tags.end(), tag) == tags.end()) tags.push_back(tag);
    }
    return tags;
  }

 private:
  friend class detail::named_data_sharding;

  enum class keep : bool { view, copy };
  struct stored_bytes {
    const char* outside = nullptr;  ///< null unless the buffer is a view
    std::size_t size = 0;
    text_buffer own;
    std::uint32_t alignment = 1;
  };

  template <class Data>
  static constexpr auto bytes_of(const Data& data) -> std::string_view {
    if constexpr (std::same_as<Data, tensor>) {
      return {data.bytes.data(), data.bytes.size()};
    } else if constexpr (!detail::unambiguous_bytes<Data>) {
      rule<"unsupported_named_data">::report<baton::error_facts<of_type<Data>>>();
      return {};
    } else if constexpr (std::convertible_to<const Data&, std::string_view>) {
      return data;
    } else {
      const span<const char> bytes = data;
      return {bytes.data(), bytes.size()};
    }
  }

  template <class Data>
  constexpr auto add_data(std::string_view key, const Data& data, const named_data_options& how, keep kept) -> failure {
    auto completed = how;
    if (auto why = complete_layout(key, data, completed)) return why;
    return add_bytes(key, bytes_of(data), completed, kept);
  }
  /// If `data` is a `tensor`, checks `data`, and sets the layout in `how` to the layout of the tensor.
  template <class Data>
  static constexpr auto complete_layout(std::string_view key, [[maybe_unused]] const Data& data, [[maybe_unused]] named_data_options& how)
      -> failure {
    if constexpr (std::same_as<Data, tensor>) {
      if (element_count(data.sizes) < 0) {
        return broken<"malformed_layout">("key ", key, ": a size is negative, or the tensor is too large");
      }
      result<tensor_layout> layout = tensor_layout::row_major(data.type, data.sizes);
      if (!data.strides.empty()) layout = tensor_layout::of_strides(data.type, data.sizes, data.strides);
      if (!layout) return about(std::move(layout.error), key);
      const auto needed = byte_count(data.type, data.sizes);
      if (needed >= 0 && static_cast<std::size_t>(needed) != data.bytes.size()) {
        return broken<"malformed_data">("key ", key, " needs ", needed, " bytes and has ", data.bytes.size());
      }
      if (how.layout && *how.layout != layout.value) return other_layout(key, *how.layout, layout.value);
      how.layout = std::move(layout.value);
    }
    return {};
  }

  constexpr auto add_bytes(std::string_view key, std::string_view bytes, const named_data_options& how, keep kept) -> failure {
    constexpr std::int64_t max_alignment = std::int64_t{1} << 31;
    if (how.alignment < 1 || how.alignment > max_alignment)
      return broken<"malformed_alignment">("key ", key, " has the alignment ", how.alignment);
    const auto position = position_of_key(key);
    if (position < by_key_.size() && baton::view(entries_[by_key_[position]].key) == key) {
      const auto existing = this->bytes(entries_[by_key_[position]].buffer);
      if (same_bytes(existing, bytes)) return {};
      return broken<"conflicting_named_data">("key ", key, " has ", existing.size(), " bytes in the first entry and ", bytes.size(),
                                              " bytes in the second");
    }
    const auto position_of_bytes = position_in_content_order(bytes);
    const bool is_stored = position_of_bytes < by_content_.size() && same_bytes(this->bytes(by_content_[position_of_bytes]), bytes);
    const auto alignment = std::lcm(is_stored ? std::int64_t{this->alignment(by_content_[position_of_bytes])} : 1, how.alignment);
    if (alignment > max_alignment)
      return broken<"malformed_alignment">("key ", key, " and the keys of equal bytes need the common alignment ", alignment);
    if (!is_stored) add_buffer(position_of_bytes, bytes, kept);
    const auto buffer = by_content_[position_of_bytes];
    buffers_[buffer].alignment = static_cast<std::uint32_t>(alignment);
    by_key_.insert(by_key_.begin() + static_cast<std::ptrdiff_t>(position), static_cast<std::uint32_t>(entries_.size()));
    entries_.push_back({join(key), buffer, static_cast<std::uint32_t>(how.alignment), join(how.external_tag), how.layout});
    return {};
  }
  constexpr void add_buffer(std::size_t position, std::string_view bytes, keep kept) {
    by_content_.insert(by_content_.begin() + static_cast<std::ptrdiff_t>(position), static_cast<std::uint32_t>(buffers_.size()));
    stored_bytes stored;
    stored.size = bytes.size();
    if (kept == keep::view) stored.outside = bytes.data();
    if (kept == keep::copy) stored.own.assign(bytes.begin(), bytes.end());
    buffers_.push_back(std::move(stored));
  }

  static constexpr auto about(failure why, std::string_view key) -> failure {
    why.reason = join("key ", key, ": ", baton::view(why.reason));
    return why;
  }
  static constexpr auto other_layout(std::string_view key, const tensor_layout& requested, const tensor_layout& actual) -> failure {
    return broken<"conflicting_layout">("key ", key, ": the requested layout is ", baton::view(print(requested)),
                                        ", the layout of the tensor is ", baton::view(print(actual)));
  }

  /// Returns the position in `by_key_` of the first key that is not less than `key`.
  constexpr auto position_of_key(std::string_view key) const -> std::size_t {
    const auto earlier = [this](std::uint32_t at, std::string_view wanted) { return baton::view(entries_[at].key) < wanted; };
    return static_cast<std::size_t>(std::lower_bound(by_key_.begin(), by_key_.end(), key, earlier) - by_key_.begin());
  }
  constexpr auto position_in_content_order(std::string_view bytes) const -> std::size_t {
    const auto earlier = [this](std::uint32_t at, std::string_view wanted) { return compare_bytes(this->bytes(at), wanted) < 0; };
    return static_cast<std::size_t>(std::lower_bound(by_content_.begin(), by_content_.end(), bytes, earlier) - by_content_.begin());
  }

  vector<stored_bytes> buffers_;
  vector<entry> entries_;
  vector<std::uint32_t> by_key_;      ///< the indices of the entries, sorted by key
  vector<std::uint32_t> by_content_;  ///< the indices of the buffers, sorted by content
};

}  // namespace baton
