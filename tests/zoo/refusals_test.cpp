// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Models of the zoo without outputs of the reference: some are imported, the others are rejected with a message. Also the nodes that no
// kernel supports.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/import/tflite.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/verify.hpp>

#include "fuzz/mutated_model.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace {

struct expectation {
  std::string_view model;
  std::string_view import;  ///< the start of the message that rejects the file; empty if it is imported
  std::string_view node;    ///< the operator of the first unsupported node; empty if there is none
  std::string_view reason;  ///< the reason
};

constexpr expectation expected[] = {
    {"tflm_person_detect_vela", "", "tfl.custom.ethos-u", "no kernel in the list supports this operator"},
    {"mlperf_kws_ref_float32", "", "", ""},
    {"mlperf_toycar_quant_dynrange", "", "", ""},
    {"tmc_argmax", "", "", ""},
    {"tmc_custom", "", "tfl.custom.Complex", "no kernel in the list supports this operator"},
    {"tmc_hello_world_pruned", "baton foreign_file: a file does not have the importer's format", "", ""},
};

}  // namespace

TEST_CASE("models that the reference does not run are imported, or rejected with a message" * tests::needs_shared("zoo")) {
  const std::filesystem::path zoo = std::filesystem::path(BATON_SHARED_DIR) / "zoo";
  for (const auto& of : expected) {
    const std::string name{of.model};
    CAPTURE(name);
    const auto bytes = fuzz::bytes_of(zoo / name / (name + ".tflite"));
    REQUIRE(!bytes.empty());
    const auto imported = baton::tflite::try_read_bytes(bytes);
    if (!imported) {
      const auto message = baton::message(imported.error);
      const std::string sentence(message.data(), message.size());
      CAPTURE(sentence);
      CHECK((!of.import.empty() && sentence.starts_with(of.import)));
      continue;
    }
    CHECK(of.import.empty());
    CHECK(!baton::verify(imported.value));
    CHECK(!baton::check_inference(imported.value));
    std::string node;
    std::string reason;
    for (const auto& record : imported.value.nodes) {
      const auto chosen = baton::choose_kernel(baton::portable_kernels, imported.value, record);
      if (chosen.support) continue;
      node = imported.value.text(record.target);
      reason = baton::view(chosen.support.reason);
      break;
    }
    CHECK(node == of.node);
    CHECK(reason == of.reason);
  }
}
