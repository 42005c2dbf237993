// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/shared/batch_backend.hpp>
#include <baton/compat/executorch/preprocess_each.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/shared/rules.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "core/refusals.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace {

using namespace baton;

/// A backend that preprocesses all parts together. The processed bytes have the number of the part, the number of all parts, and the
/// method.
struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    return preprocess_result("alone");
  }
  static constexpr auto preprocess_multimethod(const by_method<exported_program>& parts, const by_method<compile_specs>&)
      -> by_method<preprocess_result> {
    std::size_t total = 0;
    for (const auto& [method, programs] : parts) total += programs.size();
    by_method<preprocess_result> results;
    for (const auto& [method, programs] : parts) {
      for (std::size_t i = 0; i < programs.size(); ++i) {
        results[view(method)].emplace_back(view(join(i, " of ", total, " in ", view(method), " ", programs[i].nodes.size())));
      }
    }
    return results;
  }
};
/// A backend that preprocesses part by part, and writes its compile specs into the processed bytes.
struct dsp {
  static constexpr auto id = name<"Dsp">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs& specs) -> result<preprocess_result> {
    preprocess_result processed("dsp");
    for (const auto& spec : specs) append(append(processed.processed_bytes, " "), view(spec.value));
    for (const auto& node : part.nodes) {
      if (node.is("aten.sin.default")) return refuse_part("no sines");
    }
    return processed;
  }
};
static_assert(batch_backend<npu> && !batch_backend<dsp>);

constexpr auto target = backends<npu, dsp>;

constexpr static_program mmadd{conformance::make<conformance::g_mmadd>{}};
constexpr static_program seq{conformance::make<conformance::g_seq>{}};
constexpr static_program sine{conformance::make<conformance::g_sin>{}};
constexpr auto three = methods(method<"seq">(seq), method<"mmadd">(mmadd), method<"sine">(sine));
constexpr auto exported_three() -> exported_methods {
  return methods(method<"seq">(conformance::g_seq()), method<"mmadd">(conformance::g_mmadd()), method<"sine">(conformance::g_sin()));
}

using products = by_support<npu, operator_names<"aten.mm.default", "aten.mul.Tensor">>;
using sums = by_support<dsp, operator_names<"aten.add.Tensor">>;
using waves = by_support<npu, operator_names<"aten.sin.default">>;

constexpr auto processed_bytes_is(const program_view& program, std::size_t call, std::string_view backend_id,
                                  std::string_view processed_bytes) -> bool {
  const auto module = delegates(program)[call];
  return module.backend_id() == backend_id && module.processed_bytes() == processed_bytes;
}

template <class Lowered>
constexpr auto agree(const exported_methods& exported, Lowered lowered) -> bool {
  return same(exported["seq"], lowered[name<"seq">]) && same(exported["mmadd"], lowered[name<"mmadd">]) &&
         same(exported["sine"], lowered[name<"sine">]);
}

// One partitioner for all methods; the backend preprocesses the parts of all methods together.
constexpr auto products_lowered = to_backend(target, three, products{});
constexpr auto one_partitioner_for_all() -> bool {
  const auto lowered = to_backend(target, exported_three(), products{});
  return agree(lowered, products_lowered) && processed_bytes_is(lowered["seq"], 0, "Npu", "0 of 3 in seq 2") &&
         processed_bytes_is(lowered["mmadd"], 0, "Npu", "0 of 3 in mmadd 1") &&
         processed_bytes_is(lowered["mmadd"], 1, "Npu", "1 of 3 in mmadd 1") && delegates(lowered["sine"]).empty();
}
static_assert(one_partitioner_for_all());
static_assert(products_lowered.size() == 3 && products_lowered.names == three.names);

// Lowering a single program does not use the hook (R34).
static_assert(processed_bytes_is(to_backend(target, mmadd, products{}), 0, "Npu", "alone"));

// Partitioners by method; a method without one is unchanged.
constexpr auto some_lowered = to_backend(target, three, partitioners(for_method<"mmadd">(products{}), for_method<"sine">(waves{})));
static_assert(std::is_same_v<decltype(some_lowered[name<"seq">]), std::remove_const_t<decltype(seq)>>);
constexpr auto partitioners_by_method() -> bool {
  const auto lowered = to_backend(target, exported_three(), partitioners(for_method("mmadd", products{}), for_method<"sine">(waves{})));
  return agree(lowered, some_lowered) && same(lowered["seq"], conformance::g_seq()) && lowered.names()[0] == "seq" &&
         processed_bytes_is(lowered["mmadd"], 1, "Npu", "1 of 3 in mmadd 1") &&
         processed_bytes_is(lowered["sine"], 0, "Npu", "0 of 3 in sine 1");
}
static_assert(partitioners_by_method());
static_assert(std::is_same_v<decltype(to_backend(target, three, partitioners())), std::remove_const_t<decltype(three)>>);

// One program for two backends, one with the hook and one without. Modules are numbered in graph order (Q21).
constexpr auto mixed_lowered =
    to_backend(target, methods(method<"mmadd">(mmadd), method<"again">(mmadd)),
               partitioners(for_method<"again">(tags::partitioner<tags::part<"s", "Dsp", "sub">, tags::part<"p", "Npu", "mm">>{}),
                            for_method<"mmadd">(products{})));
constexpr auto backends_with_and_without_the_hook() -> bool {
  const program_view again = mixed_lowered[name<"again">];
  const program_view plain = mixed_lowered[name<"mmadd">];
  return delegates(again)[0].name() == "lowered_module_0" && processed_bytes_is(again, 0, "Npu", "0 of 3 in again 1") &&
         processed_bytes_is(again, 1, "Dsp", "dsp") && processed_bytes_is(plain, 0, "Npu", "0 of 3 in mmadd 1") &&
         processed_bytes_is(plain, 1, "Npu", "1 of 3 in mmadd 1");
}
static_assert(backends_with_and_without_the_hook());

// R268: several partitioners of a method are rounds; a round lowers all methods that have a partitioner for it.
constexpr auto phases = partitioners(for_method<"mmadd">(products{}, sums{}), for_method<"sine">(waves{}));
constexpr auto lowered_in_phases = to_backend(target, three, phases);
constexpr auto rounds_follow_one_another() -> bool {
  const auto lowered = to_backend(target, exported_three(), phases);
  return agree(lowered, lowered_in_phases) && delegates(lowered["mmadd"]).size() == 4 &&
         processed_bytes_is(lowered["mmadd"], 0, "Npu", "0 of 3 in mmadd 1") && processed_bytes_is(lowered["mmadd"], 1, "Dsp", "dsp");
}
static_assert(rounds_follow_one_another());
constexpr auto rounds_equal_consecutive_calls() -> bool {
  const auto first = to_backend(target, exported_three(), partitioners(for_method("mmadd", products{}), for_method("sine", waves{})));
  return agree(to_backend(target, first, partitioners(for_method("mmadd", sums{}))), lowered_in_phases);
}
static_assert(rounds_equal_consecutive_calls());

// Lowered methods can be lowered again, and then know the backends of both calls.
constexpr auto lowered_again = to_backend(backends<dsp>, some_lowered, partitioners(for_method<"mmadd">(sums{})));
static_assert(agree(to_backend(target, exported_three(), phases), lowered_again));
static_assert(std::is_same_v<typename decltype(lowered_again[name<"mmadd">])::backend_types, backend_list<npu, dsp>>);
static_assert(std::is_same_v<decltype(lowered_again[name<"sine">]), decltype(some_lowered[name<"sine">])>);

// Partitioners with state, returned by lambdas at compile time. Compile specs reach the backend in order, with duplicate keys.
struct tags_first_node {
  std::string_view first;
  constexpr auto partition(const program_view& program) const -> partition_result {
    partition_result tagged(program);
    const auto id = tagged.add_tag("t", delegation_spec{"Dsp", {{"k", first}, {"other", "b"}, {"k", "a"}}});
    tagged.tag_node(node_id{0}, id);
    return tagged;
  }
};
constexpr auto lowered_with_specs = to_backend(target, three, partitioners(for_method<"seq">([] { return tags_first_node{"c"}; })));
constexpr auto compile_specs_keep_order_and_duplicates() -> bool {
  const auto lowered = to_backend(target, exported_three(), partitioners(for_method("seq", tags_first_node{"c"})));
  const auto module = delegates(lowered["seq"])[0];
  const auto specs = module.compile_specs();
  return agree(lowered, lowered_with_specs) && module.processed_bytes() == "dsp c b a" && specs.size() == 3 &&
         module.program().text(specs[0].key) == "k" && module.program().text(specs[0].value) == "c" &&
         module.program().text(specs[2].key) == "k" && module.program().text(specs[2].value) == "a";
}
static_assert(compile_specs_keep_order_and_duplicates());

// Checks can be omitted.
constexpr auto unchecked = to_backend(target, three, products{}, without_validation);
static_assert(agree(to_backend(target, exported_three(), products{}, validation::off), unchecked));

/// A backend that changes its copy (R6, R36): a parameter by value is a copy, and the lowered module keeps the original.
struct changes_its_copy {
  static constexpr auto id = name<"ChangesItsCopy">;
  static constexpr auto preprocess(exported_program part, const compile_specs&) -> preprocess_result {
    part.nodes.clear();
    return {};
  }
  static constexpr auto preprocess_multimethod(by_method<exported_program> parts, const by_method<compile_specs>& specs)
      -> result<by_method<preprocess_result>> {
    for (auto& [method, programs] : parts.entries) {
      for (auto& program : programs) program.nodes[0].op = 0;
    }
    return preprocess_each<changes_its_copy>(parts, specs);
  }
};
constexpr auto backends_may_change_their_copies() -> bool {
  const auto lowered = to_backend(backends<changes_its_copy>, exported_three(), by_support<changes_its_copy, not_of<no_support>>{});
  const auto module = delegates(lowered["sine"])[0];
  const auto nodes = module.program().nodes_of(module.program()[module.original()]);
  return nodes.size() == 1 && nodes[0].is("aten.sin.default");
}
static_assert(backends_may_change_their_copies());

/// Returns one result for any number of parts (Q3).
struct returns_one_result {
  static constexpr auto id = name<"Forgets">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
  static constexpr auto preprocess_multimethod(const by_method<exported_program>& parts, const by_method<compile_specs>&)
      -> by_method<preprocess_result> {
    by_method<preprocess_result> results;
    results[view(parts.entries[0].method)].push_back({});
    return results;
  }
};

// Errors: constants in this test at compile time; tests/fail has the compile-time messages.
constexpr auto target_with_wrong_results = backends<npu, dsp, returns_one_result>;

template <class Make>
constexpr auto refused(std::string_view label, Make, std::string_view sentence, std::string_view facts) -> refusals::error {
  return {label, [] { return try_to_backend(target_with_wrong_results, exported_three(), Make{}(), validation::on).error; },
          [] { to_backend(target_with_wrong_results, exported_three(), Make{}()); }, sentence, facts};
}
constexpr auto errors = std::array{
    refused(
        "an unknown backend (E2)", [] { return tags::partitioner<tags::part<"t", "Invalid", "sin">>{}; }, rule<"unknown_backend">::sentence,
        " [method: sine] [tag: t] [backend: Invalid] [the list has: Npu Dsp Forgets]"),
    refused(
        "a partitioner for a method that is not there (E10, Q2)",
        [] { return partitioners(for_method("sine", waves{}), for_method("decode", waves{})); }, rule<"unknown_method">::sentence,
        " [method: decode] [the methods are: seq mmadd sine]"),
    refused(
        "two partitioner entries for one method", [] { return partitioners(for_method("sine", waves{}), for_method("sine", waves{})); },
        rule<"duplicate_method">::sentence, " [method: sine]"),
    refused(
        "too few results (Q3)",
        [] { return partitioners(for_method("mmadd", by_support<returns_one_result, operator_names<"aten.mm.default">>{})); },
        rule<"unmatched_results">::sentence, " [method: mmadd] [backend: Forgets] [the number of parts is 2, the number of results is 1]"),
    refused(
        "a part that its backend refuses (E7)", [] { return by_support<dsp, operator_names<"aten.sin.default">>{}; },
        rule<"refused_part">::sentence, " [method: sine] [tag: tag0] [backend: Dsp] [no sines]"),
    refused(
        "a node with two tags", [] { return tags::partitioner<tags::part<"a", "Npu", "sin">, tags::part<"b", "Dsp", "sin">>{}; },
        rule<"node_tagged_twice">::sentence, " [method: sine] [node: sin] [operator: aten.sin.default] [tag: b] [it already has tag a]"),
    refused(
        "a tag without a spec", [] { return tags::writes<[](partition_result& to) { to.tag_node(node_id{0}, to.add_tag("left")); }>{}; },
        rule<"tag_without_spec">::sentence, " [method: seq] [node: sub] [operator: aten.sub.Tensor] [tag: left]"),
    refused(
        "an error of tags (E14)", [] { return partitioners(for_method("mmadd", tags::partitioner<tags::part<"t", "Npu", "mm mm_1">>{})); },
        rule<"dependency_cycle">::sentence,
        " [method: mmadd] [node: mm] [operator: aten.mm.default] [tag: t] [backend: Npu] [mm of t -> add -> sub -> mm_1 of t]"),
};
static_assert(refusals::table<errors>::are_all_reported);

/// Counts its calls at run time.
struct counts_calls {
  static inline int batches = 0;
  static inline int parts = 0;
  static constexpr auto id = name<"Counting">;
  static auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    ++parts;
    return {};
  }
  static auto preprocess_multimethod(const by_method<exported_program>& all, const by_method<compile_specs>& specs)
      -> result<by_method<preprocess_result>> {
    ++batches;
    if (all.entries.size() != 2 || specs.entries.size() != 2) return refuse_part("every method that has a part, and no other");
    return preprocess_each<counts_calls>(all, specs);
  }
};

}  // namespace

TEST_CASE("methods are lowered together, at compile time and at run time") {
  CHECK(one_partitioner_for_all());
  CHECK(partitioners_by_method());
  CHECK(backends_with_and_without_the_hook());
  CHECK(backends_may_change_their_copies());
  CHECK(agree(to_backend(target, exported_three(), products{}, validation::off), unchecked));
}

TEST_CASE("several partitioners of a method are rounds (R268)") {
  CHECK(rounds_follow_one_another());
  CHECK(rounds_equal_consecutive_calls());
  CHECK(agree(to_backend(target, exported_three(), phases), lowered_again));
}

TEST_CASE("compile specs keep their order and their duplicates (R60)") { CHECK(compile_specs_keep_order_and_duplicates()); }

TEST_CASE("a backend is called once, with the methods that have parts for it (R34)") {
  using sines_and_sums = by_support<counts_calls, operator_names<"aten.sin.default", "aten.mm.default">>;
  const auto lowered = to_backend(backends<counts_calls>, exported_three(), sines_and_sums{});
  CHECK(counts_calls::batches == 1);
  CHECK(counts_calls::parts == 3);
  CHECK(delegates(lowered["seq"]).empty());
}

TEST_CASE("a method without a partitioner is not copied (R31)") {
  auto methods_to_lower = exported_three();
  const auto* nodes = methods_to_lower["seq"].nodes.data();
  const auto lowered = to_backend(target, std::move(methods_to_lower), partitioners(for_method("sine", waves{})));
  CHECK(lowered["seq"].nodes.data() == nodes);
}

TEST_CASE("lowering methods throws the sentence of the violated rule, and names the method (E2, E10, Q2, Q3)") { refusals::check(errors); }
