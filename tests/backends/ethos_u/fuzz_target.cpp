// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fuzzes payloads of Ethos-U: as a payload, as a command stream alone, and as the custom operator of a program that a backend preprocesses.
#include <baton/backends/ethos_u/backend.hpp>
#include <baton/backends/ethos_u/command_stream.hpp>
#include <baton/backends/ethos_u/detail/operation.hpp>
#include <baton/backends/ethos_u/payload.hpp>

#include "backends/ethos_u/stream_builders.hpp"
#include "fuzz/libfuzzer/target.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace {

void walk(baton::span<const char> stream) {
  const auto fault = baton::ethos_u::for_each_access(stream, [&](const baton::ethos_u::access& of) {
    fuzz::demand(of.first < of.end, "an access has bytes");
    fuzz::demand(of.command < stream.size() / 4, "an access has a command in the stream");
    return true;
  });
  static_cast<void>(fault);
}

}  // namespace

extern "C" auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  const auto bytes = fuzz::chars_of(data, size);
  walk(bytes);
  const auto payload = baton::ethos_u::read_payload(bytes);
  fuzz::demand(payload.fault.empty() || payload.stream.empty(), "an invalid payload has no stream");
  walk(payload.stream);
  ethos_u_tests::custom_operator parts;
  parts.payload = {bytes.begin(), bytes.end()};
  const auto program = ethos_u_tests::program_of(parts);
  const auto& record = program.nodes[0];
  const auto read = baton::ethos_u::detail::operation_reader(program, record, baton::ethos_u::u55_128).run();
  if (read) {
    const auto& of = read.value;
    fuzz::demand(of.scratch_bytes <= 128 && of.memory_bytes >= of.scratch_bytes, "an operation uses the scratch that it has");
  } else {
    fuzz::demand(!baton::message(read.error).empty(), "a refused operation has a message");
  }
  return 0;
}
