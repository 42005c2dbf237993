// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Shows any model without compiling it: inspect MODEL.tflite [--partitioner NAME]. All of it happens at run time, by the functions that the
// compiler runs for a firmware.
#include "choices.hpp"
#include "tools.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

using baton::text_buffer;

/// The bytes of a file, where the system maps them: a file of any size costs only what is read of it.
auto map_file(const char* path, text_buffer& fault) -> std::span<const char> {
  const int file = open(path, O_RDONLY | O_NONBLOCK);
  struct stat facts = {};
  if (file < 0 || fstat(file, &facts) != 0) {
    fault = baton::join(std::string_view{std::strerror(errno)});
  } else if (!S_ISREG(facts.st_mode)) {
    fault = baton::join("it is no file");
  }
  const auto size = static_cast<std::size_t>(facts.st_size);
  void* bytes = fault.empty() && size != 0 ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
  if (bytes == MAP_FAILED) fault = baton::join(std::string_view{std::strerror(errno)});
  if (file >= 0) close(file);
  if (!fault.empty() || bytes == nullptr) return {};
  return {static_cast<const char*>(bytes), size};
}

/// By value, the value whose memory it shares, as the executor has it; a node without a kernel shares nothing.
auto storage_as_executed(const baton::program_view& program) -> std::vector<baton::value_id> {
  std::vector<std::uint32_t> chosen;
  for (const auto& record : program.nodes_of(program.root())) {
    const auto choice = baton::choose_kernel(baton::portable_kernels, program, record);
    chosen.push_back(static_cast<std::uint32_t>(choice.found ? choice.index : baton::portable_kernels.size));
  }
  return baton::shared_storage(baton::portable_kernels, program, chosen);
}

template <class Choice>
void report(const baton::exported_program& program) {
  const auto lowered = Choice::lower(program);
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    show(baton::report::operator_table(program, static_cast<baton::graph_id>(g)));
    std::printf("\n");
    show(baton::report::quantization_table(program, static_cast<baton::graph_id>(g)));
    std::printf("\n");
  }
  show(baton::report::partition_table(lowered, choices::explain<Choice>));
  std::printf("\n");
  const auto plan = baton::plan_memory(lowered, {}, storage_as_executed(lowered));
  if (plan) {
    show(baton::report::memory_table(lowered, plan.value));
  } else {
    show(baton::join("memory plan: none; ", baton::view(message(plan.error)), "\n"));
  }
}

/// Reports by the choice of that name; false if there is none.
template <class... Choices>
auto report_by(choices::list<Choices...>, std::string_view name, const baton::exported_program& program) -> bool {
  return ((Choices::name == name && (report<Choices>(program), true)) || ...);
}

template <class... Choices>
auto has(choices::list<Choices...>, std::string_view name) -> bool {
  return ((Choices::name == name) || ...);
}

template <class... Choices>
auto names(choices::list<Choices...>) -> text_buffer {
  text_buffer text;
  (baton::append(baton::append(text, " "), Choices::name), ...);
  return text;
}

/// One line on standard error, whatever the text holds.
auto refuse(const text_buffer& why) -> int {
  auto line = baton::report::detail::printable(baton::view(why), why.size());
  line.push_back('\n');
  std::fwrite(line.data(), 1, line.size(), stderr);
  return 1;
}

}  // namespace

auto main(int count, char** words) -> int try {
  if (count != 2 && !(count == 4 && std::string_view{words[2]} == "--partitioner")) {
    refuse(baton::join("usage: inspect MODEL.tflite [--partitioner NAME]; the partitioners are:", baton::view(names(choices::all{}))));
    return 2;
  }
  const std::string_view path = words[1];
  const std::string_view partitioner = count == 4 ? words[3] : "none";
  if (!has(choices::all{}, partitioner)) {
    return refuse(baton::join("there is no partitioner ", partitioner, "; there are:", baton::view(names(choices::all{}))));
  }
  text_buffer fault;
  const auto bytes = map_file(words[1], fault);
  if (!fault.empty()) return refuse(baton::join("cannot read ", path, ": ", baton::view(fault)));
  const auto program = baton::tflite::try_read_bytes(bytes);
  if (!program) return refuse(baton::join(path, ": ", baton::view(message(program.error))));
  report_by(choices::all{}, partitioner, program.value);
} catch (const std::exception& broken) {
  return refuse(baton::join(std::string_view{words[1]}, ": ", std::string_view{broken.what()}));
}
