// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The backend for Arm's Ethos-U accelerators. The backend runs models that Vela, Arm's compiler for these accelerators, has compiled.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/io_offsets.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/named_data.hpp>
#include <baton/backends/ethos_u/accelerator.hpp>
#include <baton/backends/ethos_u/detail/operation.hpp>
#include <baton/backends/ethos_u/detail/processed_bytes.hpp>
#include <baton/backends/ethos_u/detail/runner.hpp>
#include <baton/backends/ethos_u/driver.hpp>
#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/core/span.hpp>
#include <baton/plan/shared/backend_needs.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::ethos_u {

/// A backend for Arm's Ethos-U accelerators. A delegate is one custom operator of a model that Vela has compiled. The processed bytes
/// contain the operator's payload: the command stream (the instructions of an Ethos-U), and actions for the driver. The weights are named
/// data: a view if the program refers to weights outside the program, otherwise a copy. Payload and weights are stored once, in read-only
/// memory, with an alignment of 16 bytes. The commands access inputs and outputs at fixed offsets in the delegate's scratch; values in
/// other memory are copied to or from these offsets. `Accelerator` is the accelerator for which the model was compiled. `Driver` runs the
/// payload: `core_driver`, or a user-defined type. Example:
/// `baton::ethos_u::backend<baton::ethos_u::u55_128, baton::ethos_u::core_driver>`.
///
/// `preprocess` fails with `refused_part` if the part is not one valid operator for `Accelerator`. `detail/runner.hpp` documents the
/// failures of `init` and `execute`.
template <accelerator Accelerator, class Driver = no_driver>
  requires(require_driver<Driver>())
struct backend : detail::runner<Accelerator, Driver> {
  static constexpr auto id = name<"EthosU">;
  static constexpr std::size_t processed_bytes_alignment = detail::alignment;
  static constexpr std::uint32_t argument_alignment = detail::alignment;

  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> result<preprocess_result> {
    const program_view program = part;
    if (program.root().nodes.size != 1) {
      return refuse_part("a part must be one custom operator ethos-u, but it has ", program.root().nodes.size, " nodes");
    }
    const auto& record = program.nodes_of(program.root())[0];
    const auto read = detail::read_operation(program, record, Accelerator);
    if (!read) return read.error;
    preprocess_result result;
    result.processed_bytes =
        detail::make_processed_bytes(read.value, user_inputs_of(program, graph_id{0}), user_outputs_of(program, graph_id{0}));
    result.scratch_bytes = read.value.memory_bytes;
    if (read.value.weights_bytes != 0) {
      const auto bytes = program.data(program[read.value.weights].data);
      const auto key = key_of(bytes);
      const named_data_options options{.alignment = detail::alignment};
      const bool is_outside_program = program[read.value.weights].data.outside != nullptr;
      if (auto why =
              is_outside_program ? result.named_data.add_view(view(key), bytes, options) : result.named_data.add(view(key), bytes, options))
        return why;
    }
    if (record.debug_handle != 0) result.debug_handle_map.push_back({0, {}, false, {record.debug_handle}});
    const auto accelerator_name = name_of(Accelerator);
    result.delegate_info = join(view(accelerator_name), ", ", read.value.content.stream.size(), " bytes of commands, ",
                                read.value.weights_bytes, " of weights, ", read.value.memory_bytes, " of scratch");
    return result;
  }

  static constexpr auto io_offsets_in_scratch(const lowered_module_view& module) -> io_offsets {
    const auto bytes = module.processed_bytes();
    const detail::processed_view content({bytes.data(), bytes.size()});
    io_offsets offsets;
    if (content.check_structure() != detail::processed_state::valid) return offsets;
    for (std::uint32_t i = 0; i < content.inputs(); ++i) add(offsets.inputs, content.input(i));
    for (std::uint32_t i = 0; i < content.outputs(); ++i) add(offsets.outputs, content.output(i));
    return offsets;
  }

 private:
  /// Returns the key of weights: a hash of their first 1,024 bytes, and the number of all their bytes. A hash of all bytes would take too
  /// long at compile time. If two different weights have the same key, lowering fails with `conflicting_named_data`.
  static constexpr auto key_of(span<const char> bytes) -> text_buffer {
    const auto sample = bytes.subspan(0, std::min<std::size_t>(bytes.size(), 1024));
    return join(view(named_data_store::content_key("ethos_u.weights", {sample.data(), sample.size()})), " of ", bytes.size());
  }
  static constexpr void add(vector<std::int64_t>& offsets, const detail::memory_range& place) {
    if (place.argument == npos) return;
    if (place.argument >= offsets.size()) offsets.resize(place.argument + 1, std::int64_t{-1});
    offsets[place.argument] = place.offset;
  }
};

}  // namespace baton::ethos_u
