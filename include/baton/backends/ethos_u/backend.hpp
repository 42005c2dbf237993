// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The backend of Arm's Ethos-U accelerators, for models that Vela compiled.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/named_data.hpp>
#include <baton/backends/ethos_u/accelerator.hpp>
#include <baton/backends/ethos_u/detail/blob.hpp>
#include <baton/backends/ethos_u/detail/operation.hpp>
#include <baton/backends/ethos_u/driver.hpp>
#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/npos.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/user_values.hpp>
#include <baton/run/backend_needs.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/status.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

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
struct backend {
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

  struct options {
    void* user_argument = nullptr;  ///< what the driver gives to `ethosu_inference_begin` and `ethosu_inference_end`
  };

  struct state {
    span<const char> weights;
  };

  static auto init(const init_context<options>& context, state& own) -> status
    requires driver<Driver>
  {
    const auto bytes = context.processed.bytes();
    const detail::blob_view blob(bytes);
    switch (blob.check()) {
      case detail::blob_state::sound:
        break;
      case detail::blob_state::of_another_version:
        return status::delegate_invalid_compatibility;
      case detail::blob_state::damaged:
        return status::invalid_program;
    }
    if (accelerator_of(blob.configuration()) != Board) return status::delegate_invalid_compatibility;
    if (!is_aligned(bytes.data())) return status::delegate_memory_allocation_failed;
    if (blob.weights_bytes() == 0) return status::ok;
    const auto found = context.named_data.own();
    if (found.empty()) return status::not_found;
    own.weights = found[0].bytes;
    if (own.weights.size() != blob.weights_bytes()) return status::invalid_external_data;
    return is_aligned(own.weights.data()) ? status::ok : status::delegate_memory_allocation_failed;
  }

  static auto execute(const execution_context<options>& call, state& own) -> status
    requires driver<Driver>
  {
    const detail::blob_view blob(call.blob);
    char* memory = call.scratch.data();
    if (call.scratch.size() < blob.memory_bytes() || !is_aligned(memory)) return status::delegate_memory_allocation_failed;
    if (!are_given(blob, call)) return status::invalid_argument;
    std::array<std::uint64_t, detail::region::most> bases{address_of(own.weights.data())};
    std::array<std::size_t, detail::region::most> sizes{own.weights.size()};
    const auto places = blob.places();
    for (std::uint32_t i = 0; i < places; ++i) {
      const auto place = blob.at(i);
      bases[1 + i] = address_of(memory + place.offset);
      sizes[1 + i] = place.bytes;
    }
    for (std::uint32_t i = 0; i < blob.inputs(); ++i) {
      const auto place = blob.input(i);
      const char* from = call.inputs[place.argument].data();
      if (from != memory + place.offset) std::memcpy(memory + place.offset, from, place.bytes);
    }
    const auto code = Driver::invoke({blob.payload_bytes(),
                                      {bases.data(), std::size_t{1} + places},
                                      {sizes.data(), std::size_t{1} + places},
                                      call.options.user_argument});
    if (code != status::ok) return code;
    for (std::uint32_t i = 0; i < blob.outputs(); ++i) {
      const auto place = blob.output(i);
      if (place.argument == npos) continue;
      char* to = call.outputs[place.argument].data();
      if (to != memory + place.offset) std::memcpy(to, memory + place.offset, place.bytes);
    }
    return status::ok;
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
  /// Whether the arguments of a call are those of a blob: one from outside may be of another revision of the model.
  static auto are_given(const detail::blob_view& blob, const execution_context<options>& call) -> bool {
    for (std::uint32_t i = 0; i < blob.inputs(); ++i) {
      const auto place = blob.input(i);
      if (place.argument >= call.inputs.size() || call.inputs[place.argument].size() != place.bytes) return false;
    }
    for (std::uint32_t i = 0; i < blob.outputs(); ++i) {
      const auto place = blob.output(i);
      if (place.argument == npos) continue;
      if (place.argument >= call.outputs.size() || call.outputs[place.argument].size() != place.bytes) return false;
    }
    return true;
  }
  static auto address_of(const char* at) -> std::uint64_t { return reinterpret_cast<std::uintptr_t>(at); }
  static auto is_aligned(const char* at) -> bool { return address_of(at) % detail::alignment == 0; }
};

}  // namespace baton::ethos_u
