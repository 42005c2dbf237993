// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reads the inputs of one or several inferences from input.bin, runs them in order, writes output.bin, and prints the cost. Custom firmware
// reads its sensors here.
#include "inference.hpp"
#include "measure.hpp"
#include "semihosting.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace {

auto bytes_of_inputs() -> std::size_t {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < inference::input_count(); ++i) bytes += inference::input(i).size();
  return bytes;
}

auto read_inputs(firmware::host_file& from) -> bool {
  for (std::size_t i = 0; i < inference::input_count(); ++i) {
    if (!from.read(inference::input(i).data(), inference::input(i).size())) return false;
  }
  return true;
}

auto write_outputs(firmware::host_file& to) -> bool {
  for (std::size_t i = 0; i < inference::output_count(); ++i) {
    if (!to.write(inference::output(i).data(), inference::output(i).size())) return false;
  }
  return true;
}

}  // namespace

int main() {
  const auto before = firmware::instruction_counter::count();
  firmware::host_file from("input.bin", firmware::host_file::access::read);
  const auto bytes = from.is_open() ? from.size() : 0;
  const auto wanted = bytes_of_inputs();
  if (wanted == 0 ? bytes != 0 : bytes == 0 || bytes % wanted != 0) {
    firmware::print("the input must have ", wanted, " bytes, the concatenated inputs of the model, or a multiple of this; it has ", bytes);
    firmware::print("\n");
    return 1;
  }
  firmware::host_file to("output.bin", firmware::host_file::access::write);
  const auto inferences = wanted == 0 ? 1 : bytes / wanted;
  std::uint64_t instructions = 0;
  std::size_t stack = 0;
  for (std::size_t n = 0; n < inferences; ++n) {
    if (!read_inputs(from)) {
      firmware::print("the input cannot be read\n");
      return 1;
    }
    const firmware::stack_gauge gauge;
    firmware::instruction_counter::start();
    inference::run();
    instructions = std::max(instructions, firmware::instruction_counter::count());
    stack = std::max(stack, gauge.used());
    if (gauge.is_full()) {
      firmware::print("the stack is too small; increase stack_bytes in the linker script\n");
      return 1;
    }
    if (!write_outputs(to)) {
      firmware::print("the output cannot be written\n");
      return 1;
    }
  }
  firmware::print("instructions of one inference: ", instructions);
  if (inferences > 1) firmware::print(", the maximum of ", inferences);
  firmware::print("\n");
  inference::print_profile();
  firmware::print("arena: ", inference::arena_bytes(), ", lower bound ", inference::min_arena_bytes());
  firmware::print("\nstack: ", stack, " bytes\nbefore the first inference: ", before, " instructions, ", firmware::data_bytes());
  firmware::print(" bytes copied to RAM\n");
  return 0;
}
