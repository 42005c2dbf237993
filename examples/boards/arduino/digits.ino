// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Recognizes a drawn digit, and prints it each second. Your sensor fills the pixels instead.
#include <digits_model.h>

#include "seven.h"

void setup() { Serial.begin(115200); }

void loop() {
  for (int i = 0; i < DIGITS_MODEL_INPUT_0_SIZE; ++i) digits_model_input_0()[i] = drawn_seven[i] == ' ' ? -128 : 127;
  if (digits_model_run_in_arena() == digits_model_status_ok) {
    int best = 0;
    for (int i = 1; i < DIGITS_MODEL_OUTPUT_0_SIZE; ++i) best = digits_model_output_0()[i] > digits_model_output_0()[best] ? i : best;
    Serial.print("it is a ");
    Serial.println(best);
  }
  delay(1000);
}
