// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The steps of lowering as constants of the compiler: every step, and every part, is one of its own.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/validation.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/detail/constant_preprocess.hpp>
#include <baton/lower/detail/lower_by_id.hpp>
#include <baton/lower/lowering_steps.hpp>
#include <baton/lower/part.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/delegation_spec.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

namespace detail {

/// A partitioner without state, or what a callable without state makes.
template <class Given>
constexpr auto partitioner_of(Given given) {
  if constexpr (std::is_invocable_v<Given>) {
    return given();
  } else {
    return given;
  }
}

/// A static program with tags.
template <class List, class Model, class Partitioner, validation Checks>
struct partition_stage {
  static constexpr bool stages_are_whole = Model::is_whole;
  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (stages_are_whole) {
      return partition_step(List{}, thaw(Model::value()), partitioner_of(Partitioner{}), Checks);
    } else {
      return exported_program{};
    }
  }
};

/// A part of a tagged program as its backend gets it.
template <class Tagged, std::size_t I>
struct part_given {
  static constexpr auto id() -> part_id { return parts_of(Tagged::value())[I]; }
  static constexpr auto backend_id() -> std::string_view {
    const program_view tagged = Tagged::value();
    return tagged.text(tagged[id().tag].backend_id);
  }
  static constexpr auto cut() -> cut_part {
    part_cutter cutter(Tagged::value(), source_bytes::kept);
    return cut_step(cutter, Tagged::value(), outline(Tagged::value(), id())).value;
  }
  static constexpr auto part() -> exported_program { return cut().program; }
  static constexpr auto specs() -> compile_specs { return cut().specs; }
};

/// A part of a tagged program, lowered. Errors: those of `part_step`, `run_time_preprocess`, `costly_preprocess`.
template <class List, class Tagged, std::size_t I>
struct part_stage {
  static constexpr bool stages_are_whole = Tagged::is_whole;
  constexpr auto operator()() const -> result<exported_program> {
    using given = part_given<Tagged, I>;
    if constexpr (can_preprocess<List, given>()) {
      return part_step(List{}, Tagged::value(), given::id(), source_bytes::kept);
    } else {
      return with_tag_of(broken_by_backend<rule::run_time_preprocess>(given::backend_id()), Tagged::value(), given::id().tag);
    }
  }
  static constexpr auto unevaluated() -> failure {
    using given = part_given<Tagged, I>;
    return with_tag_of(broken_by_backend<rule::costly_preprocess>(given::backend_id()), Tagged::value(), given::id().tag);
  }
};

/// The backends of a program that was lowered before; it takes them along when it is lowered again.
template <class Make>
struct backends_of {
  using type = backend_list<>;
};
template <class Make>
  requires requires { typename Make::backend_types; }
struct backends_of<Make> {
  using type = typename Make::backend_types;
};

/// Two lists of backends as one, in which each stands once.
template <class, class>
struct joined;
template <class... Known>
struct joined<backend_list<Known...>, backend_list<>> {
  using type = backend_list<Known...>;
};
template <class... Known, class First, class... Rest>
struct joined<backend_list<Known...>, backend_list<First, Rest...>> {
  static constexpr bool is_known = (std::is_same_v<Known, First> || ...);
  using type =
      typename joined<std::conditional_t<is_known, backend_list<Known...>, backend_list<Known..., First>>, backend_list<Rest...>>::type;
};

/// What kept the first of some static programs from being made that could not be made.
template <class... Programs>
constexpr auto first_failure() -> static_failure {
  static_failure first;
  static_cast<void>(((first = outcome_constant<typename Programs::make>.why, first.broken) || ...));
  return first;
}

/// A tagged program with delegate calls in the places of its parts.
template <class List, class Model, class Tagged, validation Checks, class Parts>
struct lowering_stage;
template <class List, class Model, class Tagged, validation Checks, std::size_t... I>
struct lowering_stage<List, Model, Tagged, Checks, std::index_sequence<I...>> {
  using backend_types = typename joined<typename backends_of<typename Model::make>::type, List>::type;
  static constexpr bool stages_are_whole = Tagged::is_whole && (static_program<part_stage<List, Tagged, I>>::is_whole && ...);

  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (stages_are_whole) {
      const vector<lowered_module_view> modules{module_of<static_program<part_stage<List, Tagged, I>>>()...};
      return assembly_step(Tagged::value(), modules, source_bytes::kept, Checks);
    } else {
      return exported_program{};
    }
  }
  template <class Lowered>
  static constexpr auto module_of() -> lowered_module_view {
    return {Lowered::value(), last_delegate(Lowered::value())};
  }
  /// What kept a part, or the program that is put together from them, from being made.
  static constexpr auto why() -> static_failure {
    if constexpr (stages_are_whole) {
      return first_failure<static_program<lowering_stage>>();
    } else {
      return first_failure<static_program<part_stage<List, Tagged, I>>...>();
    }
  }
  /// Stops the compiler with the sentence of the first part that failed, if one did.
  static constexpr void report() { (require_unbroken<outcome_constant<part_stage<List, Tagged, I>>.why>(), ...); }
};

/// A whole program as the backend of an id gets it.
template <class Id, class Model, class Specs>
struct program_given {
  static constexpr auto backend_id() -> std::string_view { return to_text(Id{}); }
  static constexpr auto part() -> exported_program { return thaw(Model::value()); }
  static constexpr auto specs() -> compile_specs { return Specs{}(); }
};

/// A whole program that the backend of an id took. Errors: those of `verify` and `lower_by_id`, `run_time_preprocess`, `costly_preprocess`.
template <class List, class Id, class Model, class Specs>
struct by_id_stage {
  using backend_types = typename joined<typename backends_of<typename Model::make>::type, List>::type;
  static constexpr bool stages_are_whole = Model::is_whole;
  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (stages_are_whole) {
      using given = program_given<Id, Model, Specs>;
      if (auto why = verify(Model::value())) return why;
      if constexpr (can_preprocess<List, given>()) {
        return lower_by_id(List{}, given::backend_id(), given::part(), given::specs());
      } else {
        return broken_by_backend<rule::run_time_preprocess>(given::backend_id());
      }
    } else {
      return exported_program{};
    }
  }
  static constexpr auto unevaluated() -> failure { return broken_by_backend<rule::costly_preprocess>(to_text(Id{})); }
};

}  // namespace detail

}  // namespace baton
