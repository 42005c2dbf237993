// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The call of a lowered module whose part is a constant, so that a backend's code can be compiled for it, as that of kernels is.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/core/tensor.hpp>
#include <baton/lower/shared/original_program.hpp>

#include <cstddef>
#include <span>

namespace baton {

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

}  // namespace baton
