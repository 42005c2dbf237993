// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A delegate call whose part is known at compile time, so that the code of a backend is compiled for the part.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/core/tensor.hpp>
#include <baton/lower/shared/original_program.hpp>

#include <cstddef>
#include <span>

namespace baton {

/// The parameter of an `execute` that is a template: `template <class Call> static void execute(const Call& call)`. The template is
/// instantiated once for each delegate. `Context` is an `execution_context` that can log events. `Module::view()` is the lowered module.
/// The executable image contains only those constants of the part that `execute` reads at run time.
template <class Module, class Context>
struct part_call : Context {
  // The members before `input` cost nothing at run time, because they are constants or consteval functions.

  /// The part that was passed to `preprocess`, as a `static_program`. Use it as `Call::program->nodes`, or as
  /// `baton::program_view part = Call::program;`.
  static constexpr static_original_program<Module> program{};
  /// Returns the lowered module, for use at compile time: its processed bytes (`processed_bytes()`), compile specs and debug handle map. At
  /// run time, use `call.processed_bytes` instead, because a loader may provide the processed bytes.
  static consteval auto module() -> lowered_module_view { return Module::view(); }

  /// `input_value(i)` returns the id of argument `i` in the part, `output_value(i)` the id of result `i`.
  static consteval auto input_value(std::size_t i) -> value_id { return user_inputs_of(program, graph_id{0})[i]; }
  static consteval auto output_value(std::size_t i) -> value_id { return user_outputs_of(program, graph_id{0})[i]; }
  /// `input_bytes(i)` returns the size of argument `i` in bytes, `output_bytes(i)` the size of result `i`.
  static consteval auto input_bytes(std::size_t i) -> std::size_t { return bytes_of(input_value(i)); }
  static consteval auto output_bytes(std::size_t i) -> std::size_t { return bytes_of(output_value(i)); }
  /// Returns the `i` for which `input_value(i)` is `id`, or the number of arguments if `id` is not an argument.
  static consteval auto argument_index(value_id id) -> std::size_t {
    const auto inputs = user_inputs_of(program, graph_id{0});
    std::size_t at = 0;
    while (at < inputs.size() && inputs[at] != id) ++at;
    return at;
  }

  /// Returns the bytes of argument `I`.
  template <std::size_t I>
  auto input() const {
    constexpr auto bytes = input_bytes(I);
    return std::span<const char, bytes>{this->inputs[I].data(), bytes};
  }
  /// Returns the bytes of result `I`.
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

}  // namespace baton
