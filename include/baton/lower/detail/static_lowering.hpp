// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lowers a program, or several methods together, at compile time. Each step of lowering is a stage: a callable that the compiler evaluates
// to a program, in a separate constant expression. Each part is lowered in a separate stage. A part is the nodes of a graph that become one
// delegate.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/shared/batch_backend.hpp>
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
#include <baton/lower/detail/lowering_steps.hpp>
#include <baton/lower/detail/partitioner_form.hpp>
#include <baton/lower/detail/static_parts.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/shared/part.hpp>
#include <baton/lower/shared/partitioner_lists.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/operators/verify.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// The step that tags a program (assigns nodes to parts). `backend_types` records the backends for which the program is lowered.
template <class List, class Name, class Partitioner, validation Checks>
struct tagging_step {
  using backend_types = List;
  constexpr auto operator()(const program_view& program) const -> result<exported_program> {
    auto tagged = partition_step(List{}, thaw(program), Partitioner{}, Checks);
    if (!tagged) return in_method(std::move(tagged.error), to_text(Name{}));
    return tagged;
  }
};

/// Returns `Model` if it is a static program. If `Model` is static methods, returns the program of the method `Name`.
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
/// this type to store equal processed bytes (the results of a backend's `preprocess`) of the methods once. For a single program, the class
/// is empty.
template <class Phase, lowered_as Kind = Phase::kind>
struct lowered_together {};
template <class Phase>
struct lowered_together<Phase, lowered_as::methods> {
  struct phase {
    using result = decltype(result_of<Phase>());
  };
};

/// The step that replaces parts by delegate calls, in the program of phase step `M`.
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

/// Fails with `conflicting_named_data` if two methods have different bytes for a key. For a single program, `assembly_step` has already
/// made this check.
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
  static constexpr bool are_parts_valid = (lowered_step<Phase, M>::type::stage_type::stages_are_valid && ...);
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

/// True if part `n` and an earlier part of the same method and backend both fail because `preprocess` is not a constant expression. One
/// message is enough, because most often the same line of `preprocess` causes both failures.
template <std::size_t Count>
constexpr auto repeats_earlier(const std::array<static_failure, Count>& failures, std::size_t n) -> bool {
  if (!failures[n].template is<"run_time_preprocess">()) return false;
  return std::any_of(failures.data(), failures.data() + n, [&](const static_failure& earlier) {
    return earlier.is<"run_time_preprocess">() && std::string_view(earlier.method) == std::string_view(failures[n].method) &&
           std::string_view(earlier.backend) == std::string_view(failures[n].backend);
  });
}

/// Stops the compiler with a message for each part that failed, without repetitions. This is a single function, because Clang lists each
/// instantiation between the call and the message.
template <class Phase, list_position At, std::size_t... N>
consteval void report_parts(std::index_sequence<N...>) {
  constexpr std::array<static_failure, sizeof...(N)> failures{why_not_lowered<Phase, N>()...};
  (require_no_failure<At.with_position(repeats_earlier(failures, N) ? static_failure{} : failures[N])>(), ...);
}

/// Returns an invalid program, or methods with invalid programs. Invalid programs cause no further diagnostics after an error has been
/// reported.
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
