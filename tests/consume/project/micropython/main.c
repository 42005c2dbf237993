/* SPDX-FileCopyrightText: The Baton authors
 * SPDX-License-Identifier: Apache-2.0
 * Calls the example's module as MicroPython would: finds a member by its name, passes bytes, and catches an exception. */
#include "py/runtime.h"
#include "seven.h"

#include <stdio.h>
#include <string.h>

const mp_obj_type_t mp_type_module, mp_type_RuntimeError, mp_type_fun_builtin_1, mp_type_dict;
const char* raised;
jmp_buf caller;
extern const mp_obj_module_t digits_module;

void mp_get_buffer_raise(mp_obj_t object, mp_buffer_info_t* buffer, unsigned flags) {
  if (flags == MP_BUFFER_READ) *buffer = *(mp_buffer_info_t*)object;
}
void mp_raise_ValueError(const char* text) {
  raised = text;
  longjmp(caller, 1);
}
void mp_raise_msg_varg(const mp_obj_type_t* type, const char* format, ...) {
  (void)type;
  raised = format;
  longjmp(caller, 1);
}

static mp_rom_obj_t member(int name) {
  const mp_obj_dict_t* globals = digits_module.globals;
  for (size_t i = 0; i < globals->size; ++i) {
    if (globals->elements[i].key == MP_ROM_QSTR(name)) return globals->elements[i].value;
  }
  return NULL;
}

int main(void) {
  const mp_obj_fun_builtin_fixed_t* classify = member(MP_QSTR_classify);
  uint8_t pixels[64];
  mp_buffer_info_t image = {pixels, sizeof pixels};
  if (classify == NULL || classify->base.type != &mp_type_fun_builtin_1 || member(MP_QSTR___name__) != MP_ROM_QSTR(MP_QSTR_digits))
    return 1;
  for (size_t i = 0; i < sizeof pixels; ++i) pixels[i] = drawn_seven[i] == ' ' ? 0 : 255;
  if (classify->function(&image) != MP_OBJ_NEW_SMALL_INT(7)) return 2;
  /* A vertical line is a one. An empty image is a seven, too. */
  for (size_t i = 0; i < sizeof pixels; ++i) pixels[i] = i % 8 == 3 || i % 8 == 4 ? 255 : 0;
  if (classify->function(&image) != MP_OBJ_NEW_SMALL_INT(1)) return 5;
  image.len = 63;
  if (setjmp(caller) == 0) {
    classify->function(&image);
    return 3;
  }
  return strcmp(raised, "an image has 64 bytes") == 0 ? 0 : 4;
}
