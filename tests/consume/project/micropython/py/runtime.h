/* SPDX-FileCopyrightText: The Baton authors
 * SPDX-License-Identifier: Apache-2.0
 * A stub of MicroPython's py/runtime.h, as far as examples/owned_model/micropython uses it. Objects are small integers, or bytes. An
 * exception sets `raised` and returns to the caller. */
#pragma once

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

typedef void* mp_obj_t;
typedef const void* mp_rom_obj_t;
typedef struct {
  void* buf;
  size_t len;
} mp_buffer_info_t;
typedef struct {
  const char* name;
} mp_obj_type_t;
typedef struct {
  const mp_obj_type_t* type;
} mp_obj_base_t;
typedef struct {
  mp_obj_base_t base;
  mp_obj_t (*function)(mp_obj_t);
} mp_obj_fun_builtin_fixed_t;
typedef struct {
  mp_rom_obj_t key;
  mp_rom_obj_t value;
} mp_rom_map_elem_t;
typedef struct {
  mp_obj_base_t base;
  size_t size;
  const mp_rom_map_elem_t* elements;
} mp_obj_dict_t;
typedef struct {
  mp_obj_base_t base;
  mp_obj_dict_t* globals;
} mp_obj_module_t;

enum { MP_BUFFER_READ = 1 };
enum { MP_QSTR___name__ = 1, MP_QSTR_digits, MP_QSTR_classify };
extern const mp_obj_type_t mp_type_module, mp_type_RuntimeError, mp_type_fun_builtin_1, mp_type_dict;
extern const char* raised;
extern jmp_buf caller;

#define MP_OBJ_NEW_SMALL_INT(number) ((mp_obj_t)(intptr_t)(number))
#define MP_ROM_QSTR(string) ((mp_rom_obj_t)(intptr_t)(string))
#define MP_ROM_PTR(object) (object)
#define MP_ERROR_TEXT(text) (text)
#define MP_DEFINE_CONST_FUN_OBJ_1(name, function) const mp_obj_fun_builtin_fixed_t name = {{&mp_type_fun_builtin_1}, function}
#define MP_DEFINE_CONST_DICT(name, elements) const mp_obj_dict_t name = {{&mp_type_dict}, sizeof(elements) / sizeof(*(elements)), elements}
#define MP_REGISTER_MODULE(name, module) extern const mp_obj_module_t module

void mp_get_buffer_raise(mp_obj_t object, mp_buffer_info_t* buffer, unsigned flags);
_Noreturn void mp_raise_ValueError(const char* text);
_Noreturn void mp_raise_msg_varg(const mp_obj_type_t* type, const char* format, ...);
