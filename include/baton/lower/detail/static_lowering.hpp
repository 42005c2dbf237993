// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lowers a program, or methods together, in the compiler: the steps of lowering as stages, so that each, and each part, is a constant of
// its own.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/shared/batch_backend.hpp>
#include <baton/backend/shared/last_delegate.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/first_failure.hpp>
#include <baton/core/shared/is_static_program.hpp>
#include <baton/core/shared/stage.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/copy.hpp>
#include <baton/lower/detail/batch.hpp>
#include <baton/lower/detail/computed_blobs.hpp>
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

/// Tags a program, which gets the backends that it is lowered for.
template <class List, class Name, class Partitioner, validation Checks>
struct tagging_step {
  using backend_types = List;
  constexpr auto operator()(const program_view& program) const -> result<exported_program> {
    auto made = partition_step(List{}, thaw(program), Partitioner{}, Checks);
    if (!made) return in_method(std::move(made.error), to_text(Name{}));
    return made;
  }
};

/// The parts of a tagged program, looked for once.
template <class Tagged>
struct static_parts {
  static constexpr auto count = parts_of(Tagged::value()).size();
  static constexpr auto ids = [] {
    std::array<part_id, count> found{};
    const auto parts = parts_of(Tagged::value());
    for (std::size_t i = 0; i < count; ++i) found[i] = parts[i];
    return found;
  }();
};

/// A part of a tagged program as its backend gets it.
template <class Tagged, std::size_t I>
struct part_given {
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

/// Lowers a part of a tagged program. Errors: those of `lower_each`, `run_time_preprocess`, `costly_preprocess`.
template <class List, class Name, class Tagged, std::size_t I>
struct part_step {
  constexpr auto operator()(const program_view& program) const -> result<exported_program> {
    using given = part_given<Tagged, I>;
    const tagged_method tagged{to_text(Name{}), program};
    if constexpr (can_preprocess<List, given>()) {
      const batch_member part{0, static_cast<std::uint32_t>(I), given::id};
      auto made = lower_each(List{}, {&tagged, 1}, {&part, 1}, source_bytes::kept);
      if (!made) return std::move(made.error);
      return std::move(made.value.front());
    } else {
      return in_method(with_tag_of(broken_by_backend<"run_time_preprocess">(given::backend_id()), program, given::id.tag), tagged.name);
    }
  }
  static constexpr auto unevaluated() -> failure {
    using given = part_given<Tagged, I>;
    return in_method(with_tag_of(broken_by_backend<"costly_preprocess">(given::backend_id()), Tagged::value(), given::id.tag),
                     to_text(Name{}));
  }
};

/// Lowers all parts of a backend that preprocesses them at once. Errors: those of `batch_step`, `run_time_preprocess`, `costly_preprocess`.
template <class Phase, std::size_t Batch>
struct all_parts_step {
  static constexpr auto lowered() {
    const auto tagged = Phase::tagged_methods();
    return batch_step(typename Phase::list{}, tagged, batch_finder().run(tagged)[Batch], source_bytes::kept);
  }
  static constexpr auto can_lower() -> bool {
    static_cast<void>(lowered());
    return true;
  }
  /// Has the backend preprocess the parts with every size 1.
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
  /// Whether the compiler can evaluate it, or says itself that the parts are too large.
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
      const auto made = lowered();
      if (!made) return made.error;
      return merged(made.value);
    } else {
      return broken_by_batch<"run_time_preprocess">();
    }
  }
  template <fixed_string Rule>
  static constexpr auto broken_by_batch() -> failure {
    auto why = broken_by_backend<Rule>(backend_id());
    why.reason = {};  // `preprocess_is_constant` calls `preprocess`, not what is at fault here
    return why;
  }
  static constexpr auto backend_id() -> std::string_view { return batch_finder().run(Phase::tagged_methods())[Batch].backend_id; }
  static constexpr auto unevaluated() -> failure { return broken_by_batch<"costly_preprocess">(); }
};

/// Where the lowered module of a part comes out.
struct module_position {
  bool is_of_batch = false;
  std::uint32_t batch = 0;
  std::uint32_t member = 0;
};

/// Where the lowered modules of methods come out: of each step, by the position of the part.
template <class Phase>
struct module_positions {
  static constexpr auto first_part = [] {
    std::array<std::size_t, Phase::count + 1> first{};
    for (std::size_t m = 0; m < Phase::count; ++m) first[m + 1] = first[m] + Phase::part_counts[m];
    return first;
  }();
  static constexpr auto positions = [] {
    std::array<module_position, first_part[Phase::count]> made{};
    const auto batches = batch_finder().run(Phase::tagged_methods());
    for (std::uint32_t b = 0; b < batches.size(); ++b) {
      for (std::uint32_t i = 0; i < batches[b].members.size(); ++i) {
        const auto& member = batches[b].members[i];
        made[first_part[member.method] + member.number] = {Phase::is_batch_backend(batches[b].backend_id), b, i};
      }
    }
    return made;
  }();
};

/// The lowered module of a part of the `M`th phase step's program.
template <class Phase, std::size_t M, std::size_t Number>
struct step_module {
  static constexpr auto position() -> module_position {
    if constexpr (Phase::has_batches) {
      return module_positions<Phase>::positions[module_positions<Phase>::first_part[M] + Number];
    } else {
      return {};
    }
  }
  static constexpr auto made() {
    using tagged = typename Phase::template tagged<M>;
    if constexpr (position().is_of_batch) {
      return computed_blobs<typename Phase::template from_all_tagged<all_parts_step<Phase, position().batch>>>();
    } else {
      return computed_blobs<
          static_program<stage<part_step<typename Phase::list, typename Phase::template name<M>, tagged, Number>, tagged>>>();
    }
  }
  using program = decltype(made());

  static constexpr auto view() -> lowered_module_view {
    const program_view made = program::value();
    return {made, position().is_of_batch ? made.nodes_of(made.root())[position().member].delegate : last_delegate(made)};
  }
};

/// The program of a phase step, among what is lowered.
template <class Given, class Name>
constexpr auto program_of() {
  if constexpr (is_static_program<Given>) {
    return Given{};
  } else {
    return Given{}[Name{}];
  }
}

/// One phase in the compiler, of a static program or of static methods. Its counterpart at run time is `lowering_phase`.
template <class List, class Given, class Steps, validation Checks>
struct static_phase;
template <class... Backends, class Given, class... Names, class... Partitioners, validation Checks>
struct static_phase<backend_list<Backends...>, Given, std::tuple<phase_step<Names, Partitioners>...>, Checks> {
  using list = backend_list<Backends...>;
  using given = Given;
  static constexpr auto checks = Checks;
  static constexpr auto what = is_static_program<Given> ? lowered_as::program : lowered_as::methods;
  static constexpr std::size_t count = sizeof...(Names);
  static constexpr std::array<std::string_view, count> names{to_text(Names{})...};
  static constexpr bool has_batches = what == lowered_as::methods && (batch_backend<Backends> || ...);

  template <std::size_t M>
  using name = std::tuple_element_t<M, std::tuple<Names...>>;
  template <std::size_t M>
  using model = decltype(program_of<Given, name<M>>());
  template <class Name, class Partitioner>
  using tagged_by = static_program<stage<tagging_step<list, Name, Partitioner, Checks>, decltype(program_of<Given, Name>())>>;
  template <std::size_t M>
  using tagged = std::tuple_element_t<M, std::tuple<tagged_by<Names, Partitioners>...>>;
  template <class Step>
  using from_all_tagged = static_program<stage<Step, tagged_by<Names, Partitioners>...>>;

  /// Whether every phase step's program could be tagged.
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
  /// The phase step of a method, `count` if it has none in this phase.
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

/// What a method says of itself: what it was lowered with. A program that is lowered alone says nothing.
template <class Phase, lowered_as What = Phase::what>
struct lowered_together {};
template <class Phase>
struct lowered_together<Phase, lowered_as::methods> {
  struct phase {
    using result = decltype(result_of<Phase>());
  };
};

/// Puts delegate calls in place of the parts of the `M`th phase step's program.
template <class Phase, std::size_t M, class... Modules>
struct calls_step : lowered_together<Phase> {
  template <class... Lowered>
  constexpr auto operator()(const program_view& tagged, const Lowered&...) const -> result<exported_program> {
    const vector<lowered_module_view> modules{Modules::view()...};
    return assembly_step(Phase::what, {Phase::names[M], tagged}, modules, source_bytes::kept, Phase::checks);
  }
};

/// The `M`th phase step's program as the phase leaves it.
template <class Phase, std::size_t M, class Parts = std::make_index_sequence<Phase::part_counts[M]>>
struct lowered_step;
template <class Phase, std::size_t M, std::size_t... I>
struct lowered_step<Phase, M, std::index_sequence<I...>> {
  using type = static_program<stage<calls_step<Phase, M, step_module<Phase, M, I>...>, typename Phase::template tagged<M>,
                                    typename step_module<Phase, M, I>::program...>>;
};

/// What a phase was given, as it is after it; methods that had no step are what they were.
template <class Phase>
constexpr auto result_of() {
  if constexpr (Phase::what == lowered_as::program) {
    return typename lowered_step<Phase, 0>::type{};
  } else {
    return typename Phase::given{}.with_programs([](auto name, auto program) {
      constexpr auto at = Phase::template step_of<decltype(name)>;
      if constexpr (at == Phase::count) {
        return program;
      } else {
        return typename lowered_step<Phase, at>::type{};
      }
    });
  }
}

/// What named data the methods disagree on.
template <class... Names, class... Makes>
constexpr auto named_data_failure(static_methods<static_method<Names, Makes>...>) -> static_failure {
  const std::array<tagged_method, sizeof...(Names)> methods{tagged_method{to_text(Names{}), static_program<Makes>::value()}...};
  return static_failure{check_named_data_of_methods(methods)};
}

/// How far a phase came, and what kept it from coming farther.
template <class Phase, class Steps = std::make_index_sequence<Phase::count>>
struct phase_outcome;
template <class Phase, std::size_t... M>
struct phase_outcome<Phase, std::index_sequence<M...>> {
  static constexpr bool are_parts_whole = (stages_are_valid<typename lowered_step<Phase, M>::type::make> && ...);
  static constexpr bool is_valid = Phase::is_tagged && (lowered_step<Phase, M>::type::is_valid && ...);
  static constexpr std::size_t part_count = (Phase::part_counts[M] + ...);
  static constexpr auto why_not_tagged() -> static_failure {
    return first_failure<typename Phase::template model<M>..., typename Phase::template tagged<M>...>();
  }
  static constexpr auto why_not_assembled() -> static_failure { return first_failure<typename lowered_step<Phase, M>::type...>(); }
};

/// What kept the `N`th of the parts of all phase steps from being lowered.
template <class Phase, std::size_t N, std::size_t M = 0>
constexpr auto why_not_lowered() -> static_failure {
  if constexpr (N < Phase::part_counts[M]) {
    return first_failure<typename step_module<Phase, M, N>::program>();
  } else {
    return why_not_lowered<Phase, N - Phase::part_counts[M], M + 1>();
  }
}

/// Stops the compiler with the sentence of every part that failed. In one function: Clang tells the way to the sentence, step by step.
template <class Phase, list_position At, std::size_t... N>
consteval void report_parts(std::index_sequence<N...>) {
  (require_unbroken<At.with_position(why_not_lowered<Phase, N>())>(), ...);
}

/// Lowers phase by phase, from this phase on; after a mistake, which has been reported, the result is not valid.
template <std::size_t Phase, class List, class Given, class Partitioners, validation Checks>
constexpr auto lower_static() {
  if constexpr (Phase == partitioner_form<Partitioners>::phases) {
    return Given{};
  } else {
    using phase = static_phase<List, Given, typename partitioner_form<Partitioners>::template steps<Phase, Given>, Checks>;
    using reached = phase_outcome<phase>;
    using result = decltype(result_of<phase>());
    constexpr list_position at{Phase, partitioner_form<Partitioners>::listed};
    if constexpr (!phase::is_tagged) {
      require_unbroken<at.with_position(reached::why_not_tagged())>();
    } else if constexpr (!reached::are_parts_whole) {
      report_parts<phase, at>(std::make_index_sequence<reached::part_count>{});
    } else if constexpr (!reached::is_valid) {
      require_unbroken<at.with_position(reached::why_not_assembled())>();
    } else if constexpr (phase::what == lowered_as::methods) {
      constexpr auto why = at.with_position(named_data_failure(result{}));
      require_unbroken<why>();
    }
    if constexpr (reached::is_valid) {
      return lower_static<Phase + 1, List, result, Partitioners, Checks>();
    } else {
      return result{};
    }
  }
}

}  // namespace baton::detail
