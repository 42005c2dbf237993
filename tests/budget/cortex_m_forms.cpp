// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Prints the share of each model that Cortex-M kernels compute, and why they refuse the other nodes: cortex_m_forms MODEL.tflite... Fails
// if these kernels compute less than nine tenths of the multiply-adds of a model with int8 tensors and weights. Models are read, and
// kernels chosen, at run time.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/import/tflite.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/transform/default_passes.hpp>
#include <baton/transform/transform.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "tools.hpp"

namespace {

struct shares {
  std::uint64_t all = 0;       ///< multiply-adds
  std::uint64_t by_forms = 0;  ///< of these, by a Cortex-M form
  bool is_int8 = true;
};

auto is_int8(const baton::program_view& program, const baton::node& record) -> bool {
  for (const auto id : program.inputs(record).first(std::min<std::size_t>(2, record.inputs.size))) {
    if (id != baton::none<baton::value_id> && program[id].type != baton::dtype::int8) return false;
  }
  return true;
}

/// Counts the nodes, and prints those that portable kernels compute.
auto count(const baton::program_view& program) -> shares {
  shares counted;
  for (const auto& record : program.nodes) {
    const auto work = baton::multiply_adds(program, record);
    if (work == 0) continue;
    const auto choice = baton::choose_kernel(baton::cortex_m_kernels, program, record);
    counted.all += work;
    counted.by_forms += choice.support ? work : 0;
    counted.is_int8 = counted.is_int8 && is_int8(program, record);
    if (choice.support) continue;
    const auto name = std::string(program.text(record.name));
    const auto why = std::string(baton::view(choice.support.reason));
    std::printf("  %s, %llu multiply-adds: %s\n", name.c_str(), static_cast<unsigned long long>(work), why.c_str());
  }
  return counted;
}

/// True if the share of the model is large enough, or if the importer refuses the file. False if the file cannot be read.
auto check(const char* path) -> bool {
  const auto file = read_file(path);
  if (!file.ok) return false;
  std::string_view name = path;
  name.remove_prefix(name.rfind('/') + 1);
  const auto program = baton::tflite::try_read_bytes(baton::span<const char>{file.bytes.data(), file.bytes.size()}, {});
  if (!program) {
    std::printf("%s: %s\n", path, std::string(baton::view(message(program.error))).c_str());
    return true;
  }
  std::printf("%s\n", std::string(name).c_str());
  const auto counted = count(baton::transform(program.value, baton::default_passes));
  if (counted.all == 0) {
    std::printf("  no multiply-adds\n");
    return true;
  }
  const bool is_enough = !counted.is_int8 || 10 * counted.by_forms >= 9 * counted.all;
  std::printf("  %.1f %% of %llu multiply-adds by a Cortex-M form%s\n",
              100 * static_cast<double>(counted.by_forms) / static_cast<double>(counted.all), static_cast<unsigned long long>(counted.all),
              counted.is_int8 ? is_enough ? "" : ": TOO FEW" : " (not an int8 model)");
  return is_enough;
}

}  // namespace

int main(int words, char** paths) {
  bool is_good = true;
  for (int i = 1; i < words; ++i) is_good = check(paths[i]) && is_good;
  return is_good ? 0 : 1;
}
