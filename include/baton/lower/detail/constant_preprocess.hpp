// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Whether the compiler can evaluate a backend's `preprocess`, asked before it is, so that a sentence says so and no page of notes.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/tensor.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace baton::detail {

/// Makes a backend lower the part that `Given` makes. In a function of its own: Clang 16 leaves temporaries of a template argument alive,
/// and then finds that what they own has leaked.
template <class Backend, class Given>
constexpr auto preprocess_once() -> bool {
  static_cast<void>(Backend::preprocess(Given::part(), Given::specs()));
  return true;
}
/// Whether a backend's `preprocess` of a part, which `Given` makes, is a constant.
template <class Backend, class Given>
concept evaluates_preprocess = requires { typename std::bool_constant<preprocess_once<Backend, Given>()>; };

/// A part of one node. A `preprocess` that the compiler can evaluate mostly takes or refuses it, and it costs next to nothing to ask.
struct smallest_part {
  static constexpr auto part() -> exported_program {
    program_builder build;
    const auto x = build.user_input("x", tensor(dtype::int8, 1));
    build.output(build.call("y", "test.smallest", {x}, tensor(dtype::int8, 1)));
    return build.finish();
  }
  static constexpr auto specs() -> compile_specs { return {}; }
};

inline constexpr char zeros_of_an_element[16]{};

/// A part with every size 1, and constants of zeros: a constexpr `preprocess` that is too large for the part itself can be evaluated for
/// it.
constexpr auto shrunk(exported_program part) -> exported_program {
  for (auto& record : part.values) {
    for (std::uint32_t d = 0; d < record.shape.size; ++d) part.integers[record.shape.first + d] = 1;
    if (record.data.size != 0) record.data = {zeros_of_an_element, 0, (facts(record.type).bits + 7u) / 8};
  }
  return part;
}
template <class Given>
struct shrunk_part {
  static constexpr auto part() -> exported_program { return shrunk(Given::part()); }
  static constexpr auto specs() -> compile_specs { return Given::specs(); }
};

template <class List>
inline constexpr bool all_preprocess_the_smallest = false;
template <class... Backends>
inline constexpr bool all_preprocess_the_smallest<backend_list<Backends...>> = (evaluates_preprocess<Backends, smallest_part> && ...);

/// Whether the `preprocess` of the backend of a list that `Given::backend_id` names is a constant expression for parts like that of
/// `Given`. The part itself may still be too large: then the compiler names its limit, and `costly_preprocess` is reported. It is asked for
/// only if the smallest part leaves a doubt.
template <class List, class Given>
consteval auto can_preprocess() -> bool {
  if constexpr (all_preprocess_the_smallest<List>) {
    return true;
  } else {
    constexpr bool is_known = List::with(Given::backend_id(), [](auto) {});
    if constexpr (is_known) {
      using backend = typename List::template at<List::position_of(Given::backend_id())>;
      if constexpr (evaluates_preprocess<backend, Given>) {
        return true;
      } else {
        return evaluates_preprocess<backend, shrunk_part<Given>>;
      }
    } else {
      return true;  // what lowers says that it is unknown
    }
  }
}

/// A broken rule on `preprocess`, with its backend, and what to write so that the compiler says where in few lines.
template <fixed_string Rule>
constexpr auto broken_by_backend(std::string_view backend_id) -> failure {
  auto why = broken<Rule>();
  why.backend = join(backend_id);
  why.reason = join("to see where: static_assert( baton::preprocess_is_constant <my_backend>(model, my_partitioner{}) )");
  return why;
}

}  // namespace baton::detail
