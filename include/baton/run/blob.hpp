// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Blobs and named data where a delegate finds them: in the image, or brought by a loader, which takes a blob back, and from a source
// outside.
#pragma once

#include <baton/core/span.hpp>
#include <baton/run/status.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// The blob of a delegate; it lives as long as the executor, so that a backend may keep a pointer to it.
class blob {
 public:
  /// The blob that a loader is to bring.
  struct request {
    /// What a loader is asked for.
    enum class segment_kind : std::uint8_t { backend };

    segment_kind kind = segment_kind::backend;
    std::string_view backend_id;
    std::string_view module;    ///< the lowered module's name, `lowered_module_0` and so on
    std::size_t size = 0;       ///< of the blob as it was made
    std::size_t alignment = 1;  ///< that the first byte must have
  };

  /// What a loader brought. `release(context, bytes)` is called once, when the blob is needed no more.
  struct loaded {
    span<const char> bytes;
    void (*release)(void* context, span<const char> bytes) = nullptr;
    void* context = nullptr;
  };

  constexpr blob() = default;
  blob(const blob&) = delete;
  auto operator=(const blob&) -> blob& = delete;

  /// The bytes, none after a release.
  constexpr auto bytes() const -> span<const char> { return held_.bytes; }
  /// Gives the bytes back; doing so again does nothing. Of a blob in flash there is nothing to give back.
  void release() {
    const auto was = held_;
    held_ = {};
    if (was.release != nullptr) was.release(was.context, was.bytes);
  }
  /// Takes what was loaded, after what was held has been released.
  constexpr void hold(const loaded& given) { held_ = given; }

 private:
  loaded held_;
};

/// Brings blobs from outside the image: `static auto load(const baton::blob::request&) -> baton::status_or<baton::blob::loaded>`. Given to
/// an executor as a type, it brings all blobs, and none is in the image; with `static constexpr auto loads(const baton::blob::request&) ->
/// bool` it says which.
template <class T>
concept blob_loader = requires(const blob::request& request) {
  { T::load(request) } -> std::convertible_to<status_or<blob::loaded>>;
};

/// Brings named data from outside the image: `static auto find_named_data(std::string_view key) -> baton::status_or<baton::span<const
/// char>>`, with `not_found` for a key that it does not have. Given to an executor as a type.
template <class T>
concept named_data_source = requires(std::string_view key) {
  { T::find_named_data(key) } -> std::convertible_to<status_or<span<const char>>>;
};

/// The named data of a delegate. What lies outside the image is looked for first.
class named_data_map {
 public:
  /// Bytes under a key.
  struct entry {
    std::string_view key;
    span<const char> bytes;
  };
  using outside = auto (*)(std::string_view key) -> status_or<span<const char>>;

  constexpr named_data_map() = default;
  constexpr named_data_map(span<const entry> own, outside source) : own_(own), outside_(source) {}

  /// The bytes of that key. Error: `not_found`, and those of the source outside.
  constexpr auto find(std::string_view key) const -> status_or<span<const char>> {
    if (outside_ != nullptr) {
      const auto found = outside_(key);
      if (found.code != status::not_found) return found;
    }
    for (const auto& each : own_) {
      if (each.key == key) return each.bytes;
    }
    return status::not_found;
  }
  /// What lies in the image.
  constexpr auto own() const -> span<const entry> { return own_; }

 private:
  span<const entry> own_;
  outside outside_ = nullptr;
};

}  // namespace baton
