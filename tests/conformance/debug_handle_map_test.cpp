// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Section 4.4: every delegate reports its original nodes.
#include <baton/compat/executorch/inspection.hpp>
#include <baton/compat/executorch/print_mapping.hpp>
#include <baton/compat/executorch/verify_mapping.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "conformance/whole_models.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

constexpr auto target = backends<conformance::backend_with_compiler_demo, conformance::demo_backend>;

constexpr auto t_dh_1() -> bool {
  const auto program = to_backend(target, conformance::g_mmadd(), conformance::add_mul_partitioner_demo{});
  const auto calls = lowered_submodules(program);
  const auto is = [&](std::size_t at, std::string_view map, std::uint32_t handle) {
    const auto& module = calls[at].module;
    return module.debug_handle_map().size() == 2 && view(print_mapping(module)) == map && program[calls[at].node].debug_handle == handle &&
           !verify_mapping(module);
  };
  return calls.size() == 2 && is(0, "{1: (1,), 2: (2,)}", 6) && is(1, "{4: (4,), 5: (5,)}", 7);
}
static_assert(t_dh_1());

/// One key that maps to all nodes, in the lowered module and in the module of a program that calls it.
constexpr auto one_key_names_all(const exported_program& model) -> bool {
  const auto lowered = to_backend(target, "DemoBackend", model);
  const auto program = conformance::wrapped(model, lowered);
  const auto is_good = [&](const lowered_module_view& module) {
    const auto map = module.debug_handle_map();
    return map.size() == 1 && map[0].identifier == 1 && module.handles(map[0]).size() == model.root().nodes.size && !verify_mapping(module);
  };
  const auto submodules = lowered_submodules(program);
  return is_good(lowered.view()) && !verify(program) && submodules.size() == 1 && submodules[0].name == "lowered_module_0" &&
         is_good(submodules[0].module);
}
auto t_dh_2() -> bool { return conformance::for_every_whole_model(one_key_names_all); }
// Separate constants, because of Clang's limit of steps for one constant.
static_assert(one_key_names_all(conformance::attention_block()));
static_assert(one_key_names_all(conformance::repeat_model()));
static_assert(one_key_names_all(conformance::elementwise_add()));
static_assert(one_key_names_all(conformance::g_mlp()));
static_assert(one_key_names_all(conformance::sin_with_unused_input()));

}  // namespace

TEST_CASE("each of two delegates maps its two operators to debug handles, and each call has a separate handle (T-DH-1)") {
  CHECK(t_dh_1());
}
TEST_CASE("a model lowered whole maps all its operators to debug handles, also when another program calls it (T-DH-2)") { CHECK(t_dh_2()); }
