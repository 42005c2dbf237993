// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A program shown in an intentional compile error, for toolchains that cannot run a program.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/static_program.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton::report {

namespace detail {

// Types that appear in the error. `program_shown` has a `not_delegated` or `delegated` type for each node of the root graph, in order.
template <std::size_t Nodes, std::size_t Delegates, class... Lines>
struct program_shown;
template <std::uint32_t Index, fixed_string Node, fixed_string Operator, fixed_string... Why>
struct not_delegated;
template <std::uint32_t Index, fixed_string LoweredModule, fixed_string Backend, std::size_t Nodes, std::size_t ProcessedBytes>
struct delegated;

/// Returns the last 32 characters of a text of a program as a template argument. In errors, compilers cut longer texts.
template <class Program, auto Text>
consteval auto template_text() {
  constexpr auto text = program_view(Program::value()).text(Text(Program::value()));
  constexpr std::size_t size = text.size() < 32 ? text.size() : 32;
  fixed_string<size + 1> result;
  for (std::size_t i = 0; i < size; ++i) result.characters[i] = text[text.size() - size + i];
  result.characters[size] = '\0';  // already 0, but Clang prints numbers instead of text without this assignment
  return result;
}

/// Returns the reason why `Support` refuses node `N`, or an empty text if `Support` is `void` or supports the node.
template <class Program, class Support, std::uint32_t N>
consteval auto reason() -> text_buffer {
  const program_view program(Program::value());
  if constexpr (!std::is_void_v<Support>) {
    auto answer = Support::supports(program, program.nodes[N]);
    if (!answer) return std::move(answer.reason);
  }
  return {};
}

inline constexpr std::size_t piece_size = 32;  // in errors, compilers cut longer texts

template <class Program, class Support, std::uint32_t N, std::size_t Piece>
consteval auto reason_piece() {
  constexpr std::size_t remaining = reason<Program, Support, N>().size() - Piece * piece_size;
  constexpr std::size_t size = remaining < piece_size ? remaining : piece_size;
  fixed_string<size + 1> result;
  const auto text = reason<Program, Support, N>();
  for (std::size_t i = 0; i < size; ++i) result.characters[i] = text[Piece * piece_size + i];
  result.characters[size] = '\0';
  return result;
}

template <class Program, class Support, std::uint32_t N, std::size_t... Piece>
consteval auto undelegated_line(std::index_sequence<Piece...>) {
  constexpr auto name = template_text<Program, [](const program_view& p) { return p.nodes[N].name; }>();
  constexpr auto op = template_text<Program, [](const program_view& p) { return p.nodes[N].target; }>();
  return boost::hana::type_c<not_delegated<N, name, op, reason_piece<Program, Support, N, Piece>()...>>;
}

template <class Program, class Support, std::uint32_t N>
consteval auto line() {
  constexpr auto& record = Program::value().nodes[N];
  if constexpr (record.delegate != none<delegate_id>) {
    constexpr auto& module = Program::value().delegates[index(record.delegate)];
    constexpr auto name = template_text<Program, [](const program_view& p) { return p[p.nodes[N].delegate].name; }>();
    constexpr auto backend = template_text<Program, [](const program_view& p) { return p[p.nodes[N].delegate].backend_id; }>();
    return boost::hana::type_c<delegated<N, name, backend, Program::value()[module.original].nodes.size, module.processed_bytes.size>>;
  } else {
    constexpr std::size_t pieces = (reason<Program, Support, N>().size() + piece_size - 1) / piece_size;
    return undelegated_line<Program, Support, N>(std::make_index_sequence<pieces>{});
  }
}

template <class Program, class Support, std::size_t... I>
consteval auto show(std::index_sequence<I...>) -> bool {
  constexpr auto first = Program::value().root().nodes.first;
  using shown = program_shown<sizeof...(I), Program::value().delegates.size(),
                              typename decltype(line<Program, Support, static_cast<std::uint32_t>(first + I)>())::type...>;
  static_assert(always_false<shown>, "baton print_in_compile_error: the program is shown by request; remove the call to continue");
  return true;
}

}  // namespace detail

/// Fails at compile time and lists the root graph of a static program in the error. The line of a delegate contains the backend, the number
/// of nodes, and the size of the processed bytes, which are the result of `preprocess`. Each node that is not delegated has one line. Use
/// `static_assert(baton::report::print_in_compile_error(lowered));`. `print_in_compile_error<my_support>(lowered)` also lists the reasons
/// of `my_support`. The reasons are split into short pieces, because compilers cut long texts.
template <class Support = void, class Stage>
consteval auto print_in_compile_error(static_program<Stage>) -> bool {
  if constexpr (static_program<Stage>::is_valid) {
    return detail::show<static_program<Stage>, Support>(std::make_index_sequence<static_program<Stage>::value().root().nodes.size>{});
  }
  return true;
}

}  // namespace baton::report
