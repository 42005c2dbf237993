// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks the laws of passes that need no execution, for every pass and every shared model. Most models stay unchanged, some do not.
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>
#include <baton/transform/dead_channels.hpp>
#include <baton/transform/fold_constants.hpp>
#include <baton/transform/fold_padding.hpp>
#include <baton/transform/pass_list.hpp>
#include <baton/transform/remove_no_ops.hpp>

#include "laws/pass.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

using namespace baton;

using all = pass_list<fold_constants, remove_no_ops, fold_padding, dead_channels>;

/// Checks the laws of a pass and returns the number of nodes that it removes.
template <class Pass>
auto nodes_removed_by(const exported_program& program, const std::string& model) -> std::size_t {
  CHECK_MESSAGE(laws::pass::static_laws<Pass>(program), model, ", ", std::string(Pass::name));
  return program.nodes.size() - laws::pass::run<Pass>(program).nodes.size();
}

}  // namespace

TEST_CASE("the laws of passes hold on every shared model" * tests::needs_shared("zoo")) {
  const std::filesystem::path folder(BATON_SHARED_DIR);
  std::size_t models = 0;
  std::size_t changed = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "zoo")) {
    if (entry.path().extension() != ".tflite") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    const auto read = tflite::try_read_bytes(bytes);
    if (!read) continue;  // one file lacks the identifier
    const auto model = entry.path().stem().string();
    const auto removed = nodes_removed_by<all>(read.value, model);
    const auto removed_separately = nodes_removed_by<fold_constants>(read.value, model) +
                                    nodes_removed_by<remove_no_ops>(read.value, model) + nodes_removed_by<fold_padding>(read.value, model);
    CHECK_MESSAGE(nodes_removed_by<dead_channels>(read.value, model) == 0, model);
    CHECK_MESSAGE(removed >= removed_separately, model);
    models += 1;
    changed += removed != 0 ? 1 : 0;
    if (model == "mltk_anomaly_detection") CHECK(removed == 3);  // shape, strided_slice, pack
    if (model == "pymww_okay_nabu") CHECK(removed == 3);         // reshapes to the same shape
  }
  CHECK(models >= 40);
  CHECK(changed >= 2);
  CHECK(changed < models);
}
