// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The state of reading one ONNX model, the read options, and functions that read fields of protobuf messages.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/shortened.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/protobuf.hpp>
#include <baton/import/detail/reading_state.hpp>
#include <baton/import/onnx_read_options.hpp>
#include <baton/import/shared/rules.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::onnx::detail {

using protobuf::field;
using protobuf::message;
using protobuf::wire_type;

/// The state of reading one model. A small file can create many nodes by function calls. It can also create many captured values: values of
/// an outer graph that the body of a branch or loop uses. So the importer charges `cost_of_record` (`byte_reader::charge`) for each node of
/// a called function, and for each captured value that becomes an input of a body.
class reading : public baton::detail::reading_state {
 public:
  constexpr reading(span<const char> bytes, const read_options& user_options) : reading_state(bytes), options(user_options) {}
  reading(const reading&) = delete;
  auto operator=(const reading&) -> reading& = delete;

  read_options options;

  // Fields

  /// Returns the text of a field. If the field does not contain bytes, the reader fails and the text is empty.
  constexpr auto text(const field& f) -> std::string_view {
    return f.wire == wire_type::bytes || reader.fail() ? reader.text(f.at, f.size) : std::string_view{};
  }
  /// Returns the varint of a field. If the field does not contain a varint, the reader fails and the number is 0.
  constexpr auto number(const field& f) -> std::uint64_t { return f.wire == wire_type::varint || reader.fail() ? f.value : 0; }

  constexpr auto view(std::string_view text) -> byte_ref {
    if (text.size() > 0xffffffffu) refuse<"unsupported_model">("a text or the data of a tensor has 4 GiB or more");
    return program_builder::view(text);
  }

  /// Appends the integers of a field to a list. The field contains one integer, or packed integers.
  constexpr void append_integers(const field& f, vector<std::int64_t>& list) {
    if (f.wire == wire_type::varint) return list.push_back(static_cast<std::int64_t>(f.value));
    for (message packed(reader, f); packed.has_more();) list.push_back(static_cast<std::int64_t>(packed.varint()));
  }
  /// Appends the float32 numbers of a field to a list. The field contains one number, or packed numbers.
  constexpr void append_reals(const field& f, vector<double>& list) {
    if (f.wire == wire_type::fixed32) return list.push_back(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(f.value))));
    if (f.wire != wire_type::bytes || f.size % 4 != 0) reader.fail();
    for (std::size_t i = 0; i + 4 <= f.size; i += 4) list.push_back(static_cast<double>(reader.f32(f.at + i)));
  }
};

/// Returns the name for use in an error message, shortened if it is long.
constexpr auto printable_name(std::string_view name) -> text_buffer { return shortened(name, 80); }

}  // namespace baton::onnx::detail
