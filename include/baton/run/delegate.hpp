// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a backend's `init` and `execute` are given.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/shared/original_program.hpp>
#include <baton/run/blob.hpp>
#include <baton/run/events.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace baton {

/// The call of a lowered module. Arguments stand in the order of the part's user inputs, outputs in that of its user outputs; sizes in
/// bytes. Constants among the arguments lie in read-only memory.
struct delegate_call {
  span<const char> blob;
  span<const span<const char>> inputs;
  span<const span<char>> outputs;
  span<char> scratch;  ///< as large as `preprocess` asked for; what is in it is lost after the call
};

/// The options of a backend that declares none.
struct no_options {};

/// A call, and what else a backend may want to know: `options` is the backend's own type, as it is set now.
template <class Options = no_options>
struct execution_context : delegate_call {
  std::string_view method;  ///< the name of the method: `forward`, where a program is no method of several
  const Options& options;

  constexpr execution_context(const delegate_call& call, std::string_view name, const Options& set)
      : delegate_call(call),
        method(name),
        options(set) {}
};

/// A compile spec as it lies in the image.
struct compile_spec_view {
  std::string_view key;
  std::string_view value;
};

/// What `init` learns of its delegate. Its blob may be kept, by address too, until `destroy`, or released at any time.
template <class Options = no_options>
struct init_context {
  blob& processed;
  span<const compile_spec_view> compile_specs;  ///< as `preprocess` had them
  std::string_view method;
  named_data_map named_data;
  const Options& options;
  /// For a backend that fails to set: the operation at which it does, by its identifier in the debug handle map.
  std::int64_t failed_operation = event_identifier::unset;

  constexpr init_context(blob& bytes, span<const compile_spec_view> specs, std::string_view name, named_data_map data, const Options& set)
      : processed(bytes),
        compile_specs(specs),
        method(name),
        named_data(data),
        options(set) {}
};

/// What a backend gets whose `execute` is a template: `template <class Call> static void execute(const Call& call)` is compiled once for
/// each of its delegates. `Context` is what else there is to know of a call, an `execution_context` that tells of events;
/// `Module::view()` is the lowered module. Of what is constant only what `execute` reads at run time is in the image.
template <class Module, class Context>
struct part_call : Context {
  // All of these are constants wherever they stand (consteval): none is computed on the target.

  /// The part as `preprocess` had it, a `static_program`: `Call::program->nodes`, or `baton::program_view part = Call::program;`.
  static constexpr static_original_program<Module> program{};
  /// The lowered module: its blob (`processed_bytes()`), compile specs and debug handle map, to compute with in the compiler. At run time
  /// the blob is `call.blob`, which a loader may have brought.
  static consteval auto module() -> lowered_module_view { return Module::view(); }

  /// The part's Ith user input and output, which are argument and result I, and how many bytes they have.
  static consteval auto input_value(std::size_t i) -> value_id { return user_inputs_of(program, graph_id{0})[i]; }
  static consteval auto output_value(std::size_t i) -> value_id { return user_outputs_of(program, graph_id{0})[i]; }
  static consteval auto input_bytes(std::size_t i) -> std::size_t { return bytes_of(input_value(i)); }
  static consteval auto output_bytes(std::size_t i) -> std::size_t { return bytes_of(output_value(i)); }
  /// Which argument a value of the part is; as many as there are, where it is none.
  static consteval auto input_place(value_id id) -> std::size_t {
    const auto inputs = user_inputs_of(program, graph_id{0});
    std::size_t at = 0;
    while (at < inputs.size() && inputs[at] != id) ++at;
    return at;
  }

  /// The bytes of argument I.
  template <std::size_t I>
  auto input() const {
    constexpr auto bytes = input_bytes(I);
    return std::span<const char, bytes>{this->inputs[I].data(), bytes};
  }
  /// The bytes of result I.
  template <std::size_t I>
  auto output() const {
    constexpr auto bytes = output_bytes(I);
    return std::span<char, bytes>{this->outputs[I].data(), bytes};
  }

 private:
  static consteval auto bytes_of(value_id id) -> std::size_t {
    const program_view part = program;
    return static_cast<std::size_t>(byte_count(part[id].type, part.shape(id)));
  }
};

/// Where in the scratch of a delegate its arguments and results would lie if nothing were copied: offsets in bytes, in the order of
/// arguments and of results; -1, and what is left out at the end: anywhere. Arguments do not overlap, nor do results.
struct scratch_places {
  vector<std::int64_t> inputs;
  vector<std::int64_t> outputs;
};

}  // namespace baton
