// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The entry points of delegation: by backend id and by partitioner, for programs of the compiler and of run time.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/verify.hpp>
#include <baton/lower/assemble.hpp>
#include <baton/lower/backends.hpp>
#include <baton/lower/check_parts.hpp>
#include <baton/lower/constant_sharing.hpp>
#include <baton/lower/lowered_module.hpp>
#include <baton/lower/part.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/tagging.hpp>

#include <boost/hana/string.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace baton {

namespace detail {

// The stages of lowering, the same for both times. Each is one constant in the compiler.

template <class... Backends, class Partitioner>
constexpr auto partition_step(backend_list<Backends...> list, const exported_program& program, const Partitioner& partitioner,
                              validation checks) -> result<exported_program> {
  if (checks == validation::on) {
    if (auto why = verify(program)) return why;
  }
  auto tagged = tag_program(program, partitioner, checks);
  if (!tagged) return tagged;
  for (const auto part : parts_of(tagged.value)) {
    const auto id = program_view(tagged.value).text(tagged.value[part.tag].backend_id);
    if (!with_backend(list, id, [](auto) {})) return with_tag_of(unknown_backend(list, id), tagged.value, part.tag);
  }
  tagged.value = share_constants(std::move(tagged.value));
  if (auto why = check_parts(tagged.value)) return why;
  return tagged;
}

template <class... Backends>
constexpr auto part_step(backend_list<Backends...> list, const program_view& tagged, part_id id, source_bytes bytes)
    -> result<exported_program> {
  const auto part = extract(tagged, outline(tagged, id), bytes);
  if (!part) return part;
  compile_specs specs;
  const auto run = tagged[id.tag].compile_specs;
  for (const auto& spec : tagged.compile_specs.subspan(run.first, run.size))
    specs.emplace_back(tagged.text(spec.key), tagged.text(spec.value));
  auto lowered = lower_by_id(list, tagged.text(tagged[id.tag].backend_id), part.value, specs);
  if (!lowered) return with_tag_of(std::move(lowered.error), tagged, id.tag);
  return lowered;
}

constexpr auto assembly_step(const program_view& tagged, std::span<const lowered_module_view> lowered, source_bytes bytes,
                             validation checks) -> result<exported_program> {
  const auto parts = parts_of(tagged);
  auto program = assemble(tagged, parts, lowered, bytes);
  if (checks == validation::on) {
    if (auto why = verify(program)) return why;
  }
  return program;
}

template <class... Backends, class Partitioner>
constexpr auto lower_program(backend_list<Backends...> list, const exported_program& program, const Partitioner& partitioner,
                             validation checks) -> result<exported_program> {
  const auto tagged = partition_step(list, program, partitioner, checks);
  if (!tagged) return tagged;
  std::vector<exported_program> lowered;
  for (const auto id : parts_of(tagged.value)) {
    auto part = part_step(list, tagged.value, id, source_bytes::copied);
    if (!part) return part;
    lowered.push_back(std::move(part.value));
  }
  std::vector<lowered_module_view> modules;
  for (const auto& part : lowered) modules.emplace_back(part, last_delegate(part));
  return assembly_step(tagged.value, modules, source_bytes::copied, checks);
}

/// A partitioner without state, or what a callable without state makes.
template <class Given>
constexpr auto partitioner_of(Given given) {
  if constexpr (std::is_invocable_v<Given>) {
    return given();
  } else {
    return given;
  }
}

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

template <class List, class Tagged, std::size_t I>
struct part_stage {
  static constexpr bool stages_are_whole = Tagged::is_whole;
  constexpr auto operator()() const -> result<exported_program> {
    return part_step(List{}, Tagged::value(), parts_of(Tagged::value())[I], source_bytes::kept);
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

template <class List, class Model, class Tagged, validation Checks, class Parts>
struct lowering_stage;
template <class List, class Model, class Tagged, validation Checks, std::size_t... I>
struct lowering_stage<List, Model, Tagged, Checks, std::index_sequence<I...>> {
  using backend_types = typename joined<typename backends_of<typename Model::make>::type, List>::type;
  static constexpr bool stages_are_whole = Tagged::is_whole && (static_program<part_stage<List, Tagged, I>>::is_whole && ...);

  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (stages_are_whole) {
      const std::vector<lowered_module_view> modules{module_of<static_program<part_stage<List, Tagged, I>>>()...};
      return assembly_step(Tagged::value(), modules, source_bytes::kept, Checks);
    } else {
      return exported_program{};
    }
  }
  template <class Lowered>
  static constexpr auto module_of() -> lowered_module_view {
    return {Lowered::value(), last_delegate(Lowered::value())};
  }
  /// Stops the compiler with the sentence of the first part that failed, if one did.
  static constexpr void report() { (static_program<part_stage<List, Tagged, I>>::report(), ...); }
};

template <class List, class Id, class Model, class Specs>
struct by_id_stage {
  static constexpr bool stages_are_whole = Model::is_whole;
  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (stages_are_whole) {
      if (auto why = verify(Model::value())) return why;
      return lower_by_id(List{}, to_text(Id{}), thaw(Model::value()), compile_specs(Specs{}()));
    } else {
      return exported_program{};
    }
  }
};

struct no_compile_specs {
  constexpr auto operator()() const -> compile_specs { return {}; }
};

}  // namespace detail

/// Lowers a program with a partitioner, at run time or within a constant: every part goes to its backend, a delegate call takes its place.
/// Tagged constants with several users are shared (`share_constants`).
/// Errors: those of `verify`, `tag_program`, `check_parts` and `extract`, `unknown_backend`, and the backends' own.
template <class... Backends, class Partitioner>
constexpr auto to_backend(backend_list<Backends...> target, const exported_program& program, const Partitioner& partitioner,
                          validation checks = validation::on) -> exported_program {
  if constexpr (require_partitioner<Partitioner>() && backend_list<Backends...>::is_sound) {
    return value_or_raise(detail::lower_program(target, program, partitioner, checks));
  } else {
    return {};
  }
}

/// The same for a program of the compiler; the result is one again, so it can be asserted on, run, or lowered again. Every stage and every
/// part is a constant of its own. The partitioner has no state, or is given as a lambda without captures that makes it. Checks are left out
/// with `without_validation`.
template <class... Backends, class Make, class Partitioner, validation Checks = validation::on>
constexpr auto to_backend(backend_list<Backends...>, static_program<Make>, Partitioner, std::integral_constant<validation, Checks> = {}) {
  using list = backend_list<Backends...>;
  using model = static_program<Make>;
  static_assert(std::is_empty_v<Partitioner>,
                "baton to_backend: what lowers a static program must have no state; pass the partitioner as a lambda without captures that "
                "returns it");
  if constexpr (require_partitioner<decltype(detail::partitioner_of(std::declval<Partitioner>()))>() && list::is_sound) {
    using tagged = static_program<detail::partition_stage<list, model, Partitioner, Checks>>;
    if constexpr (!tagged::is_whole) {
      model::report();
      tagged::report();
      return model{};
    } else {
      constexpr auto count = parts_of(tagged::value()).size();
      using stage = detail::lowering_stage<list, model, tagged, Checks, std::make_index_sequence<count>>;
      stage::report();
      return static_program<stage>{};
    }
  } else {
    return model{};
  }
}

/// Lowers a whole program by backend id, at run time or within a constant. Errors: those of `verify`, `unknown_backend`, the backend's own.
template <class... Backends>
constexpr auto to_backend(backend_list<Backends...> target, std::string_view backend_id, const exported_program& program,
                          const compile_specs& specs = {}) -> lowered_module {
  if (auto why = verify(program)) raise(why);
  return lowered_module(value_or_raise(detail::lower_by_id(target, backend_id, program, specs)));
}
template <class... Backends, char... C>
constexpr auto to_backend(backend_list<Backends...> target, boost::hana::string<C...> backend_id, const exported_program& program,
                          const compile_specs& specs = {}) -> lowered_module {
  return to_backend(target, to_text(backend_id), program, specs);
}

/// The lowered module of a program of the compiler; compile specs come from a lambda without captures that makes them.
template <class Stage>
struct static_lowered_module {
  static constexpr auto view() -> lowered_module_view {
    return {static_program<Stage>::value(), detail::last_delegate(static_program<Stage>::value())};
  }
};

/// The same for a program of the compiler: `to_backend(target, baton::name<"MyNpu">, model)`.
template <class... Backends, char... C, class Make, class Specs = detail::no_compile_specs>
constexpr auto to_backend(backend_list<Backends...>, boost::hana::string<C...>, static_program<Make>, Specs = {}) {
  static_assert(
      std::is_empty_v<Specs> && std::is_invocable_r_v<compile_specs, Specs>,
      "baton to_backend: compile specs for a static program come from a lambda without captures that returns baton::compile_specs");
  using stage = detail::by_id_stage<backend_list<Backends...>, boost::hana::string<C...>, static_program<Make>, Specs>;
  static_program<Make>::report();
  static_program<stage>::report();
  return static_lowered_module<stage>{};
}

}  // namespace baton
