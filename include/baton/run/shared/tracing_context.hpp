// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A context with functions by which a backend logs events.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/run/events.hpp>

#include <cstdint>

namespace baton {

/// The tracer type of an executor without a tracer.
struct no_tracer {};

/// A context (`init_context` or `execution_context`) with functions by which a backend logs events. Each function does nothing if the
/// executor has no tracer, or if its tracer does not have the corresponding function.
template <class Context, class Tracer = no_tracer>
struct tracing_context : Context {
  node_id node = none<node_id>;
  delegate_id delegate = none<delegate_id>;

  /// Starts an event, and returns the token to pass to `end_event`.
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
  /// Logs a finished event. `begin` and `end` are times in a unit that the backend chooses.
  void log_event([[maybe_unused]] event_identifier identifier, [[maybe_unused]] std::uint64_t begin, [[maybe_unused]] std::uint64_t end,
                 [[maybe_unused]] span<const char> metadata = {}) const {
    if constexpr (requires(const trace_event& event) { Tracer::log(event, begin, end, metadata); }) {
      Tracer::log(trace_event{node, delegate, identifier}, begin, end, metadata);
    }
  }
  /// Logs an intermediate result: a `bool`, an `int`, a `double`, a tensor's bytes, or a list of tensors' bytes.
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
