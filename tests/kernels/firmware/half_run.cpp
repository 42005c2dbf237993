// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The FPU's conversion of float16 against the conversion in C++, for all 65536 numbers.
#include <baton/kernels/detail/half.hpp>

#include "cortex_m/semihosting.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

int main() {
  std::uint32_t wrong = 0;
  for (std::uint32_t n = 0; n < 65536; ++n) {
    const auto half = static_cast<std::uint16_t>(n);
    char bytes[3];  // large enough for an odd address
    std::memcpy(bytes + n % 2, &half, sizeof half);
    const auto actual = std::bit_cast<std::uint32_t>(baton::portable::detail::load_half(bytes + n % 2, 0));
    auto expected = baton::float_bits_of_half(half);
    if ((n & 0x7c00u) == 0x7c00u && (n & 0x3ffu) != 0) expected |= 0x400000u;  // the FPU quiets NaNs
    if (actual != expected) ++wrong;
  }
  firmware::print("float16: ", wrong, " of 65536 numbers differ\n");
  return wrong == 0 ? 0 : 1;
}
