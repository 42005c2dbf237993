// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Embedded models of any format, read at compile time.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/static_program.hpp>
#include <baton/import/default_importers.hpp>
#include <baton/import/importers.hpp>

#include <type_traits>

namespace baton {

/// The static program of an embedded model, read by the first importer that recognizes it:
/// `constexpr auto model = baton::read_model<keyword_bytes>;`
/// `Bytes` is an array of `unsigned char` or `std::byte`, or an array of `char` that ends with a zero. `Importers` is a list of importers.
/// `Entry` is the name of an entry point; an empty name selects the default entry point:
/// `baton::read_model<keyword_bytes, baton::default_importers, "decode">`
/// The variable `read` of a format, such as `tflite::read`, contains the same program and costs the same at compile time. Fails with
/// `unreadable_bytes`, `unknown_format`, `unknown_name`, and the errors of the importer.
template <const auto& Bytes, auto Importers = default_importers, fixed_string Entry = "">
inline constexpr static_program<typename decltype(detail::reader_by<std::remove_cvref_t<decltype(Importers)>, Bytes, Entry>())::type>
    read_model{};

}  // namespace baton
