/* SPDX-FileCopyrightText: The Baton authors
 * SPDX-License-Identifier: Apache-2.0
 * A caller in C99 of models with LANGUAGE C: several inputs, several outputs, a state, slices, and a backend that can fail. */
#include "choice.h"
#include "halves.h"
#include "lowered_digits.h"
#include "running_sum.h"
#include "updated.h"

#include <stdio.h>
#include <string.h>

/* Defined in c_interface.cpp. */
void switch_device(bool is_on);
int cpp_includes_the_headers(void);

static const float constant_of_c = LOWERED_DIGITS_OUTPUT_0_SCALE;

static bool has_facts(void) {
  static const size_t shape[LOWERED_DIGITS_INPUT_0_RANK] = LOWERED_DIGITS_INPUT_0_SHAPE;
  return shape[1] == 8 && LOWERED_DIGITS_INPUT_0_SIZE == 64 && LOWERED_DIGITS_INPUT_0_ZERO_POINT == -128 && constant_of_c == 1.0f / 256 &&
         strlen(LOWERED_DIGITS_INPUT_0_NAME) > 1 && CHOICE_INPUT_1_RANK == 0 && CHOICE_INPUT_1_SIZE == 1;
}

/* Inputs and outputs in memory of the caller, and in the arena. */
static bool has_several_inputs(void) {
  const bool condition[CHOICE_INPUT_0_SIZE] = {true, false};
  const float x = 2;
  const float y = 3;
  float out[CHOICE_OUTPUT_0_SIZE] = {0};
  if (choice_init() != choice_status_ok || choice_run(condition, &x, &y, out) != choice_status_ok) return false;
  if (out[0] != x || out[1] != y) return false;
  choice_input_0()[0] = false;
  choice_input_0()[1] = true;
  *choice_input_1() = 5;
  *choice_input_2() = 7;
  return choice_run_in_arena() == choice_status_ok && choice_output_0()[0] == 7 && choice_output_0()[1] == 5;
}

static bool has_several_outputs(void) {
  int8_t in[HALVES_INPUT_0_SIZE];
  int8_t first[HALVES_OUTPUT_0_SIZE];
  int8_t second[HALVES_OUTPUT_1_SIZE];
  int sum_in = 0;
  int sum_out = 0;
  for (int i = 0; i < HALVES_INPUT_0_SIZE; ++i) sum_in += in[i] = (int8_t)(i * i);
  if (halves_run(in, first, second) != halves_status_ok) return false;
  for (int i = 0; i < HALVES_OUTPUT_0_SIZE; ++i) sum_out += first[i];
  for (int i = 0; i < HALVES_OUTPUT_1_SIZE; ++i) sum_out += second[i];
  return HALVES_OUTPUT_0_SIZE + HALVES_OUTPUT_1_SIZE == HALVES_INPUT_0_SIZE && sum_in == sum_out && first[0] == in[0] &&
         memcmp(first, halves_output_0(), sizeof first) == 0;
}

static float sum_after(float x) {
  const float in[RUNNING_SUM_INPUT_0_SIZE] = {x, x, x, x};
  float out[RUNNING_SUM_OUTPUT_0_SIZE];
  return running_sum_run(in, out) == running_sum_status_ok ? out[0] : -1;
}

static bool has_state(void) {
  char kept[RUNNING_SUM_STATE_BYTES];
  if (sizeof kept != 4 * sizeof(float) || running_sum_arena_bytes() < sizeof kept) return false;
  if (sum_after(1) != 1 || sum_after(2) != 3) return false;
  running_sum_save(kept);
  if (sum_after(4) != 7) return false;
  running_sum_reset();
  if (sum_after(8) != 8) return false;
  running_sum_restore(kept);
  return sum_after(16) == 19;
}

static bool has_status(void) {
  int8_t pixels[LOWERED_DIGITS_INPUT_0_SIZE] = {0};
  int8_t scores[LOWERED_DIGITS_OUTPUT_0_SIZE];
  int best = 0;
  switch_device(false);
  if (lowered_digits_init() != lowered_digits_status_ok) return false;
  if (lowered_digits_run(pixels, scores) != lowered_digits_status_access_failed) return false;
  if (strcmp(lowered_digits_status_text(lowered_digits_status_access_failed), "access_failed") != 0) return false;
  if (strcmp(lowered_digits_status_text(-1), "unknown") != 0 || strcmp(lowered_digits_status_text(256), "unknown") != 0) return false;
  switch_device(true);
  if (lowered_digits_run(pixels, scores) != lowered_digits_status_ok) return false;
  for (int i = 1; i < LOWERED_DIGITS_OUTPUT_0_SIZE; ++i) best = scores[i] > scores[best] ? i : best;
  return scores[best] == 127;
}

/* Slices of a model whose backend can fail. */
static bool has_slices(void) {
  int8_t pixels[LOWERED_DIGITS_INPUT_0_SIZE] = {1, 2, 3};
  int8_t scores[LOWERED_DIGITS_OUTPUT_0_SIZE];
  int slices = 1;
  int status;
  switch_device(true);
  if (lowered_digits_run(pixels, scores) != lowered_digits_status_ok) return false;
  memcpy(lowered_digits_input_0(), pixels, sizeof pixels);
  if (lowered_digits_step() != lowered_digits_status_end_of_method || lowered_digits_start() != lowered_digits_status_ok) return false;
  while ((status = lowered_digits_step()) == lowered_digits_status_ok) ++slices;
  if (status != lowered_digits_status_end_of_method || slices < 2) return false;
  if (memcmp(lowered_digits_output_0(), scores, sizeof scores) != 0) return false;
  switch_device(false);
  if (lowered_digits_start() != lowered_digits_status_ok) return false; /* the device fails during a slice */
  while ((status = lowered_digits_step()) == lowered_digits_status_ok) ++slices;
  switch_device(true);
  return status == lowered_digits_status_access_failed && lowered_digits_step() == lowered_digits_status_end_of_method;
}

/* Weights in a file, which may change. */
static bool has_run_time_weights(const char* path) {
  static union {
    uint64_t aligned;
    unsigned char bytes[4096];
  } file;
  static updated_input_0_type in[UPDATED_INPUT_0_SIZE];
  static updated_output_0_type first[UPDATED_OUTPUT_0_SIZE];
  static updated_output_0_type second[UPDATED_OUTPUT_0_SIZE];
  size_t size;
  FILE* from = fopen(path, "rb");
  if (from == NULL) return false;
  size = fread(file.bytes, 1, sizeof file.bytes, from);
  fclose(from);
  for (int i = 0; i < UPDATED_INPUT_0_SIZE; ++i) in[i] = (updated_input_0_type)(i % 7 - 3);
  if (size != updated_weight_bytes() || updated_run(in, first) != updated_status_invalid_state) return false;
  if (updated_set_weights(file.bytes, size - 1) != updated_status_invalid_external_data) return false;
  if (updated_set_weights(file.bytes + 1, size) != updated_status_invalid_argument) return false;
  file.bytes[15] ^= 1;
  if (updated_set_weights(file.bytes, size) != updated_status_invalid_program) return false;
  file.bytes[15] ^= 1;
  if (updated_set_weights(file.bytes, size) != updated_status_ok || updated_run(in, first) != updated_status_ok) return false;
  for (size_t i = 16; i < size; ++i) file.bytes[i] = 0;
  if (updated_run(in, second) != updated_status_ok) return false;
  return memcmp(first, second, sizeof first) != 0;
}

int main(int count, char** words) {
  const int failed = !has_facts() + 2 * !has_several_inputs() + 4 * !has_several_outputs() + 8 * !has_state() + 16 * !has_status() +
                     32 * !(count == 2 && has_run_time_weights(words[1])) + 64 * !has_slices();
  if (failed != 0) fprintf(stderr, "the C interface of models failed: %d\n", failed);
  return failed != 0 || cpp_includes_the_headers() != 64;
}
