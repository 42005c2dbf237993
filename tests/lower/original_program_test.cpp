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
    preprocess_result made;
    for (const auto& node : part.nodes) append(made.processed_bytes, part.text(node.target));
    return made;
  }
};
constexpr static_program sum{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = to_backend(backends<npu>, sum, tags::partitioner<tags::part<"t", "Npu", "mm add">>{});

struct module {
  static constexpr auto view() -> lowered_module_view { return delegates(lowered)[0]; }
};

/// The part is a sound program, of which its backend makes the same blob once more.
constexpr auto is_what_the_backend_had(const program_view& part) -> bool {
  return !verify(part) && part.delegates.empty() && part.nodes.size() == 2 && part.nodes[0].is("aten.mm.default") &&
         view(npu::preprocess(thaw(part), {}).processed_bytes) == module::view().processed_bytes();
}
static_assert(is_what_the_backend_had(static_original_program<module>::value()));

}  // namespace

TEST_CASE("a lowered module's part is a program of its own") {
  CHECK(is_what_the_backend_had(static_original_program<module>::value()));
  const auto whole = to_backend(backends<npu>, "Npu", conformance::g_mmadd());
  CHECK(same(original_program(whole.view()), conformance::g_mmadd()));
}
