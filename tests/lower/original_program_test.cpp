// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/lower/shared/original_program.hpp>
#include <baton/core/compare.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

namespace {

using namespace baton;

struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result processed;
    for (const auto& node : part.nodes) append(processed.processed_bytes, part.text(node.target));
    return processed;
  }
};
constexpr static_program sum{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = to_backend(backends<npu>, sum, tags::partitioner<tags::part<"t", "Npu", "mm add">>{});

struct module {
  static constexpr auto view() -> lowered_module_view { return delegates(lowered)[0]; }
};

/// True if the part is a valid program, and its backend computes the same processed bytes from it.
constexpr auto is_original_part(const program_view& part) -> bool {
  return !verify(part) && part.delegates.empty() && part.nodes.size() == 2 && part.nodes[0].is("aten.mm.default") &&
         view(npu::preprocess(thaw(part), {}).processed_bytes) == module::view().processed_bytes();
}
static_assert(is_original_part(static_original_program<module>::value()));

}  // namespace

TEST_CASE("the part of a lowered module is a program") {
  CHECK(is_original_part(static_original_program<module>::value()));
  const auto whole = to_backend(backends<npu>, "Npu", conformance::g_mmadd());
  CHECK(same(original_program(whole.view()), conformance::g_mmadd()));
}
