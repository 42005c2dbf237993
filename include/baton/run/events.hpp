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

/// The tracer of an executor that has none.
struct no_tracer {};

/// Hears of events, by whichever of these it has; an executor takes it as a type. Texts and metadata that it wants to keep it copies.
/// - `static auto start(const baton::trace_event&) -> token` and `static void end(token, baton::span<const char> metadata)`,
/// - `static void log(const baton::trace_event&, std::uint64_t begin, std::uint64_t end, baton::span<const char> metadata)`,
/// - `static void output(const baton::trace_event&, value)`, for a `bool`, an `int`, a `double`, a tensor's bytes, a list of those.
template <class T>
concept event_tracer = requires(const trace_event& event) { T::start(event); } ||
                       requires(const trace_event& event, span<const char> bytes) { T::log(event, 0u, 0u, bytes); } ||
                       requires(const trace_event& event, span<const char> bytes) { T::output(event, bytes); };

/// A context with which a backend tells of events. Without a tracer each call is empty.
template <class Context, class Tracer = no_tracer>
struct traced : Context {
  node_id node = none<node_id>;
  delegate_id delegate = none<delegate_id>;

  /// Begins an event, which ends when what this returns is given to `end_event`.
  auto start_event([[maybe_unused]] event_identifier identifier) const {
    if constexpr (requires(const trace_event& event) { Tracer::start(event); }) {
      return Tracer::start(trace_event{node, delegate, identifier});
    } else {
      return nothing{};
    }
  }
  template <class Token>
  void end_event([[maybe_unused]] Token token, [[maybe_unused]] span<const char> metadata = {}) const {
    if constexpr (requires { Tracer::end(token, metadata); }) Tracer::end(token, metadata);
  }
  /// An event that is over; times in the backend's own unit.
  void log_event([[maybe_unused]] event_identifier identifier, [[maybe_unused]] std::uint64_t begin, [[maybe_unused]] std::uint64_t end,
                 [[maybe_unused]] span<const char> metadata = {}) const {
    if constexpr (requires(const trace_event& event) { Tracer::log(event, begin, end, metadata); }) {
      Tracer::log(trace_event{node, delegate, identifier}, begin, end, metadata);
    }
  }
  /// An intermediate result: a `bool`, an `int`, a `double`, a tensor's bytes, or a list of tensors' bytes.
  template <class Value>
  void log_output([[maybe_unused]] event_identifier identifier, [[maybe_unused]] const Value& value) const {
    if constexpr (requires(const trace_event& event) { Tracer::output(event, value); }) {
      Tracer::output(trace_event{node, delegate, identifier}, value);
    }
  }

 private:
  struct nothing {};
};

}  // namespace baton
