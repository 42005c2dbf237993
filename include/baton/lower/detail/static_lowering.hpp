// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lowers a program, or several methods together, at compile time. Each step of lowering is a stage, and each part is lowered in a separate
// stage. The compiler evaluates each stage as a separate constant expression.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/shared/batch_backend.hpp>
#include <baton/backend/shared/last_delegate.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/first_failure.hpp>
#include <baton/core/shared/invalid_program.hpp>
#include <baton/core/shared/is_static_program.hpp>
#include <baton/core/shared/stage.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/copy.hpp>
#include <baton/lower/detail/batch.hpp>
#include <baton/lower/detail/computed_bytes.hpp>
#include <baton/lower/detail/constant_preprocess.hpp>
#include <baton/lower/detail/lowering_steps.hpp>
#include <baton/lower/detail/partitioner_form.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/shared/part.hpp>
#include <baton/lower/shared/partitioner_lists.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/operators/verify.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// The step that tags a program. `backend_types` records the backends for which the program is lowered.
template <class List, class Name, class Partitioner, validation Checks>
struct tagging_step {
  using backend_types = List;
  constexpr auto operator()(const program_view& program) const -> result<exported_program> {
    auto tagged = partition_step(List{}, thaw(program), Partitioner{}, Checks);
    if (!tagged) return in_method(std::move(tagged.error), to_text(Name{}));
    return tagged;
  }
};

/// The parts of a tagged program, computed once.
template <class Tagged>
struct static_parts {
  static constexpr auto count = parts_of(Tagged::value()).size();
  static constexpr auto ids = [] {
    std::array<part_id, count> result{};
    const auto parts = parts_of(Tagged::value());
    for (std::size_t i = 0; i < count; ++i) result[i] = parts[i];
    return result;
  }();
};

/// The arguments of `preprocess` for part `I` of a tagged program.
template <class Tagged, std::size_t I>
struct part_input {
  static constexpr part_id id = static_parts<Tagged>::ids[I];
  static constexpr auto backend_id() -> std::string_view {
    const program_view tagged = Tagged::value();
    return tagged.text(tagged[id.tag].backend_id);
  }
  static constexpr auto cut() -> cut_part {
    part_cutter cutter(Tagged::value(), source_bytes::kept);
    return cut_step(cutter, Tagged::value(), boundary_of(Tagged::value(), id)).value;
  }
  static constexpr auto part() -> exported_program { return cut().program; }
  static constexpr auto specs() -> compile_specs { return cut().specs; }
};

/// The step that lowers part `I` of a tagged program. Fails as `lower_each` does, and with `run_time_preprocess` or `costly_preprocess`
/// (see `can_preprocess`).
template <class List, class Name, class Tagged, std::size_t I>
struct part_step {
  constexpr auto operator()(const program_view& program) const -> result<exported_program> {
    using input = part_input<Tagged, I>;
    const tagged_method tagged{to_text(Name{}), program};
    if constexpr (can_preprocess<List, input>()) {
      const batch_member part{0, static_cast<std::uint32_t>(I), input::id};
      auto lowered = lower_each(List{}, {&tagged, 1}, {&part, 1}, source_bytes::kept);
      if (!lowered) return std::move(lowered.error);
      return std::move(lowered.value.front());
    } else {
      return in_method(with_tag_of(broken_by_backend<"run_time_preprocess">(input::backend_id()), program, input::id.tag), tagged.name);
    }
  }
  static constexpr auto unevaluated() -> failure {
    using input = part_input<Tagged, I>;
    return in_method(with_tag_of(broken_by_backend<"costly_preprocess">(input::backend_id()), Tagged::value(), input::id.tag),
                     to_text(Name{}));
  }
};

/// The step that lowers all parts of a backend with one call of `preprocess_multimethod`. Fails as `batch_step` does, and with
/// `run_time_preprocess` or `costly_preprocess` (see `is_constant`).
template <class Phase, std::size_t Batch>
struct all_parts_step {
  static constexpr auto lowered() {
    const auto tagged = Phase::tagged_methods();
    return batch_step(typename Phase::list{}, tagged, batch_finder().run(tagged)[Batch], source_bytes::kept);
  }
  /// Lowers the parts and returns true. Used to test whether lowering the batch is a constant expression.
  static constexpr auto can_lower() -> bool {
    static_cast<void>(lowered());
    return true;
  }
  /// Preprocesses the shrunk parts (see `shrunk`), and returns true. If `can_lower` is not a constant expression, this function shows
  /// whether the size of the parts is the reason.
  static constexpr auto can_lower_shrunk() -> bool {
    const auto tagged = Phase::tagged_methods();
    auto cut = cut_batch_step(tagged, batch_finder().run(tagged)[Batch], source_bytes::kept).value;
    for (auto& each : cut.parts.entries) {
      for (auto& part : each.parts) part = shrunk(std::move(part));
    }
    using list = typename Phase::list;
    static_cast<void>(list::template at<list::position_of(backend_id())>::preprocess_multimethod(cut.parts, cut.specs));
    return true;
  }
  /// True if the step is a constant expression for the parts, or for the shrunk parts. If the step is a constant expression only for the
  /// shrunk parts, the compiler reports the limit that the original parts exceed.
  static constexpr auto is_constant() -> bool {
    if constexpr (requires { typename std::bool_constant<can_lower()>; }) {
      return true;
    } else {
      return requires { typename std::bool_constant<can_lower_shrunk()>; };
    }
  }
  template <class... Views>
  constexpr auto operator()(const Views&...) const -> result<exported_program> {
    if constexpr (is_constant()) {
      const auto results = lowered();
      if (!results) return results.error;
      return merged(results.value);
    } else {
      return broken_by_batch<"run_time_preprocess">();
    }
  }
  template <fixed_string Rule>
  static constexpr auto broken_by_batch() -> failure {
    auto why = broken_by_backend<Rule>(backend_id());
    why.reason = {};  // this reason recommends `preprocess_is_constant`, which does not check `preprocess_multimethod`
    return why;
  }
  static constexpr auto backend_id() -> std::string_view { return batch_finder().run(Phase::tagged_methods())[Batch].backend_id; }
  static constexpr auto unevaluated() -> failure { return broken_by_batch<"costly_preprocess">(); }
};

/// The location of a part's lowered module. If `is_of_batch`, the module is the delegate of node `member` in the program of batch `batch`.
/// If `is_of_batch` is false, the module is the last delegate of a program for this part alone.
struct module_position {
  bool is_of_batch = false;
  std::uint32_t batch = 0;
  std::uint32_t member = 0;
};

/// The locations of the lowered modules of a phase, indexed by phase step, then by part number.
template <class Phase>
struct module_positions {
  static constexpr auto first_part = [] {
    std::array<std::size_t, Phase::count + 1> first{};
    for (std::size_t m = 0; m < Phase::count; ++m) first[m + 1] = first[m] + Phase::part_counts[m];
    return first;
  }();
  static constexpr auto positions = [] {
    std::array<module_position, first_part[Phase::count]> result{};
    const auto batches = batch_finder().run(Phase::tagged_methods());
    for (std::uint32_t b = 0; b < batches.size(); ++b) {
      for (std::uint32_t i = 0; i < batches[b].members.size(); ++i) {
        const auto& member = batches[b].members[i];
        result[first_part[member.method] + member.number] = {Phase::is_batch_backend(batches[b].backend_id), b, i};
      }
    }
    return result;
  }();
};

/// The lowered module of part `Number` in the program of phase step `M`.
template <class Phase, std::size_t M, std::size_t Number>
struct step_module {
  static constexpr auto position() -> module_position {
    if constexpr (Phase::has_batches) {
      return module_positions<Phase>::positions[module_positions<Phase>::first_part[M] + Number];
    } else {
      return {};
    }
  }
  static constexpr auto lowered() {
    using tagged = typename Phase::template tagged<M>;
    if constexpr (position().is_of_batch) {
      return computed_bytes<typename Phase::template from_all_tagged<all_parts_step<Phase, position().batch>>>();
    } else {
      return computed_bytes<
          static_program<stage<part_step<typename Phase::list, typename Phase::template name<M>, tagged, Number>, tagged>>>();
    }
  }
  using program = decltype(lowered());

  static constexpr auto view() -> lowered_module_view {
    const program_view lowered_program = program::value();
    return {lowered_program, position().is_of_batch ? lowered_program.nodes_of(lowered_program.root())[position().member].delegate
                                                    : last_delegate(lowered_program)};
  }
};

/// Returns the static program to which a phase step applies. `Model` is a static program or static methods.
template <class Model, class Name>
constexpr auto program_of() {
  if constexpr (is_static_program<Model>) {
    return Model{};
  } else {
    return Model{}[Name{}];
  }
}

/// One phase at compile time (see `partitioner_form.hpp`): the phase steps `Steps`, applied to `Input`, which is a static program or static
/// methods. `lowering_phase` is the counterpart at run time.
template <class List, class Input, class Steps, validation Checks>
struct static_phase;
template <class... Backends, class Input, class... Names, class... Partitioners, validation Checks>
struct static_phase<backend_list<Backends...>, Input, std::tuple<phase_step<Names, Partitioners>...>, Checks> {
  using list = backend_list<Backends...>;
  using input = Input;
  static constexpr auto checks = Checks;
  static constexpr auto kind = is_static_program<Input> ? lowered_as::program : lowered_as::methods;
  static constexpr std::size_t count = sizeof...(Names);
  static constexpr std::array<std::string_view, count> names{to_text(Names{})...};
  static constexpr bool has_batches = kind == lowered_as::methods && (batch_backend<Backends> || ...);

  template <std::size_t M>
  using name = std::tuple_element_t<M, std::tuple<Names...>>;
  template <std::size_t M>
  using model = decltype(program_of<Input, name<M>>());
  template <class Name, class Partitioner>
  using tagged_by = static_program<stage<tagging_step<list, Name, Partitioner, Checks>, decltype(program_of<Input, Name>())>>;
  template <std::size_t M>
  using tagged = std::tuple_element_t<M, std::tuple<tagged_by<Names, Partitioners>...>>;
  template <class Step>
  using from_all_tagged = static_program<stage<Step, tagged_by<Names, Partitioners>...>>;

  /// True if the programs of all phase steps could be tagged.
  static constexpr bool is_tagged = (tagged_by<Names, Partitioners>::is_valid && ...);

  static constexpr auto tagged_methods() -> std::array<tagged_method, count> {
    return {tagged_method{to_text(Names{}), tagged_by<Names, Partitioners>::value()}...};
  }
  template <class Tagged>
  static constexpr auto count_parts() -> std::size_t {
    if constexpr (is_tagged) return static_parts<Tagged>::count;
    return 0;
  }
  static constexpr std::array<std::size_t, count> part_counts{count_parts<tagged_by<Names, Partitioners>>()...};
  /// The index of the phase step of method `Name`, or `count` if the method has no step in this phase.
  template <class Name>
  static constexpr std::size_t step_of = [] {
    std::size_t at = 0;
    static_cast<void>(((std::is_same_v<Names, Name> || (++at, false)) || ...));
    return at;
  }();
  static constexpr auto is_batch_backend(std::string_view id) -> bool {
    return ((batch_backend<Backends> && to_text(Backends::id) == id) || ...);
  }
};

template <class Phase>
constexpr auto result_of();

/// A base class of `calls_step`. For methods, `phase::result` is the type of all methods after the phase. `stored_processed_bytes.hpp` uses
/// this type to store equal processed bytes of the methods once. For a single program, the class is empty.
template <class Phase, lowered_as Kind = Phase::kind>
struct lowered_together {};
template <class Phase>
struct lowered_together<Phase, lowered_as::methods> {
  struct phase {
    using result = decltype(result_of<Phase>());
  };
};

/// The step that replaces the parts of the program of phase step `M` by delegate calls.
template <class Phase, std::size_t M, class... Modules>
struct calls_step : lowered_together<Phase> {
  template <class... Lowered>
  constexpr auto operator()(const program_view& tagged, const Lowered&...) const -> result<exported_program> {
    const vector<lowered_module_view> modules{Modules::view()...};
    return assembly_step(Phase::kind, {Phase::names[M], tagged}, modules, source_bytes::kept, Phase::checks);
  }
};

/// The lowered program of phase step `M`.
template <class Phase, std::size_t M, class Parts = std::make_index_sequence<Phase::part_counts[M]>>
struct lowered_step;
template <class Phase, std::size_t M, std::size_t... I>
struct lowered_step<Phase, M, std::index_sequence<I...>> {
  using type = static_program<stage<calls_step<Phase, M, step_module<Phase, M, I>...>, typename Phase::template tagged<M>,
                                    typename step_module<Phase, M, I>::program...>>;
};

/// Returns the program or the methods after a phase. Methods without a phase step do not change.
template <class Phase>
constexpr auto result_of() {
  if constexpr (Phase::kind == lowered_as::program) {
    return typename lowered_step<Phase, 0>::type{};
  } else {
    return typename Phase::input{}.with_programs([](auto name, auto program) {
      constexpr auto at = Phase::template step_of<decltype(name)>;
      if constexpr (at == Phase::count) {
        return program;
      } else {
        return typename lowered_step<Phase, at>::type{};
      }
    });
  }
}

/// Fails with `conflicting_named_data` if two methods have different bytes for a key. A single program has been checked by `assembly_step`.
template <class Stage>
constexpr auto named_data_failure(static_program<Stage>) -> static_failure {
  return {};
}
template <class... Names, class... Stages>
constexpr auto named_data_failure(static_methods<static_method<Names, Stages>...>) -> static_failure {
  const std::array<tagged_method, sizeof...(Names)> methods{tagged_method{to_text(Names{}), static_program<Stages>::value()}...};
  return static_failure{check_named_data_of_methods(methods)};
}

/// The outcome of a phase: whether its stages are valid, and the failures of invalid stages.
template <class Phase, class Steps = std::make_index_sequence<Phase::count>>
struct phase_outcome;
template <class Phase, std::size_t... M>
struct phase_outcome<Phase, std::index_sequence<M...>> {
  static constexpr bool are_parts_valid = (stages_are_valid<typename lowered_step<Phase, M>::type::stage_type> && ...);
  static constexpr bool is_valid = Phase::is_tagged && (lowered_step<Phase, M>::type::is_valid && ...);
  static constexpr std::size_t part_count = (Phase::part_counts[M] + ...);
  static constexpr auto why_not_tagged() -> static_failure {
    return first_failure<typename Phase::template model<M>..., typename Phase::template tagged<M>...>();
  }
  static constexpr auto why_not_assembled() -> static_failure { return first_failure<typename lowered_step<Phase, M>::type...>(); }
};

/// Returns the failure of part `N`. The parts of all phase steps are numbered consecutively.
template <class Phase, std::size_t N, std::size_t M = 0>
constexpr auto why_not_lowered() -> static_failure {
  if constexpr (N < Phase::part_counts[M]) {
    return first_failure<typename step_module<Phase, M, N>::program>();
  } else {
    return why_not_lowered<Phase, N - Phase::part_counts[M], M + 1>();
  }
}

/// Stops the compiler with a message for each part that failed. This is a single function, because Clang lists each instantiation between
/// the call and the message.
template <class Phase, list_position At, std::size_t... N>
consteval void report_parts(std::index_sequence<N...>) {
  (require_no_failure<At.with_position(why_not_lowered<Phase, N>())>(), ...);
}

/// Returns an invalid program, or methods with invalid programs. They cause no further diagnostics after an error has been reported.
template <class Stage>
constexpr auto invalid_result(static_program<Stage> program) {
  return invalid_program(program);
}
template <class... Methods>
constexpr auto invalid_result(static_methods<Methods...>) {
  return static_methods<Methods...>::with_programs([](auto, auto program) { return invalid_program(program); });
}

/// Applies phase `Phase` and all later phases. If a phase fails, reports the failure, and returns an invalid program or methods with
/// invalid programs.
template <std::size_t Phase, class List, class Input, class Partitioners, validation Checks>
constexpr auto lower_static() {
  if constexpr (Phase == partitioner_form<Partitioners>::phases) {
    return Input{};
  } else {
    using phase = static_phase<List, Input, typename partitioner_form<Partitioners>::template steps<Phase, Input>, Checks>;
    using phase_result = phase_outcome<phase>;
    using result = decltype(result_of<phase>());
    constexpr list_position at{Phase, partitioner_form<Partitioners>::list_size};
    if constexpr (!phase::is_tagged) {
      require_no_failure<at.with_position(phase_result::why_not_tagged())>();
    } else if constexpr (!phase_result::are_parts_valid) {
      report_parts<phase, at>(std::make_index_sequence<phase_result::part_count>{});
    } else if constexpr (!phase_result::is_valid) {
      require_no_failure<at.with_position(phase_result::why_not_assembled())>();
    }
    if constexpr (!phase_result::is_valid) {
      return result{};
    } else if constexpr (constexpr auto why = at.with_position(named_data_failure(result{})); why.is_set) {
      require_no_failure<why>();
      return invalid_result(result{});
    } else {
      return lower_static<Phase + 1, List, result, Partitioners, Checks>();
    }
  }
}

}  // namespace baton::detail
