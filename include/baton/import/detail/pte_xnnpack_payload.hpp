// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The processed bytes of ExecuTorch's XNNPACK backend: a header, a graph as a flatbuffer, and constants. Processed bytes are the result of
// a backend's `preprocess`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/pte_reading.hpp>
#include <baton/import/detail/pte_xnnpack_schema.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pte::detail {

/// The processed bytes of one delegate. The member `reader` has a work limit of its own, proportional to the size of the graph's
/// flatbuffer. The work limit of the file's reader may be too small, because it is proportional to the size of the file's tables. The
/// processed bytes may be outside these tables.
class xnnpack_payload {
 public:
  using slots = xnnpack::slot::graph;

  /// Records an error that names the delegate. Returns false.
  template <fixed_string Rule, class... Parts>
  constexpr auto refuse(Parts... reason) -> bool {
    return model_.refuse<Rule>(user_, ": ", reason...);
  }
  /// True if there is no error so far. Records an invalid flatbuffer as `damaged_model`.
  template <class... Parts>
  constexpr auto check_errors(Parts... where) -> bool {
    if (!reader.ok()) refuse<"damaged_model">(where..., " is not inside the ", reader.size(), " bytes of the graph");
    return model_.check_errors(user_);
  }

  /// `named_data` is the range of the delegate's named data in the program. Named data are bytes that delegates look up by key. `user`
  /// names the delegate in messages, and must outlive this object.
  constexpr xnnpack_payload(reading& model, span<const char> bytes, range named_data, std::string_view user)
      : model_(model),
        user_(user),
        named_data_(named_data) {
    byte_reader header{bytes};
    has_header_ = header.text(4, 4) == "XH00";
    if (!has_header_) {  // before ExecuTorch 0.2, the bytes are a flatbuffer that contains the constants
      reader = byte_reader{bytes};
    } else {
      reader = byte_reader{header.view(header.u32(10), header.u32(14))};
      const auto first = header.u32(18);
      const auto size = header.u64(22);
      constants_ =
          first <= bytes.size() && size <= bytes.size() - first ? bytes.subspan(first, static_cast<std::size_t>(size)) : span<const char>{};
      if (first > bytes.size() || size > bytes.size() - first) header.fail();
      if (!header.ok()) {
        refuse<"damaged_model">("the header states a graph at byte ", header.u32(10), " and constants at byte ", first,
                                ", one of which ends outside the ", bytes.size(), " processed bytes");
        return;
      }
    }
    if (!flatbuffer::has_identifier(reader, "XN00") && !flatbuffer::has_identifier(reader, "XN01")) {
      const auto identifier = byte_reader{reader}.text(4, 4);
      refuse<"unsupported_model">("its processed bytes have the identifier ", baton::view(printable(identifier)),
                                  ", not XN00 or XN01; pass baton::pte::keep_processed_bytes to pte::read");
      return;
    }
    root_ = flatbuffer::root(reader);
    data_ = root_.elements<table>(slots::constant_data);
  }
  xnnpack_payload(const xnnpack_payload&) = delete;  // the tables refer to the reader
  auto operator=(const xnnpack_payload&) -> xnnpack_payload& = delete;

  byte_reader reader;

  constexpr auto root() const -> const table& { return root_; }

  /// Returns the version of the processed bytes, for messages.
  constexpr auto version() -> text_buffer {
    return join(reader.text(4, 4), ", version ", baton::view(printable(root_.text(slots::version))));
  }

  /// Returns the first `size` bytes of constant `index`. If the constant is missing or has fewer bytes, records an error, and returns an
  /// empty view. `user` is the id of the value that needs the constant, for the message.
  constexpr auto constant(std::uint32_t index, std::uint64_t size, std::uint32_t user) -> byte_ref {
    const auto bytes = has_header_ ? constant_bytes(index, user) : old_constant(index);
    if (model_.why) return {};
    if (size <= bytes.size()) return model_.view(bytes.first(static_cast<std::size_t>(size)));
    refuse<"damaged_model">("value ", user, " needs ", size, " bytes, but its constant ", index, " has ", bytes.size(), " bytes");
    return {};
  }

 private:
  static constexpr auto printable(std::string_view text) -> text_buffer {
    auto result = printable_name(text);
    for (auto& c : result) c = c < ' ' || c > '~' ? '?' : c;
    return result;
  }
  constexpr auto constant_bytes(std::uint32_t index, std::uint32_t user) -> span<const char> {
    if (index >= data_.size()) {
      refuse<"damaged_model">("value ", user, " has constant ", index, ", but the number of constants is ", data_.size());
      return {};
    }
    const auto stored = data_[index];
    const auto size = stored.scalar<std::uint64_t>(xnnpack::slot::constant::size);
    if (stored.field(xnnpack::slot::constant::named_key) != 0)
      return named(stored.text(xnnpack::slot::constant::named_key), size, index, user);
    const auto offset = stored.scalar<std::uint64_t>(xnnpack::slot::constant::offset);
    if (offset <= constants_.size() && size <= constants_.size() - offset)
      return constants_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
    refuse<"damaged_model">("constant ", index, " is at byte ", offset, " of the constants, ", size, " bytes long; the constants have ",
                            constants_.size(), " bytes");
    return {};
  }
  constexpr auto named(std::string_view key, std::uint64_t size, std::uint32_t index, std::uint32_t user) -> span<const char> {
    const auto& draft = model_.builder.draft();
    // Constants are usually stored in the order of their use, so each search begins after the previous match.
    for (std::uint32_t tried = 0; tried < named_data_.size && reader.charge(1); ++tried) {
      const auto& record = draft.named_data[named_data_.first + next_named_];
      next_named_ = next_named_ + 1 == named_data_.size ? 0 : next_named_ + 1;
      if (draft.text(record.key) != key) continue;
      const auto bytes = draft.data(record.data);
      if (size <= bytes.size()) return bytes.first(static_cast<std::size_t>(size));
      refuse<"damaged_model">("constant ", index, " has ", size, " bytes, but its named data has ", bytes.size(), " bytes");
      return {};
    }
    refuse<"missing_file">("value ", user, " is the tensor ", baton::view(printable(key)),
                           ", which the file does not contain; write: baton::pte::external_file<\"weights.ptd\", bytes>");
    return {};
  }
  constexpr auto old_constant(std::uint32_t index) -> span<const char> {
    const auto buffers = root_.elements<table>(slots::constant_buffer);
    return index < buffers.size() ? buffers[index].bytes(xnnpack::slot::buffer::storage) : span<const char>{};
  }

  reading& model_;
  std::string_view user_;
  range named_data_;
  std::uint32_t next_named_ = 0;  ///< the position at which the search for the next key begins
  bool has_header_ = false;
  table root_{};
  flatbuffer::vector<table> data_{};
  span<const char> constants_{};
};

}  // namespace baton::pte::detail
