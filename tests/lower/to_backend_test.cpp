// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// alone: the names of types would have the namespace of a batch (cmake/test_batches.cmake)
#include <baton/lower/to_backend.hpp>
#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/compat/executorch/inspection.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/then.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/shared/rules.hpp>
#include <baton/transform/external_weights.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "core/refusals.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace lower_tests {

/// A partitioner that breaks its law. It is in a named namespace, so every compiler prints the same name.
struct removes_a_node {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    auto other = baton::thaw(program);
    other.nodes.pop_back();
    return baton::partition_result(other);
  }
};

}  // namespace lower_tests

namespace {

using namespace baton;

constexpr auto type = conformance::two_by_two;

/// A backend that writes the operators and compile specs of its part into its processed bytes.
struct compiler {
  static constexpr auto preprocess(const exported_program& part, const compile_specs& specs) -> preprocess_result {
    preprocess_result processed;
    for (const auto& node : part.nodes_of(part.root())) append(append(processed.processed_bytes, part.text(node.target)), ";");
    for (const auto& spec : specs) append(append(append(append(processed.processed_bytes, view(spec.key)), "="), view(spec.value)), ";");
    return processed;
  }
};
struct npu : compiler {
  static constexpr auto id = name<"Npu">;
};
struct dsp : compiler {
  static constexpr auto id = name<"Dsp">;
};
/// A backend that refuses sums.
struct picky {
  static constexpr auto id = name<"Picky">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> result<preprocess_result> {
    for (const auto& node : part.nodes) {
      if (node.is("aten.add.Tensor")) return locate(refuse_part("no sums"), part, node_id{0});
    }
    return preprocess_result{};
  }
};

constexpr auto target = backends<npu, dsp, picky>;
constexpr auto demo_target = backends<conformance::backend_with_compiler_demo>;

using products = by_support<npu, operator_names<"aten.mm.default">>;
using sums = by_support<dsp, operator_names<"aten.add.Tensor">>;

constexpr auto mmadd = static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto seq = static_program{conformance::make<conformance::g_seq>{}};
constexpr auto add3 = static_program{conformance::make<conformance::g_add3>{}};
constexpr auto mut = static_program{conformance::make<conformance::g_mut>{}};

// G-MMADD: the golden processed bytes, maps and handles, and numbering in graph order (T-DH-1).

constexpr auto is_golden_mmadd(const program_view& program) -> bool {
  constexpr std::string_view first =
      "2version:0#op:demo::aten.mm.default, numel:4, dtype:torch.float32<debug_handle>1#op:demo::aten.add.Tensor, numel:4, "
      "dtype:torch.float32<debug_handle>2#";
  constexpr std::string_view second =
      "2version:0#op:demo::aten.mm.default, numel:4, dtype:torch.float32<debug_handle>4#op:demo::aten.add.Tensor, numel:4, "
      "dtype:torch.float32<debug_handle>5#";
  static_assert(first.size() == 151);
  const auto modules = delegates(program);
  if (modules.size() != 2 || modules[0].processed_bytes() != first || modules[1].processed_bytes() != second) return false;
  const auto map = modules[1].debug_handle_map();
  const auto specs = modules[0].compile_specs();
  return map.size() == 2 && map[0].identifier == 4 && modules[1].handles(map[1]).size() == 1 && modules[1].handles(map[1])[0] == 5 &&
         specs.size() == 1 && program.text(specs[0].key) == "max_value" && program.text(specs[0].value) == "\x04" &&
         program.nodes_of(program.root())[0].debug_handle == 6 && program.nodes_of(program.root())[2].debug_handle == 7;
}

constexpr auto lowered_mmadd = to_backend(demo_target, mmadd, conformance::add_mul_partitioner_demo{});
constexpr auto golden_g_mmadd() -> bool {
  const auto lowered = to_backend(demo_target, conformance::g_mmadd(), conformance::add_mul_partitioner_demo{});
  return is_golden_mmadd(lowered) && is_golden_mmadd(lowered_mmadd);
}
static_assert(golden_g_mmadd());

constexpr auto golden_g_sin() -> bool {
  const auto lowered = to_backend(demo_target, "BackendWithCompilerDemo", conformance::g_sin(), {{"max_value", "\1"}});
  return lowered.view().processed_bytes() == "1version:0#op:demo::aten.sin.default, numel:1, dtype:torch.float32<debug_handle>1#" &&
         lowered.view().processed_bytes().size() == 82;
}
static_assert(golden_g_sin());

// Lowering at compile time equals lowering at run time.

template <class... Parts>
constexpr bool agrees_on_seq =
    same(to_backend(target, seq, tags::partitioner<Parts...>{}), to_backend(target, conformance::g_seq(), tags::partitioner<Parts...>{}));
static_assert(agrees_on_seq<>);
static_assert(
    agrees_on_seq<tags::part<"first_tag1", "Npu", "add add_1 add_2 add_3 add_4">, tags::part<"second_tag1", "Dsp", "sub sub_1 sub_2">>);

constexpr auto lowered_add3 =
    to_backend(target, add3, tags::partitioner<tags::part<"tag0", "Npu", "add add_1 add_2 p_const3 b_const1 b_const2">>{});
constexpr auto lowered_mut = to_backend(target, mut, tags::partitioner<tags::part<"tag0", "Npu", "add add_1 b_my_state">>{});

// T-PART-4 to T-PART-6 for programs: the data of the owner and of the delegate.
constexpr auto tagged_data_moves_to_the_delegate() -> bool {
  const program_view owner = lowered_add3;
  const auto modules = delegates(owner);
  std::size_t owned = 0;
  for (const auto input : owner.inputs(owner[modules[0].original()])) owned += is_owned_data(owner[input].kind) ? 1u : 0u;
  return owner.inputs(owner.root()).size() == 1 && owner.inputs(owner.nodes_of(owner.root())[0]).size() == 1 && owned == 3;
}
static_assert(tagged_data_moves_to_the_delegate());

// Lowered again: the first calls remain, and the backends of both calls are known (sequential delegates).

constexpr auto once = to_backend(backends<npu>, mmadd, products{});
constexpr auto twice = to_backend(backends<dsp>, once, sums{});
static_assert(std::is_same_v<typename std::remove_const_t<decltype(twice)>::backend_types, backend_list<npu, dsp>>);
static_assert(std::is_same_v<typename decltype(to_backend(backends<npu, dsp>, twice, sums{}))::backend_types, backend_list<npu, dsp>>);

// `then` on a lowered program keeps its backends; a lambda would lose them (tests/fail/lost_backends.cpp).
constexpr auto after_step = then(once, [](const program_view& program) { return thaw(program); });
static_assert(std::is_same_v<typename std::remove_const_t<decltype(after_step)>::backend_types, backend_list<npu>>);
static_assert(same(to_backend(backends<dsp>, after_step, sums{}), twice));
static_assert(std::is_same_v<decltype(to_backend(backends<dsp>, after_step, sums{}))::backend_types, backend_list<npu, dsp>>);

constexpr auto a_lowered_program_is_lowered_again() -> bool {
  const auto lowered = to_backend(backends<dsp>, to_backend(backends<npu>, conformance::g_mmadd(), products{}), sums{});
  const auto modules = delegates(lowered);
  if (!same(lowered, twice) || modules.size() != 4) return false;
  const auto is = [&](std::size_t at, std::string_view name, std::string_view backend_id, std::string_view processed_bytes) {
    return modules[at].name() == name && modules[at].backend_id() == backend_id && modules[at].processed_bytes() == processed_bytes;
  };
  return is(0, "lowered_module_0", "Npu", "aten.mm.default;") && is(1, "lowered_module_1", "Dsp", "aten.add.Tensor;") &&
         is(2, "lowered_module_2", "Npu", "aten.mm.default;") && is(3, "lowered_module_3", "Dsp", "aten.add.Tensor;") &&
         lowered.text(lowered.nodes_of(lowered.root())[4].name) == "executorch_call_delegate_3" && non_lowered_nodes(lowered).size() == 1;
}
static_assert(a_lowered_program_is_lowered_again());

// A part may contain calls of earlier delegates; their modules are inside the new module.
constexpr auto delegates_may_contain_delegates() -> bool {
  using calls = by_support<dsp, operator_names<"executorch_call_delegate", "aten.sub.Tensor">>;
  const auto lowered = to_backend(target, to_backend(target, conformance::g_mmadd(), products{}), calls{});
  const auto modules = delegates(lowered);
  std::size_t inside = 0;
  for (const auto& module : modules) inside += delegates(lowered, module.original()).size();
  return !verify(lowered) && modules.size() == 2 && inside == 2 && lowered.delegates.size() == 4;
}
static_assert(delegates_may_contain_delegates());

// The original graph of an earlier delegate is not part of the program, so tags in it have no effect.
constexpr auto tags_in_lowered_modules_have_no_effect() -> bool {
  using everywhere = tags::partitioner<tags::part<"t", "Dsp", "mm">>;  // `mm` is now in a lowered module only
  const auto lowered = to_backend(target, conformance::g_mmadd(), products{});
  return same(to_backend(target, lowered, everywhere{}), lowered);
}
static_assert(tags_in_lowered_modules_have_no_effect());

// R8 to R14, R17

constexpr auto lowering_by_id_lowers_the_whole_program() -> bool {
  const auto program = conformance::g_add3();
  const auto lowered = to_backend(target, name<"Npu">, program, {{"k", "v"}});
  const auto module = lowered.view();
  return same(program, conformance::g_add3()) && module.processed_bytes() == "aten.add.Tensor;aten.add.Tensor;aten.add.Tensor;k=v;" &&
         view(print(program)) == view(print(lowered)).substr(0, print(program).size()) &&
         module.program().inputs(module.program().root()).size() == 4;
}
static_assert(lowering_by_id_lowers_the_whole_program());

constexpr auto specs = [] { return compile_specs{{"k", "v"}, {"k", "w"}}; };
constexpr auto lowered_by_id = to_backend(target, name<"Npu">, add3, specs);
static_assert(lowered_by_id.view().processed_bytes() == "aten.add.Tensor;aten.add.Tensor;aten.add.Tensor;k=v;k=w;");
static_assert(same(lowered_by_id.view().program(), to_backend(target, "Npu", conformance::g_add3(), specs())));

constexpr auto a_lowered_program_is_lowered_by_id() -> bool {
  const auto lowered = to_backend(target, conformance::g_mmadd(), products{});
  const auto outer = to_backend(target, "Dsp", lowered);
  const auto module = outer.view();
  return module.backend_id() == "Dsp" && delegates(module.program(), module.original()).size() == 2 &&
         module.program().delegates.size() == 3 &&
         module.processed_bytes() == "executorch_call_delegate;aten.add.Tensor;aten.sub.Tensor;executorch_call_delegate;aten.add.Tensor;";
}
static_assert(a_lowered_program_is_lowered_by_id());

// Partitioners with state: an object at run time, a lambda that returns it at compile time (R60: several backends, specs of each tag).

struct tags_by_name {
  std::string_view names;
  std::string_view limit;

  constexpr auto partition(const exported_program& program) const -> partition_result {
    partition_result tagged(program);
    tags::tag(tagged, program, "a", "Npu", names);
    tags::tag(tagged, program, "b", "Dsp", "sub");
    tagged.partition_tags[0].second.compile_specs.emplace_back("limit", limit);
    return tagged;
  }
};

constexpr auto lowered_with_state = to_backend(target, mmadd, [] { return tags_by_name{"mm add", "7"}; });
constexpr auto a_partitioner_may_have_state() -> bool {
  const auto lowered = to_backend(target, conformance::g_mmadd(), tags_by_name{"mm add", "7"});
  const auto modules = delegates(lowered);
  return same(lowered, lowered_with_state) && modules.size() == 2 &&
         modules[0].processed_bytes() == "aten.mm.default;aten.add.Tensor;limit=7;" && modules[1].backend_id() == "Dsp" &&
         modules[1].compile_specs().empty();
}
static_assert(a_partitioner_may_have_state());

// Checks can be omitted (2.L). A tag without a spec then has no effect.
using tags_without_spec = tags::writes<[](partition_result& to) { to.tag_node(node_id{0}, to.add_tag("left")); }>;
constexpr auto without_validation_a_tag_needs_no_spec() -> bool {
  return same(to_backend(target, conformance::g_sin(), tags_without_spec{}, validation::off), conformance::g_sin());
}
static_assert(without_validation_a_tag_needs_no_spec());

constexpr auto sin_graph = static_program{conformance::make<conformance::g_sin>{}};
constexpr auto lowered_without_validation = to_backend(target, sin_graph, tags_without_spec{}, without_validation);
static_assert(same(lowered_without_validation, conformance::g_sin()));

// The errors of `to_backend`, by partitioner.

template <auto Make, class Partitioner>
constexpr auto refused(std::string_view label, std::string_view sentence, std::string_view facts) -> refusals::error {
  return {label, [] { return try_to_backend(target, Make(), Partitioner{}, validation::on).error; },
          [] { to_backend(target, Make(), Partitioner{}); }, sentence, facts};
}

template <class... Parts>
using tagging = tags::partitioner<Parts...>;
template <auto Write>
using writes = tags::writes<Write>;

constexpr auto broken_program() -> exported_program {
  auto program = conformance::g_mmadd();
  program.operands[program.nodes[0].inputs.first] = value_id{5};
  return program;
}
constexpr auto with_dead_code() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", type);
  b.call("dead", "aten.mm.default", {x, x}, type);
  b.output(x);
  return b.finish();
}

const refusals::error errors[] = {
    refused<conformance::g_mmadd, tagging<tags::part<"t", "Invalid", "mm">>>("an unknown backend (E1)", rule<"unknown_backend">::sentence,
                                                                             " [tag: t] [backend: Invalid] [the list has: Npu Dsp Picky]"),
    refused<broken_program, tagging<>>("a program that is not sound", rule<"undefined_value">::sentence,
                                       " [node: mm] [operator: aten.mm.default] [operand sub]"),
    refused<conformance::g_mmadd, lower_tests::removes_a_node>("the result of another program (E8)", rule<"foreign_result">::sentence,
                                                               " [partitioner lower_tests::removes_a_node]"),
    refused<conformance::g_mmadd, tagging<tags::part<"a", "Npu", "mm add">, tags::part<"b", "Dsp", "sub add">>>(
        "a node with two tags", rule<"node_tagged_twice">::sentence,
        " [node: add] [operator: aten.add.Tensor] [tag: b] [it already has tag a]"),
    refused<conformance::g_mmadd, writes<[](partition_result& to) { to.tag_node(node_id{0}, to.add_tag("left")); }>>(
        "a tag without a spec", rule<"tag_without_spec">::sentence, " [node: mm] [operator: aten.mm.default] [tag: left]"),
    refused<conformance::g_mlp,
            writes<[](partition_result& to) { to.tag_value(value_id{4}, to.add_tag("tag0", delegation_spec{"Npu"})); }>>(
        "a tagged output (E11, T-PART-2)", rule<"tagged_output">::sentence, " [tag: tag0] [backend: Npu] [output addmm]"),
    refused<conformance::g_mlp, tagging<tags::part<"tag_inputs", "Npu", "inputs">>>(
        "a tagged user input (E12, T-PART-3)", rule<"tagged_user_input">::sentence, " [tag: tag_inputs] [backend: Npu] [input inputs]"),
    refused<conformance::g_reuse, tagging<tags::part<"tag0", "Npu", "add b_const", data_sharing::own>>>(
        "a shared constant (E13, T-PART-8)", rule<"shared_constant">::sentence,
        " [node: sub] [operator: aten.sub.Tensor] [tag: tag0] [backend: Npu] [constant b_const, used by a node with tag none]"),
    refused<conformance::g_mmadd, tagging<tags::part<"t", "Npu", "mm mm_1">>>(
        "a cycle (E14)", rule<"dependency_cycle">::sentence,
        " [node: mm] [operator: aten.mm.default] [tag: t] [backend: Npu] [mm of t -> add -> sub -> mm_1 of t]"),
    refused<conformance::g_mmadd, tagging<tags::part<"a", "Npu", "mm sub">, tags::part<"b", "Dsp", "add mm_1">>>(
        "two parts that depend on one another (E14)", rule<"dependency_cycle">::sentence,
        " [node: mm] [operator: aten.mm.default] [tag: a] [backend: Npu] [mm of a -> add of b -> sub of a]"),
    refused<with_dead_code, tagging<tags::part<"t", "Npu", "dead">>>("dead code (R96)", rule<"part_without_outputs">::sentence,
                                                                     " [node: dead] [operator: aten.mm.default] [tag: t] [backend: Npu]"),
    refused<conformance::g_mmadd, tagging<tags::part<"t", "Picky", "add">>>(
        "a part that its backend refuses (E7)", rule<"refused_part">::sentence,
        " [node: add] [operator: aten.add.Tensor] [tag: t] [backend: Picky] [no sums]"),
};

/// Counts the calls of `preprocess`, at run time.
struct counts_calls {
  static inline int calls = 0;
  static constexpr auto id = name<"Counting">;
  static auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    ++calls;
    return {};
  }
};

// The same errors as constants. A table of function pointers would need a name for each.
template <auto Make, class Partitioner>
constexpr auto is_refused(std::string_view sentence) -> bool {
  return try_to_backend(target, Make(), Partitioner{}, validation::on).error.rule == sentence;
}
static_assert(is_refused<conformance::g_mmadd, tagging<tags::part<"t", "Invalid", "mm">>>(rule<"unknown_backend">::sentence));
static_assert(is_refused<conformance::g_mmadd, tagging<tags::part<"a", "Npu", "mm add">, tags::part<"b", "Dsp", "add">>>(
    rule<"node_tagged_twice">::sentence));
static_assert(is_refused<broken_program, tagging<>>(rule<"undefined_value">::sentence));
static_assert(is_refused<conformance::g_mlp, tagging<tags::part<"t", "Npu", "inputs">>>(rule<"tagged_user_input">::sentence));
static_assert(
    is_refused<conformance::g_reuse, tagging<tags::part<"t", "Npu", "add b_const", data_sharing::own>>>(rule<"shared_constant">::sentence));
static_assert(is_refused<conformance::g_mmadd, tagging<tags::part<"t", "Npu", "mm mm_1">>>(rule<"dependency_cycle">::sentence));
static_assert(is_refused<with_dead_code, tagging<tags::part<"t", "Npu", "dead">>>(rule<"part_without_outputs">::sentence));
static_assert(is_refused<conformance::g_mmadd, tagging<tags::part<"t", "Picky", "add">>>(rule<"refused_part">::sentence));

}  // namespace

TEST_CASE("golden processed bytes are the result at compile time and at run time") {
  CHECK(golden_g_mmadd());
  CHECK(golden_g_sin());
}

TEST_CASE("lowering at compile time equals lowering at run time") {
  using first = tags::part<"first_tag1", "Npu", "add add_1 add_2 add_3 add_4">;
  using second = tags::part<"second_tag1", "Dsp", "sub sub_1 sub_2">;
  CHECK(same(to_backend(target, conformance::g_seq(), tags::partitioner<first, second>{}),
             to_backend(target, seq, tags::partitioner<first, second>{})));
  CHECK(same(to_backend(target, conformance::g_mmadd(), products{}), once));
  CHECK(same(to_backend(target, conformance::g_add3(),
                        tags::partitioner<tags::part<"tag0", "Npu", "add add_1 add_2 p_const3 b_const1 b_const2">>{}),
             lowered_add3));
  CHECK(
      same(to_backend(target, conformance::g_mut(), tags::partitioner<tags::part<"tag0", "Npu", "add add_1 b_my_state">>{}), lowered_mut));
  CHECK(same(to_backend(target, "Npu", conformance::g_add3(), specs()), lowered_by_id.view().program()));
  CHECK(tagged_data_moves_to_the_delegate());
}

TEST_CASE("lowered programs can be lowered again") {
  CHECK(a_lowered_program_is_lowered_again());
  CHECK(delegates_may_contain_delegates());
  CHECK(tags_in_lowered_modules_have_no_effect());
  CHECK(a_lowered_program_is_lowered_by_id());
}

TEST_CASE("a whole program is lowered by id") { CHECK(lowering_by_id_lowers_the_whole_program()); }

TEST_CASE("partitioners may have state, and checks may be omitted") {
  CHECK(a_partitioner_may_have_state());
  CHECK(without_validation_a_tag_needs_no_spec());
}

TEST_CASE("lowering throws the sentence of the violated rule (E1, E7, E8, E11, E12, E13, E14)") { refusals::check(errors); }

TEST_CASE("lowering by id refuses an unknown backend and a program that does not verify (E1, R14)") {
  CHECK(refusals::text_thrown_by([] { to_backend(target, "Invalid", conformance::g_sin()); }) ==
        std::string(rule<"unknown_backend">::sentence) + " [backend: Invalid] [the list has: Npu Dsp Picky]");
  CHECK(refusals::text_thrown_by([] { to_backend(target, "Npu", broken_program()); }) ==
        std::string(rule<"undefined_value">::sentence) + " [node: mm] [operator: aten.mm.default] [operand sub]");
  CHECK(refusals::text_thrown_by([] { to_backend(target, "Picky", conformance::g_add3()); }) ==
        std::string(rule<"refused_part">::sentence) + " [node: add] [operator: aten.add.Tensor] [backend: Picky] [no sums]");
}

TEST_CASE("lowering by id refuses a program without its weights, which are inputs of an extracted part") {
  program_builder b;
  const auto x = b.user_input("x", type);
  b.output(b.call("aten.add.Tensor", {x, b.parameter("w", type, span{"0123456789abcde", 16})}, type));
  const auto program = external_weights::run(b.finish());
  CHECK(refusals::text_thrown_by([&] { to_backend(target, "Npu", program); }) ==
        std::string(rule<"refused_part">::sentence) +
            " [backend: Npu] [the pass external_weights removed the weight p_w; lower the program "
            "without this pass, because backends contain weights]");
  const auto lowered = to_backend(target, program, sums{});
  CHECK(delegates(lowered).size() == 1);
  CHECK_FALSE(verify(lowered));
}

TEST_CASE("a part is preprocessed once, and parts in its branches are not preprocessed separately") {
  program_builder b;
  const auto root = b.current();
  const auto branch = b.add_graph("branch");
  b.output(b.call("in", "neg", {b.user_input("y", type)}, type));
  b.enter(root);
  b.output(b.call_many("cond", "test.cond", {b.user_input("x", type)}, {type}, {}, {branch})[0]);
  const auto program = b.finish();
  counts_calls::calls = 0;
  to_backend(backends<counts_calls>, program, tags::partitioner<tags::part<"t", "Counting", "cond">, tags::part<"s", "Counting", "in">>{});
  CHECK(counts_calls::calls == 1);
  to_backend(backends<counts_calls>, program, tags::partitioner<tags::part<"s", "Counting", "in">>{});
  CHECK(counts_calls::calls == 2);
}

TEST_CASE("ten thousand nodes in five hundred parts are lowered") {
  program_builder b;
  const auto product = b.make_node("n", "aten.mm.default");
  const auto difference = b.make_node("n", "aten.sub.Tensor");
  const auto record = b.make_value("v", type, value_kind::intermediate);
  auto latest = b.user_input("x", type);
  for (int n = 0; n < 10'000; ++n) {
    const value_id inputs[] = {latest, latest};
    latest = b.add_value(record);
    b.add_node(n % 20 != 0 ? product : difference, inputs, {&latest, 1});
  }
  b.output(latest);
  const auto lowered = to_backend(target, b.finish(), products{});
  CHECK(delegates(lowered).size() == 500);
  CHECK(non_lowered_nodes(lowered).size() == 500);
  CHECK_FALSE(verify(lowered));
}

// tests/fail/not_a_program.cpp checks the compile-time error; at run time nothing is left to check.
TEST_CASE("only a program can be lowered by id (E3)") {
  CHECK(detail::lowerable<exported_program>);
  CHECK(detail::lowerable<std::remove_const_t<decltype(sin_graph)>>);
  CHECK_FALSE(detail::lowerable<std::string_view>);
  CHECK_FALSE(detail::lowerable<program_view>);
}
