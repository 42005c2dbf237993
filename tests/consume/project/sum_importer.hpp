// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An importer of a custom format: "SUM" and a digit, the number of times that the input is added to itself. The entry point "once" adds it
// once.
#pragma once

#include <baton/baton.hpp>
#include <baton/importer.hpp>

#include <string_view>

struct sum_importer {
  static constexpr std::string_view format = "sum";
  static constexpr auto recognizes(baton::span<const char> bytes) -> bool { return baton::byte_reader{bytes}.text(0, 3) == "SUM"; }
  static constexpr auto read(baton::span<const char> bytes) -> baton::result<baton::exported_program> { return read(bytes, {}); }
  static constexpr auto read(baton::span<const char> bytes, std::string_view entry) -> baton::result<baton::exported_program> {
    if (!recognizes(bytes) || bytes.size() < 4) return baton::broken<"damaged_model">();
    if (!entry.empty() && entry != "once") return baton::broken<"unknown_name">("there is no entry point ", entry, "; there is: once");
    constexpr auto type = baton::tensor(baton::dtype::float32, 2);
    baton::program_builder build;
    const auto x = build.user_input("x", type);
    auto sum = x;
    const int additions = entry == "once" ? 1 : bytes[3] - '0';
    for (int i = 0; i < additions; ++i) {
      sum = build.call("tfl.add", {sum, x}, type, {{"fused_activation_function", "none"}});
    }
    build.output(sum);
    return build.finish();
  }
};
