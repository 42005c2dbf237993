// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Processed bytes and named data of delegates: in the executable image, or from a loader and an external source.
#pragma once

#include <baton/core/span.hpp>
#include <baton/run/status.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// The processed bytes of a delegate. The bytes stay valid until `release`, or until the executor is destroyed, so a backend may keep a
/// pointer to them.
class processed_bytes {
 public:
  /// A request for processed bytes, which is passed to a loader.
  struct request {
    /// The kind of the requested data.
    enum class segment_kind : std::uint8_t { backend };

    segment_kind kind = segment_kind::backend;
    std::string_view backend_id;
    std::string_view module;    ///< the lowered module's name, `lowered_module_0` and so on
    std::size_t size = 0;       ///< the number of processed bytes, including packed constants
    std::size_t alignment = 1;  ///< the required alignment of the first byte, in bytes
  };

  /// Processed bytes that a loader returns. `release(context, bytes)` is called once, when the processed bytes are no longer needed.
  struct loaded {
    span<const char> bytes;
    void (*release)(void* context, span<const char> bytes) = nullptr;
    void* context = nullptr;
  };

  constexpr processed_bytes() = default;
  processed_bytes(const processed_bytes&) = delete;
  auto operator=(const processed_bytes&) -> processed_bytes& = delete;

  /// Returns the bytes, or an empty span after `release`.
  constexpr auto bytes() const -> span<const char> { return held_.bytes; }
  /// Calls the loader's `release` function, if there is one, and forgets the bytes. A second call has no effect. Processed bytes in the
  /// executable image have no `release` function.
  void release() {
    const auto previous = held_;
    held_ = {};
    if (previous.release != nullptr) previous.release(previous.context, previous.bytes);
  }
  /// Stores bytes from a loader or from the executable image. The previous processed bytes must have been released.
  constexpr void hold(const loaded& bytes) { held_ = bytes; }

 private:
  loaded held_;
};

/// A service of an executor that loads processed bytes from outside the executable image: `static auto load(const
/// baton::processed_bytes::request&) -> baton::status_or<baton::processed_bytes::loaded>`. By default, the loader provides the processed
/// bytes of all delegates, and the executable image contains no processed bytes. To load the processed bytes of only some delegates, add
/// `static constexpr auto loads(const baton::processed_bytes::request&) -> bool`. If there are fewer bytes than requested, or if
/// they are not aligned as requested, the delegate's initialization fails with `access_failed`.
template <class T>
concept processed_bytes_loader = requires(const processed_bytes::request& request) {
  { T::load(request) } -> std::convertible_to<status_or<processed_bytes::loaded>>;
};

/// A service of an executor that finds named data outside the executable image: `static auto find_named_data(std::string_view key) ->
/// baton::status_or<baton::span<const char>>`. The function returns `not_found` for an unknown key. If the function finds a key that the
/// delegate also has in the executable image, the delegate's initialization fails with `invalid_argument`.
template <class T>
concept named_data_source = requires(std::string_view key) {
  { T::find_named_data(key) } -> std::convertible_to<status_or<span<const char>>>;
};

/// The named data of a delegate. `find` searches the external source before the executable image.
class named_data_map {
 public:
  /// A key and its bytes.
  struct entry {
    std::string_view key;
    span<const char> bytes;
  };
  using external_source = auto (*)(std::string_view key) -> status_or<span<const char>>;

  constexpr named_data_map() = default;
  constexpr named_data_map(span<const entry> own, external_source external) : own_(own), external_(external) {}

  /// Returns the bytes of `key`. Fails with `not_found` if there is no such key, or with another error of the external source. O(entries).
  constexpr auto find(std::string_view key) const -> status_or<span<const char>> {
    if (external_ != nullptr) {
      const auto outside = external_(key);
      if (outside.code != status::not_found) return outside;
    }
    for (const auto& each : own_) {
      if (each.key == key) return each.bytes;
    }
    return status::not_found;
  }
  /// Returns the entries in the executable image.
  constexpr auto delegate_entries() const -> span<const entry> { return own_; }

 private:
  span<const entry> own_;
  external_source external_ = nullptr;
};

}  // namespace baton
