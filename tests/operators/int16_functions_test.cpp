// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The 16-bit logistic function and tanh: the table of the reference, and the error of the functions.
#include <baton/operators/shared/int16_functions.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>

namespace {

using baton::quantized::int16_factor;
using baton::quantized::logistic_of_int16;
using baton::quantized::tanh_of_int16;

// `sigmoid_table_uint16` of tensorflow/lite/kernels/internal/common.h.
// clang-format off
constexpr std::array<std::uint16_t, 256> reference_table{
    32768, 33451, 34133, 34813, 35493, 36169, 36843, 37513, 38180, 38841, 39498, 40149, 40794, 41432, 42064, 42688,
    43304, 43912, 44511, 45102, 45683, 46255, 46817, 47369, 47911, 48443, 48964, 49475, 49975, 50464, 50942, 51409,
    51865, 52311, 52745, 53169, 53581, 53983, 54374, 54755, 55125, 55485, 55834, 56174, 56503, 56823, 57133, 57433,
    57724, 58007, 58280, 58544, 58800, 59048, 59288, 59519, 59743, 59959, 60168, 60370, 60565, 60753, 60935, 61110,
    61279, 61441, 61599, 61750, 61896, 62036, 62172, 62302, 62428, 62549, 62666, 62778, 62886, 62990, 63090, 63186,
    63279, 63368, 63454, 63536, 63615, 63691, 63765, 63835, 63903, 63968, 64030, 64090, 64148, 64204, 64257, 64308,
    64357, 64405, 64450, 64494, 64536, 64576, 64614, 64652, 64687, 64721, 64754, 64786, 64816, 64845, 64873, 64900,
    64926, 64950, 64974, 64997, 65019, 65039, 65060, 65079, 65097, 65115, 65132, 65149, 65164, 65179, 65194, 65208,
    65221, 65234, 65246, 65258, 65269, 65280, 65291, 65301, 65310, 65319, 65328, 65337, 65345, 65352, 65360, 65367,
    65374, 65381, 65387, 65393, 65399, 65404, 65410, 65415, 65420, 65425, 65429, 65433, 65438, 65442, 65445, 65449,
    65453, 65456, 65459, 65462, 65465, 65468, 65471, 65474, 65476, 65479, 65481, 65483, 65485, 65488, 65489, 65491,
    65493, 65495, 65497, 65498, 65500, 65501, 65503, 65504, 65505, 65507, 65508, 65509, 65510, 65511, 65512, 65513,
    65514, 65515, 65516, 65517, 65517, 65518, 65519, 65520, 65520, 65521, 65522, 65522, 65523, 65523, 65524, 65524,
    65525, 65525, 65526, 65526, 65526, 65527, 65527, 65528, 65528, 65528, 65529, 65529, 65529, 65529, 65530, 65530,
    65530, 65530, 65531, 65531, 65531, 65531, 65531, 65532, 65532, 65532, 65532, 65532, 65532, 65533, 65533, 65533,
    65533, 65533, 65533, 65533, 65533, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65535,
};
// clang-format on
static_assert(reference_table == baton::quantized::detail::sigmoid_table);

}  // namespace

TEST_CASE("the sigmoid table is that of TensorFlow Lite") { CHECK(reference_table == baton::quantized::detail::sigmoid_table); }

TEST_CASE("logistic_of_int16 and tanh_of_int16 approximate the real functions") {
  for (std::int32_t x = -32768; x <= 32767; ++x) {
    const auto real = x / 4096.0;
    const auto number = static_cast<std::int16_t>(x);
    CHECK(std::fabs(logistic_of_int16(number, {}) - 32768 / (1 + std::exp(-real))) < 1.02);
    CHECK(std::fabs(tanh_of_int16(number, {}) - 32768 * std::tanh(real)) < 2);
    // The same factor, as a number and a shift.
    CHECK(logistic_of_int16(number, {3 << 12, 12}) == logistic_of_int16(number, {}));
    CHECK(tanh_of_int16(number, {3 << 12, 12}) == tanh_of_int16(number, {}));
    CHECK(tanh_of_int16(number, {0, 1}) == tanh_of_int16(number, {6, 0}));
  }
}

TEST_CASE("logistic_of_int16 and tanh_of_int16 are correct at the ends of the range") {
  for (const auto factor : {int16_factor{32767, 0}, int16_factor{16384, 0}, int16_factor{0, 13}}) {
    CHECK(logistic_of_int16(32767, factor) == 32767);
    CHECK(logistic_of_int16(-32768, factor) == 1);
    CHECK(tanh_of_int16(32767, factor) == 32767);
    CHECK(tanh_of_int16(-32768, factor) == -32767);
  }
  CHECK(logistic_of_int16(0, {}) == 16384);
  CHECK(tanh_of_int16(0, {}) == 0);
  CHECK(logistic_of_int16(-32768, {32767, 31}) == 16384);
}
