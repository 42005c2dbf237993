// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/builder.hpp>
#include <baton/core/print.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>

#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

/// Branches that are nested `depth` levels deep, with an operator in the deepest.
constexpr auto nested(std::uint32_t depth) -> baton::exported_program {
  constexpr auto type = baton::tensor(baton::dtype::float32, 1);
  baton::program_builder build;
  auto x = build.user_input("x", type);
  auto outer = build.current();
  for (std::uint32_t inner = 1; inner <= depth; ++inner) {
    const auto id = build.add_graph("inner");
    const auto in_branch = build.user_input("x", type);
    build.enter(outer);
    build.output(build.call_many("cond", "cond", {x, x}, {type}, {}, {id, id})[0]);
    build.enter(id);
    outer = id;
    x = in_branch;
  }
  build.output(build.call("relu", "aten.relu.default", {x}, type));
  return build.finish();
}

template <std::uint32_t Depth>
struct make_nested {
  constexpr auto operator()() const { return nested(Depth); }
};
using partitioner = tags::partitioner<tags::part<"tag0", "Npu", "relu">>;

// The original graph of a delegate is one level deeper than its part.
constexpr auto static_lowered = baton::to_backend(baton::backends<npu>, baton::static_program{make_nested<63>{}}, partitioner{});
static_assert(static_lowered->delegates.size() == 1 && static_lowered->graphs.size() == 65);

}  // namespace

TEST_CASE("graphs that are nested up to 64 levels are lowered, also at compile time; deeper ones are refused with the limit") {
  const auto lowered = baton::to_backend(baton::backends<npu>, nested(63), partitioner{});
  CHECK(baton::same(lowered, static_lowered));
  CHECK(baton::view(baton::print(lowered)).find("lowered_module_0") != std::string_view::npos);
  CHECK(!baton::verify(nested(64)));
  CHECK_THROWS_WITH_AS(static_cast<void>(baton::to_backend(baton::backends<npu>, nested(64), partitioner{})),
                       "baton nested_too_deep: subgraphs are nested deeper than 64 levels; reduce the nesting "
                       "[graph forward]",
                       baton::error);
  CHECK_THROWS_WITH_AS(static_cast<void>(baton::to_backend(baton::backends<npu>, nested(65), partitioner{})),
                       "baton nested_too_deep: subgraphs are nested deeper than 64 levels; reduce the nesting "
                       "[graph inner]",
                       baton::error);
}
