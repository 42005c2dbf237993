#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds templates as a user does: sh examples/boards/test.sh [TEMPLATE...]
# Each is copied into an empty folder outside the repository, where the commands of its README.md run. The image must print the digit under
# QEMU's netduinoplus2, which has an STM32F405, and the table of sizes must have weights, code and an arena.
# PICO_SDK_PATH is the Pico SDK, without submodules; an image for a Pico is not run. Without PICO_SDK_PATH, and for Zephyr, ESP-IDF and
# Arduino, stubs of the functions that a template calls build an image of the same STM32F405.
# Exit status: 0: success. 1: a test failed. 2: wrong usage.
set -u
BATON=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
export BATON
all="stm32cube-make stm32cube-cmake pico-sdk zephyr esp-idf arduino"
for template in "$@"; do
  case " $all " in
    *" $template "*) ;;
    *)
      echo "usage: sh examples/boards/test.sh [TEMPLATE...]; the templates are: $all" >&2
      exit 2
      ;;
  esac
done
# shellcheck disable=SC2086 # a list of words
[ $# -gt 0 ] || set -- $all

work=$(mktemp -d)
emulator=''
trap 'if [ -n "$emulator" ]; then kill "$emulator" 2> /dev/null; fi; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
board=$BATON/examples/boards/stm32f405
export PREFIX="$work/prefix" BATON_CACHE="${BATON_CACHE:-$BATON/build}" ZEPHYR_BASE="$work/zephyr_stand_in" IDF_PATH="$work/idf_stand_in" BOARD=stand_in
arguments=''

# machine FOLDER: writes a library for the stubs: the STM32F405, with printf on its USART.
machine() {
  mkdir -p "$1"
  cat > "$1/machine.c" << 'END'
#include "usart.h"

#include <stddef.h>

static char heap[4096];
static size_t used;
__attribute__((constructor)) static void begin(void) { usart_init(); }
int _write(int file, const char* text, int bytes) {
  (void)file;
  for (int i = 0; i < bytes; ++i) usart_print((const char[]){text[i], '\0'});
  return bytes;
}
void* _sbrk(ptrdiff_t bytes) {
  if (used + (size_t)bytes > sizeof heap) return (void*)-1;
  used += (size_t)bytes;
  return heap + used - bytes;
}
END
  # An empty model.ld, because the linker scripts of other platforms have no sections for a model.
  mkdir -p "$1/script"
  : > "$1/script/model.ld"
  cat > "$1/machine.cmake" << END
set(CMAKE_BUILD_TYPE Release)
function(add_machine)
  add_library(machine INTERFACE)
  target_sources(machine INTERFACE "$1/machine.c" "$board/startup.c" "$board/usart.c")
  target_include_directories(machine INTERFACE "$board")
  target_link_options(machine INTERFACE --specs=nosys.specs "-L$1/script" "-T$board/stm32f405rgtx.ld")
endfunction()
END
}

stand_in_for_pico_sdk() {
  export PICO_SDK_PATH="$work/pico_stand_in"
  machine "$PICO_SDK_PATH"
  mkdir -p "$PICO_SDK_PATH/external" "$PICO_SDK_PATH/include/pico"
  cat > "$PICO_SDK_PATH/external/pico_sdk_import.cmake" << END
set(CMAKE_TOOLCHAIN_FILE "$board/toolchain.cmake")
set(CMAKE_FIND_ROOT_PATH /nowhere)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
include("$PICO_SDK_PATH/machine.cmake")
macro(pico_sdk_init)
  add_machine()
  add_library(pico_stdlib INTERFACE)
  target_include_directories(pico_stdlib INTERFACE "$PICO_SDK_PATH/include")
  target_link_libraries(pico_stdlib INTERFACE machine)
endmacro()
function(pico_enable_stdio_uart target)
endfunction()
function(pico_add_extra_outputs target)
  set_target_properties(\${target} PROPERTIES SUFFIX .elf)
endfunction()
END
  cat > "$PICO_SDK_PATH/include/pico/stdlib.h" << 'END'
#pragma once
static inline void stdio_init_all() {}
static inline void sleep_ms(unsigned) {}
END
}

stand_in_for_zephyr() {
  machine "$ZEPHYR_BASE"
  mkdir -p "$ZEPHYR_BASE/include/zephyr"
  cat > "$ZEPHYR_BASE/ZephyrConfig.cmake" << END
set(CMAKE_TOOLCHAIN_FILE "$board/toolchain.cmake")
include("$ZEPHYR_BASE/machine.cmake")
project(Zephyr-Kernel LANGUAGES C CXX)
file(STRINGS prj.conf lines REGEX "^CONFIG_.*=")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([^=]*)=(.*)" line "\${line}")
  set(\${CMAKE_MATCH_1} "\${CMAKE_MATCH_2}")
endforeach()
add_machine()
add_library(zephyr_interface INTERFACE)
target_include_directories(zephyr_interface INTERFACE "$ZEPHYR_BASE/include")
add_library(app STATIC)
target_link_libraries(app PUBLIC zephyr_interface)
add_subdirectory("$ZEPHYR_BASE" zephyr)
foreach(module IN LISTS ZEPHYR_EXTRA_MODULES)
  add_subdirectory("\${module}" modules/baton)
endforeach()
END
  cat > "$ZEPHYR_BASE/CMakeLists.txt" << 'END'
add_executable(zephyr_final machine.c)
target_link_libraries(zephyr_final PRIVATE app machine)
target_link_options(zephyr_final PRIVATE "-Wl,-Map=${CMAKE_CURRENT_BINARY_DIR}/zephyr.map")
set_target_properties(zephyr_final PROPERTIES OUTPUT_NAME zephyr SUFFIX .elf)
set(logical_target_for_zephyr_elf zephyr_final PARENT_SCOPE)
END
  cat > "$ZEPHYR_BASE/include/zephyr/kernel.h" << 'END'
#pragma once
#include <stdio.h>
#define printk printf
END
}

stand_in_for_esp_idf() {
  machine "$IDF_PATH"
  mkdir -p "$IDF_PATH/tools/cmake"
  printf 'void app_main(void);\nint main(void) {\n  app_main();\n  return 0;\n}\n' > "$IDF_PATH/start.c"
  cat > "$IDF_PATH/tools/cmake/project.cmake" << END
set(CMAKE_TOOLCHAIN_FILE "$board/toolchain.cmake")
include("$IDF_PATH/machine.cmake")
macro(project name)
  _project(\${name} LANGUAGES C CXX)
  add_machine()
  add_executable(\${name}.elf "$IDF_PATH/start.c")
  add_subdirectory(components/baton)
  add_subdirectory(main)
  target_link_libraries(\${name}.elf PRIVATE main machine)
  target_link_options(\${name}.elf PRIVATE "-Wl,-Map=\${CMAKE_BINARY_DIR}/\${name}.map")
endmacro()
function(idf_component_register)
  cmake_parse_arguments(arg "" "" "SRCS;INCLUDE_DIRS;REQUIRES;LDFRAGMENTS" \${ARGN})
  get_filename_component(name "\${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  if(arg_SRCS)
    add_library(\${name} STATIC \${arg_SRCS})
    target_link_libraries(\${name} PUBLIC \${arg_REQUIRES})
  else()
    add_library(\${name} INTERFACE)
    target_include_directories(\${name} INTERFACE \${arg_INCLUDE_DIRS})
  endif()
  foreach(fragment IN LISTS arg_LDFRAGMENTS)
    file(STRINGS "\${fragment}" archive REGEX "^archive: libmain.a$")
    if(NOT archive)
      message(FATAL_ERROR "\${fragment} does not map libmain.a")
    endif()
  endforeach()
  set(COMPONENT_LIB \${name} PARENT_SCOPE)
endfunction()
END
  cat > "$work/bin/idf.py" << 'END'
#!/bin/sh
set -e
cmake -B build "$1" "$2"
[ "$3" = build ]
cmake --build build
END
}

# A core of Arduino: the STM32F405. It reads the flags and the command after linking from platform.local.txt.
stand_in_for_arduino() {
  machine "$work/core"
  cat > "$work/core/Arduino.h" << 'END'
#include <stdint.h>
#include <stdio.h>
struct printer {
  void begin(long) {}
  void print(const char* text) { printf("%s", text); }
  void println(int number) { printf("%d\n", number); }
};
inline printer Serial;
inline void delay(unsigned long) {}
END
  printf '#!/bin/sh\nexec sh "%s/tools/baton" "$@"\n' "$BATON" > "$work/bin/baton"
  cat > "$work/bin/arduino-cli" << END
#!/bin/sh
set -e
[ "\$1 \$4 \$6 \$8" = "compile --library --build-path ." ]
library=\$5 build=\$7
property() { sed -n "s/^\$1=//p" platform.local.txt; }
cpu="-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -Os -ffunction-sections -fdata-sections -I $work/core -I $board -I \$library/src -I ."
cxx="arm-none-eabi-g++ \$cpu -std=gnu++14 -fno-exceptions -fno-rtti -fno-threadsafe-statics \$(property compiler.cpp.extra_flags)"
mkdir -p "\$build"
sketch=\$(basename "\$PWD")
{ echo '#include <Arduino.h>'; cat "\$sketch.ino"; echo 'int main() { setup(); for (;;) loop(); }'; } > "\$build/\$sketch.ino.cpp"
for source in "\$build/\$sketch.ino.cpp" "\$library"/src/*.cpp; do \$cxx -c "\$source" -o "\$build/\$(basename "\$source").o"; done
for source in "$work/core/machine.c" "$board/startup.c" "$board/usart.c"; do arm-none-eabi-gcc \$cpu -c "\$source" -o "\$build/\$(basename "\$source").o"; done
arm-none-eabi-g++ \$cpu "\$build"/*.o -nostartfiles --specs=nano.specs --specs=nosys.specs -Wl,--gc-sections -L "$work/core/script" -T "$board/stm32f405rgtx.ld" \\
  "-Wl,-Map=\$build/\$sketch.ino.map" -o "\$build/\$sketch.ino.elf"
eval "\$(property recipe.hooks.linking.postlink.1.pattern | sed "s|{build.path}|\$build|g; s|{build.project_name}|\$sketch.ino|g")"
END
}

# prints_digit IMAGE: true if the image prints the digit on USART1 within 20 seconds. It does not end by itself.
prints_digit() {
  : > "$work/said"
  qemu-system-arm -M netduinoplus2 -nographic -monitor none -serial "file:$work/said" -kernel "$1" 2> /dev/null &
  emulator=$!
  tenths=0
  while ! grep -q '^it is a' "$work/said" && [ $tenths -lt 200 ]; do
    sleep 0.1
    tenths=$((tenths + 1))
  done
  sleep 0.1
  kill "$emulator" 2> /dev/null
  wait "$emulator" 2> /dev/null
  emulator=''
  head -n 1 "$work/said" | tr -d '\r' | grep -qx 'it is a 7'
}

# build TEMPLATE: runs the commands of its README.md in an empty folder.
build() {
  mkdir "$work/$1"
  sed -n '/^```sh$/,/^```$/p' "$BATON/examples/boards/$1/README.md" | grep -v '^```' | sed "s|cmake -B build|& $arguments|" > "$work/$1.sh"
  (cd "$work/$1" && sh -e "$work/$1.sh") > "$work/$1.log" 2>&1
}

# has_parts LOG: true if the table in the log has weights, code and an arena of a plausible size, which is in $memory. Prints the table.
has_parts() {
  sed -n '/ flash  *RAM  memory$/,/^total/p' "$1" > "$work/table"
  cat "$work/table"
  [ "$(sed -n 's/^weights *\([0-9]*\).*/\1/p' "$work/table")" -ge 4000 ] &&
    [ "$(sed -n 's/^code of kernels *\([0-9]*\).*/\1/p' "$work/table")" -ge 2000 ] &&
    [ "$(sed -n "s/^arena *0 *\([0-9]*\)  .*$memory.*/\1/p" "$work/table")" -ge 1000 ]
}

# checks_stack TEMPLATE: true if the stack of main() is at most the 1,024 bytes that the template states, and if the project does not link
# with a need of more than the 2,048 bytes of the linker script.
checks_stack() {
  sh "$BATON/examples/cortex_m/stack.sh" "$work/$1/$image" main > "$work/stack" || return 1
  [ "$(sed 's/^main: //' "$work/stack")" -le 1024 ] || return 1
  case $1 in
    stm32cube-make) set -- "$work/$1/digits" make BATON="sh $BATON/tools/baton" STACK=2049 ;;
    *)
      sed -i 's/needed_stack_bytes=1024/needed_stack_bytes=2049/' "$work/$1/digits/CMakeLists.txt"
      set -- "$work/$1/digits" cmake --build build
      ;;
  esac
  cd "$1" || return 1
  shift
  rm build/digits.elf
  ! "$@" > "$work/stack" 2>&1 && grep -q 'the stack is too small; increase _Min_Stack_Size to needed_stack_bytes$' "$work/stack"
}

mkdir "$work/bin"
PATH=$work/bin:$PATH
failed=''
for template in "$@"; do
  image=digits/build/digits.elf
  arguments=''
  memory='[A-Za-z]' # the name of the arena's memory, as a pattern
  case $template in
    stm32cube-cmake | pico-sdk)
      [ -d "$PREFIX" ] || { cmake -S "$BATON" -B "$work/package" && cmake --install "$work/package" --prefix "$PREFIX"; } > "$work/install.log" 2>&1
      ;;
  esac
  case $template in
    stm32cube-*) memory=RAM2 ;;
    pico-sdk)
      if [ -n "${PICO_SDK_PATH-}" ]; then
        image=''
        arguments=-DPICO_NO_PICOTOOL=1 # whose sources the SDK would download
      else
        stand_in_for_pico_sdk
      fi
      ;;
    zephyr)
      stand_in_for_zephyr
      image=digits/build/zephyr/zephyr.elf
      ;;
    esp-idf) stand_in_for_esp_idf ;;
    arduino)
      stand_in_for_arduino
      image=digits/build/digits.ino.elf
      ;;
  esac
  chmod +x "$work/bin"/* 2> /dev/null
  if ! build "$template"; then
    fault="the build failed"
  elif ! has_parts "$work/$template.log"; then
    fault="the table of sizes is incomplete, or the arena is not in $memory"
  elif [ -n "$image" ] && ! prints_digit "$work/$template/$image"; then
    fault="the image does not print the digit: $(cat "$work/said")"
  elif [ "$memory" = RAM2 ] && ! (checks_stack "$template"); then
    fault="the need of stack is not checked: $(tail -n 3 "$work/stack")"
  else
    echo "passed: $template"
    continue
  fi
  tail -n 30 "$work/$template.log"
  echo "FAILED: $template: $fault"
  failed="$failed $template"
done
[ -z "$failed" ]
