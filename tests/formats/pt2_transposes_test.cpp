// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The transposes that the default passes leave in the archives of torch.export, against the minimum. docs/pt2.md has the counts of each
// case; BATON_WRITE_PAGES=1 writes them.
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/import/pt2.hpp>

#include "formats/page_table.hpp"
#include "formats/portable_run.hpp"
#include "formats/pt2_case.hpp"
#include "formats/transpose_bound.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace {

using namespace baton;

/// Two transposed images and their sum in the first order, which is transposed back. One transpose is enough for `add_transposes`: the sum
/// is then transposed, and its operands are not.
auto sum_of_images(bool is_read_by_pool) -> exported_program {
  const auto first = tensor(dtype::float32, 1, 3, 4, 5), last = tensor(dtype::float32, 1, 4, 5, 3);
  constexpr char to_last[] = {0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0};
  program_builder b;
  const auto by = b.constant("by", tensor(dtype::int32, 4), {to_last, sizeof to_last});
  const auto x = b.call("x_last", "tfl.transpose", {b.user_input("x", first), by}, last);
  const auto y = b.call("y_last", "tfl.transpose", {b.user_input("y", first), by}, last);
  const auto sum = b.call("sum", "tfl.add", {x, y}, last);
  b.output(is_read_by_pool ? b.call("pool", "tfl.max_pool_2d", {sum}, last) : sum);
  return b.finish();
}

auto count_in_file(const program_view& program) -> std::size_t {
  std::size_t count = 0;
  for (const auto& each : program.nodes) {
    const auto target = program.text(each.target);
    for (const std::string_view transpose : {"aten.permute", "aten.transpose", "aten.t.", "aten.numpy_T"})
      count += target.starts_with(transpose) ? 1 : 0;
  }
  return count;
}

}  // namespace

TEST_CASE("the minimum of transposed bytes moves transposes over a sum") {
  for (const bool is_read_by_pool : {false, true}) {
    const auto program = sum_of_images(is_read_by_pool);
    const auto counts = formats::transpose_counts_of(program);
    REQUIRE(counts);
    CHECK(counts->transposes == 2);
    CHECK(counts->bytes == 480);
    CHECK(counts->min_bytes == 240);
  }
}

TEST_CASE("pt2: the transposes that are left are the minimum" * tests::needs_shared("formats")) {
  std::string rows;
  std::size_t cases = 0;
  for (const auto& model : formats::pt2_cases()) {
    CAPTURE(model.name());
    std::size_t in_file = 0;
    formats::transpose_counts sum;
    for (const auto& entry : pt2::importer::entry_points(model.model())) {
      const auto imported = model.read(entry.name);
      REQUIRE(imported);
      const auto passed = formats::legalized(imported.value);
      REQUIRE(passed);
      in_file += count_in_file(imported.value);
      const auto counts = formats::transpose_counts_of(passed.value);
      REQUIRE(counts);
      CHECK(counts->bytes == counts->min_bytes);
      sum.transposes += counts->transposes;
      sum.bytes += counts->bytes;
      sum.min_bytes += counts->min_bytes;
    }
    rows += "| `" + model.name() + "` | " + std::to_string(in_file) + " | " + std::to_string(sum.transposes) + " | " +
            std::to_string(sum.bytes) + " | " + std::to_string(sum.min_bytes) + " |\n";
    ++cases;
  }
  CHECK(cases >= 24);
  CHECK(formats::page_difference("pt2.md", "| case | transposes in the file |", rows) == "");
}
