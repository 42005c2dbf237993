/* SPDX-FileCopyrightText: The Baton authors
 * SPDX-License-Identifier: Apache-2.0
 * A firmware in C with a model, linked by arm-none-eabi-gcc without the C++ library. */
#include "../../examples/digits/seven.h"
#include "digits.h"

#include <string.h>

int main(void) {
  static char bytes_of_arena[DIGITS_ARENA_BYTES];
  int8_t pixels[DIGITS_INPUT_0_SIZE];
  int8_t scores[DIGITS_OUTPUT_0_SIZE];
  int best = 0;
  for (int i = 0; i < DIGITS_INPUT_0_SIZE; ++i) pixels[i] = drawn_seven[i] == ' ' ? -128 : 127;
  if (digits_run(pixels, scores) != digits_status_ok) return 1;
  for (int i = 1; i < DIGITS_OUTPUT_0_SIZE; ++i) best = scores[i] > scores[best] ? i : best;
  if (best != 7 || sizeof bytes_of_arena != digits_arena_bytes()) return 2;
  /* The same in the arena. The white image in between has other scores. */
  for (int i = 0; i < DIGITS_INPUT_0_SIZE; ++i) digits_input_0()[i] = 127;
  if (digits_run_in_arena() != digits_status_ok || memcmp(digits_output_0(), scores, sizeof scores) == 0) return 3;
  memcpy(digits_input_0(), pixels, sizeof pixels);
  if (digits_run_in_arena() != digits_status_ok || memcmp(digits_output_0(), scores, sizeof scores) != 0) return 4;
  /* The same in slices of rows. The model has 7 nodes. */
  int slices = 1;
  int status = digits_step();
  if (status != digits_status_end_of_method) return 5; /* nothing has been started */
  for (int i = 0; i < DIGITS_INPUT_0_SIZE; ++i) digits_input_0()[i] = 127;
  if (digits_run_in_arena() != digits_status_ok || memcmp(digits_output_0(), scores, sizeof scores) == 0) return 6;
  memcpy(digits_input_0(), pixels, sizeof pixels);
  if (digits_start() != digits_status_ok) return 7;
  while ((status = digits_step()) == digits_status_ok) ++slices;
  return status == digits_status_end_of_method && slices > 7 && memcmp(digits_output_0(), scores, sizeof scores) == 0 ? 0 : 8;
}
