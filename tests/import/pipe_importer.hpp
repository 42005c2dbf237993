// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A custom importer.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <string_view>

namespace tests {

/// The format "PIPE": these four characters, the size of a vector as a digit, and the bytes of the vector. The program returns the vector,
/// which is a constant.
struct pipe_importer {
  static constexpr std::string_view format = "Pipe";
  static constexpr auto recognizes(baton::span<const char> bytes) -> bool {
    return std::string_view{bytes.data(), bytes.size()}.starts_with("PIPE");
  }
  static constexpr auto read(baton::span<const char> bytes) -> baton::result<baton::exported_program> {
    if (!recognizes(bytes)) return baton::broken<"foreign_file">();
    if (bytes.size() < 5 || bytes.size() - 5 != static_cast<std::size_t>(bytes[4] - '0')) return baton::broken<"damaged_model">();
    baton::program_builder build;
    auto record = build.make_value("data", baton::tensor(baton::dtype::uint8, bytes.size() - 5), baton::value_kind::constant);
    record.data = build.view({bytes.data() + 5, bytes.size() - 5});
    build.output(build.add_input(record));
    return build.finish();
  }
};

}  // namespace tests
