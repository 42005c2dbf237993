// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A program shown by the compiler itself, in an error made on purpose: for toolchains without a host to run anything on.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/static_program.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::report {

// What the error names: a line a node of the root graph, in order.
template <std::size_t Nodes, std::size_t Delegates, class... Lines>
struct program_shown;
template <std::uint32_t Index, fixed_string Node, fixed_string Operator>
struct stays;
template <std::uint32_t Index, fixed_string LoweredModule, fixed_string Backend, std::size_t Nodes, std::size_t BlobBytes>
struct delegated;

namespace detail {

/// A text of a program as a template argument, cut where compilers would cut it.
template <class Program, auto Text>
consteval auto fixed() {
  constexpr auto text = program_view(Program::value()).text(Text(Program::value()));
  constexpr std::size_t size = text.size() < 32 ? text.size() : 32;
  fixed_string<size + 1> made;
  for (std::size_t i = 0; i < size; ++i) made.characters[i] = text[text.size() - size + i];
  made.characters[size] = '\0';  // written, so that Clang prints text, not numbers
  return made;
}

template <class Program, std::uint32_t N>
consteval auto line() {
  constexpr auto& record = Program::value().nodes[N];
  if constexpr (record.delegate != none<delegate_id>) {
    constexpr auto& module = Program::value().delegates[index(record.delegate)];
    constexpr auto name = fixed<Program, [](const program_view& p) { return p[p.nodes[N].delegate].name; }>();
    constexpr auto backend = fixed<Program, [](const program_view& p) { return p[p.nodes[N].delegate].backend_id; }>();
    return boost::hana::type_c<delegated<N, name, backend, Program::value()[module.original].nodes.size, module.processed_bytes.size>>;
  } else {
    constexpr auto name = fixed<Program, [](const program_view& p) { return p.nodes[N].name; }>();
    constexpr auto op = fixed<Program, [](const program_view& p) { return p.nodes[N].target; }>();
    return boost::hana::type_c<stays<N, name, op>>;
  }
}

template <class Program, std::size_t... I>
consteval auto show(std::index_sequence<I...>) -> bool {
  constexpr auto first = Program::value().root().nodes.first;
  using shown = program_shown<sizeof...(I), Program::value().delegates.size(),
                              typename decltype(line<Program, static_cast<std::uint32_t>(first + I)>())::type...>;
  static_assert(always_false<shown>, "baton shows this program because report::show_program asks for it; take the line out to go on");
  return true;
}

}  // namespace detail

/// Stops the compiler and lets it list a static program's root graph: delegates with backend, operations and bytes of the blob, and the
/// nodes that stay. Use: `static_assert(baton::report::show_program(lowered));`.
template <class Make>
consteval auto show_program(static_program<Make>) -> bool {
  if constexpr (static_program<Make>::is_whole) {
    return detail::show<static_program<Make>>(std::make_index_sequence<static_program<Make>::value().root().nodes.size>{});
  }
  return true;
}

}  // namespace baton::report
