// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E18
// The record of a placeholder contains its data, so the data cannot be missing. Only its size can be wrong.
// EXPECT: baton malformed_data: the byte count of constant data does not match its shape; correct the shape or the data
// EXPECT: because<baton::fixed_string<33>{"value c_w needs 4 bytes and has "}, baton::fixed_string<2>{"3"}>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "lower/tags.hpp"

#include <string_view>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

#if defined(FIXED)
constexpr std::string_view bytes = "abcd";
#else
constexpr std::string_view bytes = "abc";
#endif

constexpr auto make = [] {
  constexpr auto type = baton::tensor(baton::dtype::int8, 4);
  baton::program_builder b;
  b.output(b.call("neg", "aten.neg.default", {b.constant("w", type, bytes)}, type));
  return b.finish();
};
using partitioner = tags::partitioner<tags::part<"tag0", "Npu", "neg c_w">>;
constexpr auto lowered = baton::to_backend(baton::backends<npu>, baton::static_program{make}, partitioner{});
