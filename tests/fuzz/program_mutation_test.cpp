// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged programs: random programs with random changes to the indices, ranges and kinds in their pools. Each one is rejected by `verify`,
// or it can be printed, partitioned and lowered, or lowering fails with a message; all under sanitizers. BATON_FUZZ_PROGRAMS is the number
// of mutated programs, 5000 by default; the same number produces the same mutations on every machine.
#include <baton/compat/executorch/delegated_graph.hpp>
#include <baton/compat/executorch/delegation_info.hpp>
#include <baton/core/error.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/pool_sizes.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/contracts.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/plan/arena.hpp>
#include <baton/report/graphviz.hpp>
#include <baton/report/json.hpp>
#include <baton/report/survey.hpp>
#include <baton/report/text.hpp>

#include "properties/properties.hpp"
#include "properties/random.hpp"
#include "properties/random_program.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <type_traits>

namespace {

class mutation {
 public:
  mutation(baton::exported_program& program, std::uint64_t seed) : program_(program), random_(seed) {}

  void run() {
    for (auto left = 1 + random_.below(3); left > 0; --left) mutate_one();
  }

 private:
  void mutate_one() {
    switch (random_.below(14)) {
      case 0:
        return change(program_.graphs);
      case 1:
      case 2:
        return change(program_.nodes);
      case 3:
      case 4:
        return change(program_.values);
      case 5:
      case 6:
        return change(program_.operands);
      case 7:
        return change(program_.attributes);
      case 8:
        return change(program_.integers);
      case 9:
        return change(program_.subgraphs);
      case 10:
        return change(program_.outputs);
      case 11:
        return change(program_.delegates);
      case 12:
        return change(program_.mappings);
      default:
        return cut_a_pool();
    }
  }

  /// Removes records from the end of a pool.
  void cut_a_pool() {
    auto left = random_.below(std::tuple_size_v<baton::pool_sizes>);
    baton::for_each_pool(
        [&](auto& pool) {
          if (left-- == 0 && !pool.empty()) pool.resize(pool.size() - 1 - random_.below(pool.size()));
        },
        program_);
  }

  template <class Record>
  void change(baton::vector<Record>& pool) {
    if (!pool.empty()) change(pool[random_.below(pool.size())]);
  }
  /// Changes one of the arguments.
  template <class... Fields>
  void change_one_of(Fields&... fields) {
    auto left = random_.below(sizeof...(fields));
    ((left-- == 0 ? change(fields) : void()), ...);
  }

  void change(std::uint32_t& number) { number = another(number); }
  void change(std::int64_t& number) {
    const std::int64_t extremes[] = {-1, 0, 1, 2, INT64_MAX, INT64_MIN, std::int64_t{1} << 32};
    number = random_.once_in(2) ? extremes[random_.below(7)] : number + 1;
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void change(Enum& id) {
    if constexpr (sizeof(Enum) == sizeof(std::uint32_t)) {
      id = static_cast<Enum>(another(static_cast<std::uint32_t>(id)));
    } else if constexpr (std::is_same_v<Enum, baton::dtype>) {
      id = static_cast<Enum>(random_.below(4));
    } else {
      id = static_cast<Enum>(random_.below(std::is_same_v<Enum, baton::output_kind> ? 2 : 6));
    }
  }
  auto another(std::uint32_t number) -> std::uint32_t {
    const std::uint32_t extremes[] = {0, 0xffffffffu, 0x7fffffffu, 0x80000000u};
    switch (random_.below(4)) {
      case 0:
        return extremes[random_.below(4)];
      case 1:
        return number + 1;
      case 2:
        return number - 1;
      default:
        return static_cast<std::uint32_t>(random_.below(24));
    }
  }
  void change(baton::range& range) { change_one_of(range.first, range.size); }
  void change(baton::byte_ref& ref) {
    if (ref.outside == nullptr) change_one_of(ref.first, ref.size);
  }
  void change(baton::graph& record) { change_one_of(record.name, record.nodes, record.inputs, record.outputs); }
  void change(baton::node& record) {
    change_one_of(record.name, record.target, record.inputs, record.outputs, record.attributes, record.subgraphs, record.debug_handle,
                  record.folded_handles, record.tag, record.delegate);
  }
  void change(baton::value& record) {
    change_one_of(record.name, record.type, record.kind, record.shape, record.data, record.target, record.graph, record.tag,
                  record.quant.scales, record.quant.zero_points, record.quant.channels);
  }
  void change(baton::attribute& record) { change_one_of(record.name, record.kind, record.integer, record.bytes, record.list); }
  void change(baton::output_spec& record) { change_one_of(record.kind, record.value, record.target); }
  void change(baton::lowered_module_ref& record) {
    change_one_of(record.name, record.backend_id, record.processed_bytes, record.original, record.compile_specs, record.debug_map,
                  record.named_data);
  }
  void change(baton::lowered_module_ref::mapping_entry& record) { change_one_of(record.identifier, record.text, record.handles); }

  baton::exported_program& program_;
  properties::random_numbers random_;
};

using support =
    baton::by_support<properties::listing_backend<"First">, baton::operator_names<"aten.add.Tensor", "aten.mul.Tensor", "cond">>;

/// Runs the functions that only read a program.
void read_all(const baton::exported_program& program) {
  CHECK(!baton::print(program).empty());
  const auto facts = baton::report::survey_of(program);
  CHECK(!baton::report::json(program, facts).empty());
  CHECK(!baton::report::graphviz(program, facts).empty());
  CHECK(!baton::report::partition_table(program).empty());
  CHECK(!baton::report::operator_table(program).empty());
  CHECK(!baton::report::delegated_graph(program, baton::reach::delegates).empty());
  CHECK(!baton::delegation_table(baton::delegation_info_of(program, baton::reach::delegates)).empty());
  static_cast<void>(baton::boundary_bytes(program));
  if (const auto plan = baton::plan_memory(program)) CHECK(!baton::verify_plan(plan.value));
}

/// Runs everything that must work for each program that `verify` accepts. Returns true if the program was lowered.
auto run_all(const baton::exported_program& program, std::uint64_t seed) -> bool {
  read_all(program);
  bool was_lowered = false;
  try {
    const auto lowered = baton::to_backend(properties::target, program, properties::random_partitioner{seed});
    CHECK(!baton::verify(lowered));
    read_all(lowered);
    was_lowered = true;
    static_cast<void>(baton::to_backend(properties::target, program, support{}));
  } catch (const baton::error& why) {
    CHECK(std::string(why.what()).find("baton ") == 0);
  }
  return was_lowered;
}

}  // namespace

TEST_CASE("a damaged program is rejected, or all functions on programs work with it") {
  const char* text = std::getenv("BATON_FUZZ_PROGRAMS");
  const auto count = text != nullptr ? std::strtoull(text, nullptr, 10) : 5000;
  std::uint64_t verified = 0;
  std::uint64_t lowered = 0;
  baton::exported_program original;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    // Eight mutations of each program. Every second program is lowered first.
    if (seed % 8 == 0) {
      original = properties::make_program(seed);
      const auto result = properties::lower(original, seed);
      if (seed % 16 == 0 && result) original = result.value;
    }
    auto program = original;
    mutation(program, seed).run();
    CAPTURE(seed);
    if (baton::verify(program)) continue;
    verified += 1;
    lowered += run_all(program, seed) ? 1 : 0;
  }
  MESSAGE(count << " damaged programs, " << verified << " of them verify, " << lowered << " were lowered");
  CHECK(verified * 20 > count);
  CHECK(lowered > 0);
}
