/* SPDX-FileCopyrightText: The Baton authors
 * SPDX-License-Identifier: Apache-2.0
 * A firmware in C with a model, linked by arm-none-eabi-gcc without the C++ library. */
#include "digits.h"

int main(void) {
  /* A seven, 8 by 8 pixels from -128 to 127. */
  static const char drawn[] =
      " 9999999"
      " 9999999"
      "      99"
      "     99 "
      "   99999"
      "    99  "
      "   99   "
      "   99   ";
  static char bytes_of_arena[DIGITS_ARENA_BYTES];
  int8_t scores[DIGITS_OUTPUT_0_SIZE];
  int best = 0;
  int8_t* pixels = digits_input_0();
  for (int i = 0; i < DIGITS_INPUT_0_SIZE; ++i) pixels[i] = drawn[i] == ' ' ? -128 : 127;
  if (digits_run_in_arena() != digits_status_ok) return 1;
  for (int i = 1; i < DIGITS_OUTPUT_0_SIZE; ++i) best = digits_output_0()[i] > digits_output_0()[best] ? i : best;
  if (best != 7 || sizeof bytes_of_arena != digits_arena_bytes()) return 2;
  for (int i = 0; i < 64; ++i) pixels[i] = drawn[i] == ' ' ? -128 : 127;
  return digits_run(pixels, scores) == digits_status_ok && scores[7] == digits_output_0()[7] ? 0 : 3;
}
