/* SPDX-FileCopyrightText: The Baton authors
 * SPDX-License-Identifier: Apache-2.0
 * A module of MicroPython that calls a model. digits.classify(image) returns the digit in an image: 64 gray values of 0 to 255, row by row.
 */
#include "digits.h"
#include "py/runtime.h"

static mp_obj_t classify(mp_obj_t image) {
  mp_buffer_info_t pixels;
  mp_get_buffer_raise(image, &pixels, MP_BUFFER_READ);
  if (pixels.len != DIGITS_INPUT_0_SIZE) mp_raise_ValueError(MP_ERROR_TEXT("an image has 64 bytes"));
  const uint8_t* gray = pixels.buf;
  for (int i = 0; i < DIGITS_INPUT_0_SIZE; ++i) digits_input_0()[i] = (int8_t)(gray[i] + DIGITS_INPUT_0_ZERO_POINT);
  int status = digits_run_in_arena();
  if (status != digits_status_ok) mp_raise_msg_varg(&mp_type_RuntimeError, MP_ERROR_TEXT("digits: %s"), digits_status_text(status));
  const int8_t* scores = digits_output_0();
  int best = 0;
  for (int i = 1; i < DIGITS_OUTPUT_0_SIZE; ++i) best = scores[i] > scores[best] ? i : best;
  return MP_OBJ_NEW_SMALL_INT(best);
}
static MP_DEFINE_CONST_FUN_OBJ_1(classify_object, classify);

static const mp_rom_map_elem_t members[] = {
    {MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR_digits)},
    {MP_ROM_QSTR(MP_QSTR_classify), MP_ROM_PTR(&classify_object)},
};
static MP_DEFINE_CONST_DICT(globals, members);

const mp_obj_module_t digits_module = {.base = {&mp_type_module}, .globals = (mp_obj_dict_t*)&globals};
MP_REGISTER_MODULE(MP_QSTR_digits, digits_module);
