// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The backend of Arm's Ethos-U accelerators, for models that Vela compiled.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/named_data.hpp>
#include <baton/backend/scratch_places.hpp>
#include <baton/backends/ethos_u/accelerator.hpp>
#include <baton/backends/ethos_u/detail/blob.hpp>
#include <baton/backends/ethos_u/detail/operation.hpp>
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

/// A delegate is one custom operator of Vela's. Its payload is the blob, its weights are named data, a view of the model; both lie in
/// read-only memory, once, at multiples of 16. Inputs and outputs lie in its scratch, where the commands find them; what lies elsewhere is
/// copied. `Board` is the accelerator that the model was compiled for, `Driver` runs it: `core_driver`, or a type of one's own.
/// Example: `baton::ethos_u::backend<baton::ethos_u::u55_128, baton::ethos_u::core_driver>`.
///
/// Rule, in the compiler: `refused_part`. Status of `init`: `delegate_invalid_compatibility`, a blob of another version or for another
/// accelerator; `invalid_program`, a damaged blob; `not_found` and `invalid_external_data`, no weights, or too few;
/// `delegate_memory_allocation_failed`, a blob or weights that are misaligned. Of `execute`: the last, of a scratch that is misaligned or
/// too small; `invalid_argument`, a blob for other arguments than those of the call; the driver's own.
template <accelerator Board, class Driver = no_driver>
  requires(require_driver<Driver>())
struct backend : detail::runner<Board, Driver> {
  static constexpr auto id = name<"EthosU">;
  static constexpr std::size_t blob_alignment = detail::alignment;
  static constexpr std::uint32_t argument_alignment = detail::alignment;

  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> result<preprocess_result> {
    const program_view program = part;
    if (program.root().nodes.size != 1) {
      return refuse_part("a delegate is one custom operator ethos-u, and the part has ", program.root().nodes.size, " nodes");
    }
    const auto& record = program.nodes_of(program.root())[0];
    const auto read = detail::read_operation(program, record, Board);
    if (!read) return read.error;
    preprocess_result made;
    made.processed_bytes = detail::make_blob(read.value, user_inputs_of(program, graph_id{0}), user_outputs_of(program, graph_id{0}));
    made.scratch_bytes = read.value.memory_bytes;
    if (read.value.weights_bytes != 0) {
      const auto bytes = program.data(program[read.value.weights].data);
      const auto key = key_of(bytes);
      const named_data_options how{.alignment = detail::alignment};
      const bool is_of_model = program[read.value.weights].data.outside != nullptr;
      if (auto why = is_of_model ? made.named_data.add_view(view(key), bytes, how) : made.named_data.add(view(key), bytes, how)) return why;
    }
    if (record.debug_handle != 0) made.debug_handle_map.push_back({0, {}, false, {record.debug_handle}});
    const auto board = name_of(Board);
    made.delegate_info = join(view(board), ", ", read.value.read.stream.size(), " bytes of commands, ", read.value.weights_bytes,
                              " of weights, ", read.value.memory_bytes, " of scratch");
    return made;
  }

  static constexpr auto places_in_scratch(const lowered_module_view& module) -> scratch_places {
    const auto bytes = module.processed_bytes();
    const detail::blob_view blob({bytes.data(), bytes.size()});
    scratch_places places;
    if (blob.check_form() != detail::blob_state::sound) return places;
    for (std::uint32_t i = 0; i < blob.inputs(); ++i) add(places.inputs, blob.input(i));
    for (std::uint32_t i = 0; i < blob.outputs(); ++i) add(places.outputs, blob.output(i));
    return places;
  }

 private:
  /// A name that other weights do not have by chance: hashing all of them would take the compiler too long. Where it happens, it is an
  /// error (`conflicting_named_data`).
  static constexpr auto key_of(span<const char> bytes) -> text_buffer {
    const auto sample = bytes.subspan(0, std::min<std::size_t>(bytes.size(), 1024));
    return join(view(named_data_store::content_key("ethos_u.weights", {sample.data(), sample.size()})), " of ", bytes.size());
  }
  static constexpr void add(vector<std::int64_t>& offsets, const detail::blob_place& place) {
    if (place.argument == npos) return;
    if (place.argument >= offsets.size()) offsets.resize(place.argument + 1, std::int64_t{-1});
    offsets[place.argument] = place.offset;
  }
};

}  // namespace baton::ethos_u
