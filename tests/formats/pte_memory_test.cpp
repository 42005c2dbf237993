// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory of the ExecuTorch programs of ../shared/formats: the arena of this library is never larger than the memory that ExecuTorch
// planned, at the same alignment of 16 bytes. ExecuTorch plans inputs, outputs, mutable buffers and the scratch operands of its kernels.
// docs/pte.md has a table of all programs, with the measured bytes of executorch/memory.txt; BATON_WRITE_PAGES=1 writes it.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/import/importer.hpp>
#include <baton/import/pte.hpp>

#include "formats/manifest.hpp"
#include "formats/page_table.hpp"
#include "formats/portable_run.hpp"
#include "formats/pte_case.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace baton;

/// Compares the sizes of the memories of a method with those of the case. Returns their sum.
auto check_sizes(const formats::pte_case& model, std::string_view method) -> std::uint64_t {
  const auto planned = pte::importer::planned_bytes(model.model(), method);
  REQUIRE(planned);
  const auto text = formats::json_at(formats::json_at(model.contents(), "methods"), std::string(method));
  const auto stated = formats::items_of(formats::json_at(text, "memory"));
  REQUIRE(planned.value.size() == stated.size());
  for (std::size_t id = 0; id < stated.size(); ++id) CHECK(planned.value[id] == std::stoull(std::string(stated[id])));
  return std::accumulate(planned.value.begin(), planned.value.end(), std::uint64_t{0});
}

/// The measured bytes of executorch/memory.txt: the numbers of a line by the words before them.
class measured_bytes {
 public:
  measured_bytes() {
    std::ifstream file(std::string(BATON_EXAMPLES_DIR) + "/../tests/formats/executorch/memory.txt");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with('#')) continue;
      std::istringstream words(line);
      std::string key;
      for (std::string word; words >> word;) {
        if (word.find_first_not_of("0123456789") != std::string::npos) {
          key += (key.empty() ? "" : " ") + word;
        } else {
          lines_[key].push_back(word);
        }
      }
    }
  }
  /// Returns the number `index` of the line that begins with `key`, or "-".
  auto number(const std::string& key, std::size_t index) const -> std::string {
    const auto at = lines_.find(key);
    return at == lines_.end() || at->second.size() <= index ? "-" : at->second[index];
  }

 private:
  std::map<std::string, std::vector<std::string>> lines_;
};

/// Returns a row of the table: a method of a case.
auto row(const measured_bytes& measured, const formats::pte_case& model, const entry_point& method, std::uint64_t planned,
         std::uint64_t arena) -> std::string {
  std::size_t bytes = model.model().size();
  for (const auto& file : model.files()) bytes += file.bytes.size();
  const auto key = model.name() + " " + std::string(method.name), of_default = method.is_default ? "baton " + model.name() : "";
  CHECK(measured.number("executorch " + key, 0) == std::to_string(planned));
  auto text = "| `" + model.name() + "`" + (method.name == "forward" ? "" : ", `" + std::string(method.name) + "`");
  for (const auto& cell :
       {std::to_string(bytes), std::to_string(planned), measured.number("executorch " + key, 1), measured.number("heap " + key, 1),
        std::to_string(arena), measured.number(of_default, 0), measured.number(of_default, 1)})
    text += " | " + cell;
  return text + " |\n";
}

}  // namespace

TEST_CASE("pte: the arena is never larger than the memory that ExecuTorch planned" * tests::needs_shared("formats")) {
  const measured_bytes measured;
  std::string rows;
  std::size_t count = 0, smaller = 0;
  for (const auto& model : formats::pte_cases()) {
    CAPTURE(model.name());
    for (const auto& method : pte::importer::entry_points(model.model())) {
      CAPTURE(method.name);
      const auto theirs = check_sizes(model, method.name);
      const auto imported = model.read(method.name);
      REQUIRE(imported);
      const auto as_imported = formats::planned_arena(imported.value);
      REQUIRE(as_imported);
      CHECK(as_imported.value.values <= theirs);
      const auto lowered = formats::legalized(imported.value);
      if (!lowered) continue;  // operators without a rule
      const auto as_lowered = formats::planned_arena(lowered.value);
      REQUIRE(as_lowered);
      if (theirs != 0) rows += row(measured, model, method, theirs, as_lowered.value.with_scratch);
      // ExecuTorch does not plan the memory in delegates, which become nodes of a program after legalization.
      if (!imported.value.delegates.empty()) continue;
      CHECK(as_lowered.value.values <= theirs);
      CHECK(as_lowered.value.with_scratch <= theirs);
      ++count;
      smaller += as_lowered.value.with_scratch < theirs ? 1 : 0;
    }
  }
  CHECK(count >= 20);
  CHECK(smaller >= 15);
  CHECK(formats::page_difference("pte.md", "| program, method | file |", rows) == "");
}
