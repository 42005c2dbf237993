// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Programs that call lowered modules: what the original does by placing one in a model and exporting that again (R16, R121).
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/copy.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/lowered_module.hpp>
#include <baton/run/places.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace conformance {

/// Builds a program around lowered modules.
class wrapper {
 public:
  /// A lowered module of the program that is built; its source must stay.
  struct part {
    baton::lowered_module_view source;
    baton::delegate_id id;
  };

  baton::program_builder build;

  /// Takes a lowered module in, to be called any number of times.
  constexpr auto take(const baton::lowered_module_view& source) -> part {
    const auto here = build.current();
    baton::program_copier copier(source.program(), build);
    const auto id = copier.copy_delegate(source.program(), source.id());
    build.draft().delegates[index(id)].name = build.own(baton::view(baton::join("lowered_module_", index(id))));
    build.enter(here);
    return {source, id};
  }

  /// Calls it; the results are its user outputs.
  constexpr auto call(const part& called, std::span<const baton::value_id> arguments) -> std::vector<baton::value_id> {
    std::vector<baton::value_id> results;
    for (const auto output : baton::user_outputs_of(called.source.program(), called.source.original())) {
      results.push_back(build.add_value(like(called, output, baton::value_kind::intermediate)));
    }
    const auto number = calls_++;
    auto name = baton::join(baton::call_delegate.text);
    if (number != 0) baton::append(baton::append(name, "_"), static_cast<std::int64_t>(number));
    auto record = build.make_node(baton::view(name), baton::call_delegate.text);
    record.delegate = called.id;
    build.add_node(record, arguments, results);
    return results;
  }
  constexpr auto call(const part& called, std::initializer_list<baton::value_id> arguments) -> std::vector<baton::value_id> {
    return call(called, std::span<const baton::value_id>{arguments.begin(), arguments.size()});
  }

  /// User inputs of the built program like those of the module.
  constexpr auto inputs_of(const part& called) -> std::vector<baton::value_id> {
    std::vector<baton::value_id> inputs;
    for (const auto input : baton::user_inputs_of(called.source.program(), called.source.original())) {
      inputs.push_back(build.add_input(like(called, input, baton::value_kind::user_input)));
    }
    return inputs;
  }

 private:
  constexpr auto like(const part& called, baton::value_id id, baton::value_kind kind) -> baton::value {
    auto record = baton::program_copier(called.source.program(), build).record_of(id);
    record.kind = kind;
    record.data = {};
    return record;
  }

  std::size_t calls_ = 0;
};

/// The stand-alone program of a lowered module (R121): one delegate call.
constexpr auto stand_alone(const baton::lowered_module_view& module) -> baton::exported_program {
  wrapper around;
  const auto part = around.take(module);
  for (const auto output : around.call(part, around.inputs_of(part))) around.build.output(output);
  return around.build.finish();
}

/// What makes a static program that calls lowered modules, with the backends that the executor is to find.
template <auto Make, class... Backends>
struct wrapping {
  using backend_types = baton::backend_list<Backends...>;
  constexpr auto operator()() const { return Make(); }
};

}  // namespace conformance
