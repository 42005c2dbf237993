// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A backend that is compiled for each of its parts: sums and maxima of int8 tensors become one loop.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/delegate.hpp>

#include <cstddef>
#include <cstdint>

namespace fused_backend {

struct fused {
  static constexpr auto id = baton::name<"Fused">;

  /// The processed byte is the number of nodes.
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result {
    baton::preprocess_result processed;
    processed.processed_bytes.push_back(static_cast<char>(part.nodes.size()));
    return processed;
  }

  template <class Call>
  static void execute(const Call& call) {
    static_assert(Call::module().processed_bytes()[0] == static_cast<char>(Call::program->nodes.size()));
    constexpr auto result = Call::output_value(0);
    for (std::size_t i = 0; i < Call::output_bytes(0); ++i) {
      call.template output<0>()[i] = static_cast<char>(element<Call, result>(call, i));
    }
  }

 private:
  template <class Call, baton::value_id Id>
  static auto element(const Call& call, std::size_t i) -> int {
    constexpr baton::program_view part = Call::program;
    constexpr auto node = baton::index(baton::producer_of(part, Id));
    if constexpr (node == baton::index(baton::none<baton::node_id>)) {
      return static_cast<std::int8_t>(call.template input<Call::argument_index(Id)>()[i]);
    } else {
      constexpr auto left = part.inputs(part.nodes[node])[0];
      constexpr auto right = part.inputs(part.nodes[node])[1];
      const int a = element<Call, left>(call, i);
      const int b = element<Call, right>(call, i);
      if constexpr (part.nodes[node].is("test.maximum")) return a < b ? b : a;
      if constexpr (part.nodes[node].is("test.add")) return a + b;
    }
  }
};

using partitioner = baton::by_support<fused, baton::operator_names<"test.add", "test.maximum">>;

/// max(x + y, y), of `Size` elements.
template <std::int64_t Size>
constexpr auto sum_or_y() -> baton::exported_program {
  constexpr auto type = baton::tensor(baton::dtype::int8, Size);
  baton::program_builder build;
  const auto x = build.user_input("x", type);
  const auto y = build.user_input("y", type);
  build.output(build.call("test.maximum", {build.call("test.add", {x, y}, type), y}, type));
  return build.finish();
}

}  // namespace fused_backend
