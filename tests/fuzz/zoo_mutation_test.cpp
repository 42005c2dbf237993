// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged copies of ten models of the zoo, processed as for a firmware image: imported, inspected, transformed, planned, and run with the
// kernels if all steps succeed. Otherwise the first failing step rejects the model with a message. All under sanitizers. BATON_FUZZ_ZOO is
// the number of copies of each model, 1000 by default; the same number produces the same copies on every machine.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/import/tflite.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/kernels/signal_kernels.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/verify.hpp>
#include <baton/plan/arena.hpp>
#include <baton/transform/default_passes.hpp>
#include <baton/transform/transform.hpp>

#include "fuzz/mutated_model.hpp"
#include "needs_shared.hpp"
#include "nodes/interpreter.hpp"
#include "nodes/work.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>

namespace {

namespace fs = std::filesystem;

/// The outcomes of the copies of a model.
struct outcomes {
  std::size_t not_imported = 0;
  std::size_t not_transformed = 0;  ///< imported, but rejected by a pass
  std::size_t not_computed = 0;     ///< well-formed, but some node is not supported by a kernel
  std::size_t ran = 0;
  std::size_t too_expensive = 0;  ///< valid, but running it takes too long here
};

constexpr auto kernels = baton::portable_kernels + baton::signal_kernels;

/// The maximum work of one run, in multiply-adds.
constexpr std::uint64_t max_work_per_run = 20'000'000;
/// The maximum work of all runs of one model, in multiply-adds: seconds under sanitizers.
constexpr std::uint64_t max_work = 60'000'000;

class trial {
 public:
  explicit trial(const fs::path& path) : copies_(fuzz::bytes_of(path), baton::hash_of(path.filename().string()), 2) {}

  void next() {
    const auto imported = baton::tflite::try_read_bytes(copies_.next());
    if (!imported) {
      CHECK(!baton::message(imported.error).empty());
      ++of.not_imported;
    } else {
      inspect(imported.value);
    }
  }

  outcomes of;

 private:
  void inspect(const baton::exported_program& program) {
    CHECK(!baton::verify(program));
    if (const auto why = baton::check_inference(program)) CHECK(!baton::message(why).empty());
    const auto transformed = baton::default_passes.run(program);
    if (!transformed) {
      CHECK(!baton::message(transformed.error).empty());
      ++of.not_transformed;
      return;
    }
    if (const auto plan = baton::plan_memory(transformed.value)) CHECK(!baton::verify_plan(plan.value));
    run(transformed.value);
  }

  void run(const baton::program_view& program) {
    for (const auto& record : program.nodes) {
      const auto chosen = baton::choose_kernel(kernels, program, record);
      if (chosen.support) continue;
      CHECK(!chosen.support.reason.empty());
      ++of.not_computed;
      return;
    }
    const auto work = nodes::work_of(program);
    if (work > max_work_per_run || work_ + work > max_work) {
      ++of.too_expensive;
      return;
    }
    work_ += work;
    nodes::bytes input(nodes::input_bytes_of(program));
    for (auto& byte : input) byte = static_cast<char>(random_.below(256));
    nodes::bytes output;
    const auto why = nodes::interpreter(program).run(kernels, input, output);
    ++(why.empty() ? of.ran : of.not_computed);
  }

  fuzz::mutated_model copies_;
  fuzz::random_numbers random_{1};
  std::uint64_t work_ = 0;
};

constexpr std::string_view models[] = {
    "tflm_hello_world_old_int8",
    "tflm_audio_preproc_int8",
    "tflm_mnist_lstm_float",
    "esphome_v2_vad",
    "mlperf_aww_model_v01",
    "mlperf_trainedRes_quant",
    "arm_dnn_s",
    "tmc_hello_world_uint8",
    "tmc_lstm2",
    "mltk_anomaly_detection",
};

}  // namespace

TEST_CASE("damaged models of the zoo are rejected with a message, or run" * tests::needs_shared("zoo")) {
  const fs::path zoo = fs::path(BATON_SHARED_DIR) / "zoo";
  const char* set = std::getenv("BATON_FUZZ_ZOO");
  const auto count = set == nullptr ? std::size_t{1000} : static_cast<std::size_t>(std::strtoull(set, nullptr, 10));
  for (const auto model : models) {
    const std::string name{model};
    CAPTURE(name);
    trial copies(zoo / name / (name + ".tflite"));
    for (std::size_t i = 0; i < count; ++i) {
      CAPTURE(i);
      copies.next();
    }
    const auto& of = copies.of;
    std::cout << name << ": " << count << " copies, " << of.not_imported << " not imported, " << of.not_transformed << " not transformed, "
              << of.not_computed << " without a kernel, " << of.ran << " ran, " << of.too_expensive << " would have run too long\n";
    if (count >= 1000) CHECK((of.ran > 0 && of.not_imported > 0 && of.not_computed > 0));
  }
}
