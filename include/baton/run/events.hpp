// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a delegate tells of its work while it executes: events and intermediate results, to a tracer that the executor's user chose.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>

namespace baton {

/// A delegate's name or number for one of its operations, as in its debug handle map. Zero is a number like any other.
struct event_identifier {
  static constexpr std::int64_t unset = -1;

  std::string_view name;
  std::int64_t number = unset;

  constexpr event_identifier() = default;
  constexpr event_identifier(std::string_view text) : name(text) {}  // NOLINT(google-explicit-constructor)
  constexpr event_identifier(const char* text) : name(text) {}       // NOLINT(google-explicit-constructor)
  template <std::integral Number>
  constexpr event_identifier(Number given) : number(given) {}  // NOLINT(google-explicit-constructor)

  constexpr auto is_set() const -> bool { return !name.empty() || number != unset; }
};

/// What an event is of: the delegate call, and the delegate's own operation where it is told.
struct trace_event {
  node_id node = none<node_id>;
  delegate_id delegate = none<delegate_id>;
  event_identifier identifier;
};

/// Hears of events, by whichever of these it has; an executor takes it as a type. Texts and metadata that it wants to keep it copies.
/// - `static auto start(const baton::trace_event&) -> token` and `static void end(token, baton::span<const char> metadata)`,
/// - `static void log(const baton::trace_event&, std::uint64_t begin, std::uint64_t end, baton::span<const char> metadata)`,
/// - `static void output(const baton::trace_event&, value)`, for a `bool`, an `int`, a `double`, a tensor's bytes, a list of those.
template <class T>
concept event_tracer = requires(const trace_event& event) { T::start(event); } ||
                       requires(const trace_event& event, span<const char> bytes) { T::log(event, 0u, 0u, bytes); } ||
                       requires(const trace_event& event, span<const char> bytes) { T::output(event, bytes); };

}  // namespace baton
