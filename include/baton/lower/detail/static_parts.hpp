// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lowers the parts of a phase at compile time. A phase applies at most one partitioner to each method (`partitioner_form.hpp`). Each part,
// or each batch of parts, is lowered in a separate stage. A part is the nodes of a graph that become one delegate. A stage is a callable
// that the compiler evaluates to a program.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/backend/shared/batch_backend.hpp>
#include <baton/backend/shared/last_delegate.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/stage.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/detail/batch.hpp>
#include <baton/lower/detail/computed_bytes.hpp>
#include <baton/lower/detail/constant_preprocess.hpp>
#include <baton/lower/detail/lowering_steps.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/shared/part.hpp>
#include <baton/lower/shared/rules.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// The parts of a tagged program (a program whose nodes are assigned to parts), computed once.
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
  static constexpr auto backend_id(part_id part = id) -> std::string_view {
    const program_view tagged = Tagged::value();
    return tagged.text(tagged[part.tag].backend_id);
  }
  /// True for the first part of each backend, if the part is small. For such a part, `can_preprocess` first tests whether `preprocess` is a
  /// constant expression. If it is not, the error is one sentence instead of a long chain of notes.
  static constexpr auto is_sample() -> bool {
    for (std::size_t i = 0; i < I; ++i) {
      if (backend_id(static_parts<Tagged>::ids[i]) == backend_id()) return false;
    }
    return is_small_part(Tagged::value(), id.tag);
  }
  static constexpr auto cut() -> cut_part {
    part_cutter cutter(Tagged::value(), source_bytes::kept);
    return cut_step(cutter, Tagged::value(), boundary_of(Tagged::value(), id)).value;
  }
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
    why.reason = {};  // drops the advice to use `preprocess_is_constant`, which does not check `preprocess_multimethod`
    return why;
  }
  static constexpr auto backend_id() -> std::string_view { return batch_finder().run(Phase::tagged_methods())[Batch].backend_id; }
  static constexpr auto unevaluated() -> failure { return broken_by_batch<"costly_preprocess">(); }
};

/// The location of a part's lowered module (the part after `preprocess`). If `is_of_batch`, the module is the delegate of node `member` in
/// the program of batch `batch`. If `is_of_batch` is false, the module is the last delegate of a program for this part alone.
struct module_position {
  bool is_of_batch = false;
  std::uint32_t batch = 0;
  std::uint32_t member = 0;
};

/// The locations of the lowered modules of a phase. A phase step is the application of one partitioner to one method. The parts of phase
/// step `m` begin at `positions[first_part[m]]`.
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

}  // namespace baton::detail
