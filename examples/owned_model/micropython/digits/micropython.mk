# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# For ports of MicroPython that Make builds, as unix and stm32. DIGITS_MODEL is the folder that this command writes, with the port's processor:
#   baton compile digits_int8.tflite -o FOLDER --name digits --language c [--target cortex-m4]
ifeq ($(wildcard $(DIGITS_MODEL)/digits.o),)
$(error set DIGITS_MODEL to the folder of digits.o that `baton compile` has written)
endif
SRC_USERMOD_C += $(USERMOD_DIR)/moddigits.c
CFLAGS_USERMOD += -I$(DIGITS_MODEL)
LDFLAGS_USERMOD += $(DIGITS_MODEL)/digits.o
