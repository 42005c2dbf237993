// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/detail/onnx_recurrent.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/legalize_onnx.hpp>
#include <baton/transform/pass_list.hpp>
#include <baton/transform/transform.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

constexpr auto f32 = dtype::float32;
constexpr std::int64_t hidden = 8;

/// A GRU, or an RNN of two directions, whose state weights are a transposed constant. The elements of this constant count up from 0.
template <bool IsGru>
struct network {
  static constexpr std::int64_t directions = IsGru ? 1 : 2, rows = IsGru ? 3 * hidden : hidden;

  constexpr auto operator()() const -> exported_program {
    program_builder b;
    text_buffer bytes;
    for (std::int64_t i = 0; i < directions * rows * hidden; ++i) append_little_endian(bytes, static_cast<std::uint64_t>(i), 4);
    const auto x = b.user_input("x", tensor(f32, 1, 1, 2));
    const auto w = b.parameter("w", tensor(f32, directions, rows, 2), text_buffer(static_cast<std::size_t>(8 * directions * rows), '\0'));
    const auto r = b.parameter("r", tensor(f32, directions, hidden, rows), bytes);
    const std::int64_t order[] = {0, 2, 1};
    const auto turned = b.call("turned", "onnx.Transpose", {r}, tensor(f32, directions, rows, hidden), {{"perm", span{order}}});
    b.output(b.call("y", IsGru ? "onnx.GRU" : "onnx.RNN", {x, w, turned}, tensor(f32, 1, directions, 1, hidden),
                    {{"hidden_size", hidden}, {"direction", IsGru ? "forward" : "bidirectional"}}));
    return b.finish();
  }
};

/// True if constant `name` contains the rows from `first` on of the transposed weights of direction `direction`.
template <class Network>
constexpr auto has_rows(const program_view& program, std::string_view name, std::int64_t direction, std::int64_t first) -> bool {
  for (const auto& record : program.values) {
    if (program.text(record.name) != name) continue;
    const auto data = program.data(record.data);
    for (std::size_t at = 0; at < data.size(); at += 4) {
      const auto element = static_cast<std::int64_t>(at / 4), row = first + element / hidden, column = element % hidden;
      const auto expected = (direction * hidden + column) * Network::rows + row;
      if (static_cast<unsigned char>(data[at]) + 256 * static_cast<unsigned char>(data[at + 1]) != expected) return false;
    }
    return !data.empty() && byte_count(record.type, program.integer_list(record.shape)) == static_cast<std::int64_t>(data.size());
  }
  return false;
}
constexpr auto has_gru_weights(const program_view& program) -> bool {
  return has_rows<network<true>>(program, "y_direction_0_gate_weights", 0, 0) &&
         has_rows<network<true>>(program, "y_direction_0_candidate_weights", 0, 2 * hidden);
}
constexpr auto has_rnn_weights(const program_view& program) -> bool {
  return has_rows<network<false>>(program, "y_direction_0_state_weights", 0, 0) &&
         has_rows<network<false>>(program, "y_direction_1_state_weights", 1, 0);
}

// In static programs, the bytes of transposed constants are deferred.
constexpr static_program gru{network<true>{}};
constexpr static_program rnn{network<false>{}};
constexpr auto legalized_gru = transform(gru, passes<legalize_onnx>);
constexpr auto legalized_rnn = transform(rnn, passes<legalize_onnx>);
static_assert(has_gru_weights(legalized_gru) && has_rnn_weights(legalized_rnn));

}  // namespace

TEST_CASE("transposed weights of recurrent layers are divided by gates and directions") {
  CHECK(has_gru_weights(legalized_gru));
  CHECK(has_rnn_weights(legalized_rnn));
  const result<exported_program> gru_at_run_time = legalize_onnx::run(network<true>{}());
  const result<exported_program> rnn_at_run_time = legalize_onnx::run(network<false>{}());
  CHECK(has_gru_weights(gru_at_run_time.value));
  CHECK(has_rnn_weights(rnn_at_run_time.value));
}
