// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// alone: it defines functions of a namespace with a name (cmake/test_batches.cmake)
#include "formats/portable_run.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/transform/default_passes.hpp>

#include "nodes/interpreter.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <type_traits>

namespace formats {

auto legalized(const baton::program_view& program) -> baton::result<baton::exported_program> {
  return std::remove_const_t<decltype(baton::default_passes)>::run(program);
}

auto planned_arena(const baton::program_view& program) -> baton::result<arena_sizes> {
  const baton::plan_options options{16};
  const auto values = baton::plan_memory(program, options, baton::shared_storage(baton::portable_kernels, program));
  if (!values) return values.error;
  const auto all = baton::plan_execution(baton::portable_kernels, program, options);
  return arena_sizes{values.value.arena_bytes, all ? all.value.memory.arena_bytes : values.value.arena_bytes};
}

auto run_portable(const baton::program_view& program, baton::span<const char> input, std::vector<char>& output, const after_node& after,
                  const delegate_execution& execute) -> std::string {
  nodes::interpreter runner{program};
  runner.execute_delegate = execute;
  const memory_of_value memory = [&](baton::value_id id) { return baton::span<char>{runner.address(id), runner.size_of(id)}; };
  return runner.run(baton::portable_kernels, {input.begin(), input.end()}, output,
                    [&](const baton::node& record) { after(record, memory); });
}

}  // namespace formats

TEST_CASE("programs run, and their values can be read and replaced after each node") {
  baton::program_builder b;
  const auto type = baton::tensor(baton::dtype::float32, 1);
  const auto x = b.user_input("x", type);
  const auto y = b.call("y", "tfl.add", {x, x}, type);
  b.output(b.call("z", "tfl.mul", {y, y}, type));
  const auto program = b.finish();
  const auto legal = formats::legalized(program);
  REQUIRE(legal);
  const float three = 3, five = 5;
  char input[4];
  std::memcpy(input, &three, 4);
  std::vector<char> output;
  float result = 0;
  CHECK(formats::run_portable(legal.value, {input, 4}, output) == "");
  std::memcpy(&result, output.data(), 4);
  CHECK(result == 36);
  const auto why =
      formats::run_portable(legal.value, {input, 4}, output, [&](const baton::node& record, const formats::memory_of_value& memory) {
        if (record.is("tfl.add")) std::memcpy(memory(y).data(), &five, 4);
      });
  CHECK(why == "");
  std::memcpy(&result, output.data(), 4);
  CHECK(result == 25);
}
