// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Events and intermediate results that a delegate logs while it executes, and the tracer that receives them.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>

namespace baton {

/// The identifier of an operation of a delegate: a name or a number, as in the delegate's debug handle map
/// (`preprocess_result::debug_handle_map`). Zero is a valid number.
struct event_identifier {
  static constexpr std::int64_t unset = -1;

  std::string_view name;
  std::int64_t number = unset;

  constexpr event_identifier() = default;
  constexpr event_identifier(std::string_view text) : name(text) {}  // NOLINT(google-explicit-constructor)
  constexpr event_identifier(const char* text) : name(text) {}       // NOLINT(google-explicit-constructor)
  template <std::integral Number>
  constexpr event_identifier(Number identifier) : number(identifier) {}  // NOLINT(google-explicit-constructor)

  constexpr auto is_set() const -> bool { return !name.empty() || number != unset; }
};

/// The source of an event: the delegate call, and the operation of the delegate if the event names one.
struct trace_event {
  node_id node = none<node_id>;
  delegate_id delegate = none<delegate_id>;
  event_identifier identifier;
};

/// A service of an executor that receives events. Texts and metadata are valid only until the tracer's function returns. A tracer has one
/// or more of these functions:
/// - `static auto start(const baton::trace_event&) -> token` and `static void end(token, baton::span<const char> metadata)`,
/// - `static void log(const baton::trace_event&, std::uint64_t begin, std::uint64_t end, baton::span<const char> metadata)`, where `begin`
///   and `end` are times in a unit that the backend chooses,
/// - `static void output(const baton::trace_event&, const Value&)`, as overloads or a template. It must accept `baton::span<const char>` (a
///   tensor's bytes). Other values may be a `bool`, an `int`, a `double`, or a list of tensors' bytes. Values that `output` does not accept
///   are ignored.
template <class T>
concept event_tracer = requires(const trace_event& event) { T::start(event); } ||
                       requires(const trace_event& event, span<const char> bytes) { T::log(event, 0u, 0u, bytes); } ||
                       requires(const trace_event& event, span<const char> bytes) { T::output(event, bytes); };

}  // namespace baton
