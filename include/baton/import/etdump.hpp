// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The times that ExecuTorch's runtime measured for the instructions of a method. The runtime's event tracer writes the times to a file, the
// ETDump.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/shared/rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::pte {

/// The measured times of the instructions of a method. The file must have runs of one method only. The times are in ticks of the runtime's
/// clock; on a desktop system, a tick is a nanosecond. `ETDumpGen` of ExecuTorch 1.x writes the file (schema:
/// devtools/etdump/etdump_schema_flatcc.fbs). Operator names are views of the file.
class instruction_times {
 public:
  /// An operator inside the delegate that an instruction calls. Delegates identify their operators by a name or by a number.
  struct delegate_operator {
    std::string_view name;    ///< empty if the operator has a number
    std::int64_t number = 0;  ///< if the name is empty, the number that the backend assigned to the operator
    std::uint64_t ticks = 0;  ///< summed over all runs
  };
  /// An instruction that was executed, and its ticks. If the instruction is in a loop, the ticks are the sum over all its executions. The
  /// debug handle of a node of the model is a number that identifies the node.
  struct instruction {
    std::int64_t position = 0;              ///< in the method, counted from 0; the debug handle of an imported node is `position + 1`
    std::uint64_t ticks = 0;                ///< summed over all runs
    vector<delegate_operator> operators{};  ///< empty if the instruction does not call a delegate, or if no operator was measured
  };

  /// Reads the times of all runs of a file. Fails with `unsupported_model` if the bytes are not an ETDump, or if the ETDump has no run of a
  /// method. Fails with `damaged_model` if the file is damaged, or if an event ends before it begins.
  static constexpr auto read(span<const char> bytes) -> result<instruction_times> {
    byte_reader prefixed{bytes};
    // ETDumpGen writes the size before the flatbuffer.
    const bool has_size = prefixed.text(8, 4) == identifier;
    byte_reader reader{has_size ? bytes.subspan(4) : bytes};
    if (!has_size && !flatbuffer::has_identifier(reader, identifier))
      return broken<"unsupported_model">("the file has no identifier ED00; pass a file that ETDumpGen of ExecuTorch wrote");
    instruction_times result;
    const auto blocks = flatbuffer::root(reader).elements<flatbuffer::table>(slot::dump::run_data);
    for (std::size_t b = 0; b < blocks.size() && reader.ok(); ++b) {
      const auto events = blocks[b].elements<flatbuffer::table>(slot::block::events);
      for (std::size_t e = 0; e < events.size() && reader.ok(); ++e) {
        const auto event = events[e].child(slot::event::profile_event);
        if (event && !result.add(reader, event))
          return broken<"damaged_model">("event ", e, " of block ", b, ", at byte ", event.position(), ", ends before it begins");
      }
    }
    if (!reader.ok()) return broken<"damaged_model">("the ETDump of ", bytes.size(), " bytes has a table that is not inside it");
    if (result.runs_ == 0) return broken<"unsupported_model">("the ETDump has no event Method::execute; run the method with an ETDumpGen");
    return result;
  }

  /// Returns the number of measured runs of the method.
  constexpr auto runs() const -> std::uint64_t { return runs_; }
  /// Returns the total ticks of all runs, including the time between the instructions.
  constexpr auto ticks() const -> std::uint64_t { return ticks_; }
  /// Returns the instructions that were executed, in ascending order of their positions.
  constexpr auto instructions() const -> span<const instruction> { return instructions_; }

 private:
  static constexpr std::string_view identifier = "ED00";
  struct slot {
    struct dump {
      enum : std::uint16_t { version, run_data };
    };
    struct block {
      enum : std::uint16_t { name, bundled_input_index, allocators, events };
    };
    struct event {
      enum : std::uint16_t { profile_event, allocation_event, debug_event };
    };
    struct profile {
      enum : std::uint16_t { name, chain_index, instruction_id, delegate_number, delegate_name, delegate_metadata, start_time, end_time };
    };
  };

  /// Adds the time of an event. Returns false if the event ends before it begins.
  constexpr auto add(byte_reader& reader, const flatbuffer::table& event) -> bool {
    using slots = slot::profile;
    const auto start = event.scalar<std::uint64_t>(slots::start_time), end = event.scalar<std::uint64_t>(slots::end_time);
    if (end < start) return false;
    const auto ticks = end - start;
    const auto name = event.text(slots::name);
    if (event.scalar<std::int32_t>(slots::chain_index) < 0) {  // not an event of an instruction
      if (name != "Method::execute") return true;
      ++runs_;
      ticks_ += ticks;
      return true;
    }
    const auto number = event.scalar<std::int32_t>(slots::delegate_number, -1);
    const auto delegate_name = event.text(slots::delegate_name);
    const bool is_of_delegate = number >= 0 || !delegate_name.empty();
    // The event of a whole instruction has a name such as OPERATOR_CALL or MOVE_CALL. The time of this event includes the times of the
    // instruction's other events.
    if (!is_of_delegate && !name.ends_with("_CALL")) return true;
    auto& caller = find(reader, event.scalar<std::int32_t>(slots::instruction_id, -1));
    if (!is_of_delegate) {
      caller.ticks += ticks;
      return true;
    }
    find(reader, caller.operators, delegate_name, delegate_name.empty() ? number : 0).ticks += ticks;
    return true;
  }
  /// Returns the instruction at a position. Adds the instruction if it is new.
  constexpr auto find(byte_reader& reader, std::int64_t position) -> instruction& {
    const auto is_before = [position](const instruction& each) { return each.position < position; };
    const auto* const at = std::partition_point(instructions_.begin(), instructions_.end(), is_before);
    const auto index = static_cast<std::size_t>(at - instructions_.begin());
    if (index < instructions_.size() && at->position == position) return instructions_[index];
    reader.charge(instructions_.size() - index);  // charges the instructions that the insertion moves, usually none
    instructions_.insert(instructions_.begin() + index, instruction{.position = position});
    return instructions_[index];
  }
  /// Returns the operator of a delegate. Adds the operator if it is new. The search begins after the operator that the previous call
  /// returned, because events are usually in the same order in each run.
  constexpr auto find(byte_reader& reader, vector<delegate_operator>& all, std::string_view name, std::int64_t number)
      -> delegate_operator& {
    for (std::size_t tried = 0; tried < all.size() && reader.charge(1); ++tried) {
      if (next_operator_ >= all.size()) next_operator_ = 0;
      auto& each = all[next_operator_++];
      if (each.name == name && each.number == number) return each;
    }
    all.push_back({.name = name, .number = number});
    next_operator_ = all.size();
    return all.back();
  }

  vector<instruction> instructions_;
  std::uint64_t runs_ = 0;
  std::uint64_t ticks_ = 0;
  std::size_t next_operator_ = 0;  ///< the position at which the search for the next operator of a delegate begins
};

}  // namespace baton::pte
