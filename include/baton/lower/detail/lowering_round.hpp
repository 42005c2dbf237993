// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lowers several methods together in the compiler: the same steps, each a constant of its own.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/named_data.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/validation.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/detail/batch.hpp>
#include <baton/lower/detail/lower_methods.hpp>
#include <baton/lower/detail/lowering_stages.hpp>
#include <baton/lower/detail/method_turns.hpp>
#include <baton/lower/lowering_steps.hpp>
#include <baton/lower/method_name.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/part.hpp>
#include <baton/lower/partitioners.hpp>
#include <baton/lower/program_named_data.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// One round of lowering: which methods, to which backends, tagged by what. `turns` stand in the order of the partitioners.
template <class List, class Methods, class Turns, validation Checks>
struct lowering_round;

/// The `M`th turn's program with tags.
template <class Round, std::size_t M>
struct turn_stage {
  static constexpr bool stages_are_whole = Round::template model<M>::is_whole;
  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (stages_are_whole) {
      auto made = partition_step(typename Round::list{}, thaw(Round::template model<M>::value()),
                                 partitioner_of(typename Round::template partitioner<M>{}), Round::checks);
      if (!made) made.error.method = join(Round::names[M]);
      return made;
    } else {
      return exported_program{};
    }
  }
};

/// A part of the `M`th turn's program, of a backend that preprocesses part by part.
template <class Round, std::size_t M, std::size_t Number>
struct turn_part_stage {
  using stage = part_stage<typename Round::list, typename Round::template tagged<M>, Number>;
  static constexpr bool stages_are_whole = stage::stages_are_whole;
  constexpr auto operator()() const -> result<exported_program> {
    auto made = stage{}();
    if (!made) made.error.method = join(Round::names[M]);
    return made;
  }
  static constexpr auto unevaluated() -> failure {
    auto why = stage::unevaluated();
    why.method = join(Round::names[M]);
    return why;
  }
};

/// All parts of a backend that preprocesses them at once. Errors: those of `batch_step`, `run_time_preprocess`,
/// `costly_preprocess`.
template <class Round, std::size_t Batch>
struct batch_stage {
  static constexpr bool stages_are_whole = true;
  static constexpr auto lowered() {
    const auto views = Round::views();
    return batch_step(typename Round::list{}, Round::names, views, batch_finder().run(views)[Batch], source_bytes::kept);
  }
  static constexpr auto can_lower() -> bool {
    static_cast<void>(lowered());
    return true;
  }
  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (requires { typename std::bool_constant<can_lower()>; }) {
      const auto made = lowered();
      if (!made) return made.error;
      return merged(made.value);
    } else {
      return broken_by_backend<rule::run_time_preprocess>(backend_id());
    }
  }
  static constexpr auto backend_id() -> std::string_view { return batch_finder().run(Round::views())[Batch].backend_id; }
  static constexpr auto unevaluated() -> failure { return broken_by_backend<rule::costly_preprocess>(backend_id()); }
};

/// Where the lowered module of a part comes out.
struct module_place {
  bool is_of_batch = false;
  std::uint32_t batch = 0;
  std::uint32_t member = 0;
};

/// Where every lowered module of a round comes out.
template <class Round>
struct module_places {
  /// By turn: the place of its first part in `places`; behind the last, how many parts there are in all.
  static constexpr auto first_part = [] {
    std::array<std::size_t, Round::count + 1> first{};
    const auto all = Round::views();
    for (std::size_t m = 0; m < Round::count; ++m) first[m + 1] = first[m] + parts_of(all[m]).size();
    return first;
  }();

  static constexpr auto places = [] {
    std::array<module_place, first_part[Round::count]> made{};
    const auto all = Round::views();
    const auto batches = batch_finder().run(all);
    for (std::uint32_t b = 0; b < batches.size(); ++b) {
      for (std::uint32_t i = 0; i < batches[b].members.size(); ++i) {
        const auto& member = batches[b].members[i];
        made[first_part[member.method] + member.number] = {Round::is_batch_backend(batches[b].backend_id), b, i};
      }
    }
    return made;
  }();
};

/// The lowered module of a part of the `M`th turn's program.
template <class Round, std::size_t M, std::size_t Number>
struct turn_module {
  static constexpr module_place place = module_places<Round>::places[module_places<Round>::first_part[M] + Number];
  using stage = typename std::conditional_t<place.is_of_batch, std::type_identity<static_program<batch_stage<Round, place.batch>>>,
                                            std::type_identity<static_program<turn_part_stage<Round, M, Number>>>>::type;

  static constexpr auto view() -> lowered_module_view {
    const program_view made = stage::value();
    return {made, place.is_of_batch ? made.nodes_of(made.root())[place.member].delegate : last_delegate(made)};
  }
};

/// The `M`th turn's program with delegate calls in the places of its parts.
template <class Round, std::size_t M>
struct method_stage {
  using backend_types = typename joined<typename backends_of<typename Round::template model<M>::make>::type, typename Round::list>::type;
  /// The methods that this one was lowered with.
  using round = Round;

  /// Calls `f` with the modules of all parts as template arguments.
  template <class F>
  static constexpr auto with_modules(F f) {
    using layout = module_places<Round>;
    return [&f]<std::size_t... I>(std::index_sequence<I...>) {
      return f.template operator()<turn_module<Round, M, I>...>();
    }(std::make_index_sequence<layout::first_part[M + 1] - layout::first_part[M]>{});
  }
  static constexpr bool stages_are_whole = with_modules([]<class... Modules>() { return (Modules::stage::is_whole && ...); });
  /// What kept a part from being lowered.
  static constexpr auto why() -> static_failure {
    return with_modules([]<class... Modules>() { return first_failure<typename Modules::stage...>(); });
  }

  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (stages_are_whole) {
      const auto modules = with_modules([]<class... Modules>() { return vector<lowered_module_view>{Modules::view()...}; });
      auto made = assembly_step(Round::template tagged<M>::value(), modules, source_bytes::kept, Round::checks);
      if (!made) made.error.method = join(Round::names[M]);
      name_method(made.value, Round::names[M]);
      return made;
    } else {
      return exported_program{};
    }
  }
};

template <class... Backends, class... Names, class... Makes, class... Of, class... Partitioners, validation Checks>
struct lowering_round<backend_list<Backends...>, static_methods<static_method<Names, Makes>...>, turns<turn<Of, Partitioners>...>, Checks> {
  using list = backend_list<Backends...>;
  using methods = static_methods<static_method<Names, Makes>...>;
  static constexpr auto checks = Checks;
  static constexpr std::size_t count = sizeof...(Of);
  static constexpr std::array<std::string_view, count> names{to_text(Of{})...};

  template <std::size_t M>
  using model = std::tuple_element_t<M, std::tuple<decltype(methods{}[Of{}])...>>;
  template <std::size_t M>
  using partitioner = std::tuple_element_t<M, std::tuple<Partitioners...>>;
  template <std::size_t M>
  using tagged = static_program<turn_stage<lowering_round, M>>;

  /// Whether every turn's program could be tagged.
  static constexpr bool is_tagged = []<std::size_t... M>(std::index_sequence<M...>) {
    return (tagged<M>::is_whole && ...);
  }(std::make_index_sequence<count>{});

  static constexpr auto views() -> std::array<program_view, count> {
    return []<std::size_t... M>(std::index_sequence<M...>) {
      return std::array<program_view, count>{tagged<M>::value()...};
    }(std::make_index_sequence<count>{});
  }

  static constexpr auto is_batch_backend(std::string_view id) -> bool {
    return ((batch_backend<Backends> && to_text(Backends::id) == id) || ...);
  }

  /// The turn of a method, `count` if it has none in this round.
  template <class Name>
  static constexpr std::size_t turn_of = [] {
    std::size_t at = 0;
    static_cast<void>(((std::is_same_v<Of, Name> || (++at, false)) || ...));
    return at;
  }();
  template <class Name, class Make>
  struct made_by {
    using type = method_stage<lowering_round, turn_of<Name>>;
  };
  template <class Name, class Make>
    requires(turn_of<Name> == count)
  struct made_by<Name, Make> {
    using type = Make;
  };
  /// The methods as they are after the round; those that had no turn are what they were.
  using result = static_methods<static_method<Names, typename made_by<Names, Makes>::type>...>;

  /// What kept a turn's program, or what was made from it, from being made.
  static constexpr auto why_not_tagged() -> static_failure {
    return []<std::size_t... M>(std::index_sequence<M...>) {
      return first_failure<model<M>..., tagged<M>...>();
    }(std::make_index_sequence<count>{});
  }
  static constexpr auto why_not_lowered() -> static_failure {
    static_failure first;
    []<std::size_t... M>(std::index_sequence<M...>, static_failure& why) {
      static_cast<void>(((why = method_stage<lowering_round, M>::why(), why.broken) || ...));
    }(std::make_index_sequence<count>{}, first);
    return first;
  }

  /// The lowered modules of a turn's parts.
  template <std::size_t M>
  static constexpr auto modules_of() -> vector<lowered_module_view> {
    return method_stage<lowering_round, M>::with_modules(
        []<class... Modules>() { return vector<lowered_module_view>{Modules::view()...}; });
  }
  /// What named data the methods disagree on: in the modules of this round, and in what they had before.
  static constexpr auto why_not_merged() -> static_failure {
    return []<std::size_t... M>(std::index_sequence<M...>) {
      const std::array<program_view, sizeof...(Names)> before{static_program<Makes>::value()...};
      const std::array<vector<lowered_module_view>, count> modules{modules_of<M>()...};
      named_data_store merged;
      for (std::size_t m = 0; m < before.size(); ++m) {
        if (auto why = merge_named_data(merged, before[m], reach::branches)) return in_method(std::move(why), methods::names[m]);
      }
      for (std::size_t m = 0; m < count; ++m) {
        for (const auto& module : modules[m]) {
          if (auto why = merge_named_data(merged, module)) return in_method(std::move(why), names[m]);
        }
      }
      return static_failure{};
    }(std::make_index_sequence<count>{});
  }
  static constexpr auto in_method(failure why, std::string_view method) -> static_failure {
    why.method = join(method);
    return static_failure{why};
  }
};

/// Lowers static methods round by round, from this round on.
template <std::size_t Round, class List, class Methods, class Partitioners, validation Checks>
constexpr auto lower_static_methods() {
  if constexpr (Round == rounds_of<Partitioners>) {
    return Methods{};
  } else {
    using round = lowering_round<List, Methods, typename turns_of<Round, Methods, Partitioners>::type, Checks>;
    constexpr list_place at{Round, listed_partitioners<Partitioners>};
    if constexpr (!round::is_tagged) {
      require_unbroken<at.told(round::why_not_tagged())>();
      return Methods{};
    } else {
      constexpr auto why = at.told(round::why_not_lowered());
      require_unbroken<why>();
      if constexpr (why.broken) {
        return Methods{};
      } else {
        require_unbroken<at.told(round::why_not_merged())>();
        return lower_static_methods<Round + 1, List, typename round::result, Partitioners, Checks>();
      }
    }
  }
}

}  // namespace baton::detail
