/* SPDX-FileCopyrightText: The Baton authors
 * SPDX-License-Identifier: Apache-2.0
 * Calls a model from C99. baton_model(... LANGUAGE C) generates digits.h. */
#include "../../digits/seven.h"
#include "digits.h"

#include <stdio.h>

int main(void) {
  int8_t pixels[DIGITS_INPUT_0_SIZE];
  int8_t scores[DIGITS_OUTPUT_0_SIZE];
  int best = 0;
  int status = digits_init();
  for (int i = 0; i < DIGITS_INPUT_0_SIZE; ++i) pixels[i] = drawn_seven[i] == ' ' ? -128 : 127;
  if (status == digits_status_ok) status = digits_run(pixels, scores);
  if (status != digits_status_ok) {
    fprintf(stderr, "digits: %s\n", digits_status_text(status));
    return 1;
  }
  for (int i = 1; i < DIGITS_OUTPUT_0_SIZE; ++i) best = scores[i] > scores[best] ? i : best;
  printf("it is a %d, by %.2f\n", best, (double)(DIGITS_OUTPUT_0_SCALE * (float)(scores[best] - DIGITS_OUTPUT_0_ZERO_POINT)));
  return 0;
}
