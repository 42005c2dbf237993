# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# XNNPACK: its header, its library, and the thread pool that it uses.
find_path(BATON_XNNPACK_INCLUDE_DIR xnnpack.h)
find_path(BATON_PTHREADPOOL_INCLUDE_DIR pthreadpool.h)
find_library(BATON_XNNPACK_LIBRARY XNNPACK)
find_library(BATON_PTHREADPOOL_LIBRARY pthreadpool)
mark_as_advanced(BATON_XNNPACK_INCLUDE_DIR BATON_PTHREADPOOL_INCLUDE_DIR BATON_XNNPACK_LIBRARY BATON_PTHREADPOOL_LIBRARY)
# A static XNNPACK needs cpuinfo and a separate library of microkernels, which was renamed after 2024. Older versions have no such parts.
set(xnnpack_parts "")
if(BATON_XNNPACK_LIBRARY MATCHES "\\.a$")
  foreach(part IN ITEMS xnnpack-microkernels-prod microkernels-prod kleidiai cpuinfo)
    string(MAKE_C_IDENTIFIER "BATON_${part}_LIBRARY" variable)
    find_library(${variable} ${part})
    mark_as_advanced(${variable})
    if(${variable})
      list(APPEND xnnpack_parts "${${variable}}")
    endif()
  endforeach()
endif()
if(BATON_XNNPACK_INCLUDE_DIR AND BATON_PTHREADPOOL_INCLUDE_DIR AND BATON_XNNPACK_LIBRARY AND BATON_PTHREADPOOL_LIBRARY)
  baton_backend(xnnpack "${BATON_XNNPACK_LIBRARY}" ${xnnpack_parts} "${BATON_PTHREADPOOL_LIBRARY}")
  target_include_directories(baton_xnnpack SYSTEM INTERFACE "${BATON_XNNPACK_INCLUDE_DIR}" "${BATON_PTHREADPOOL_INCLUDE_DIR}")
else()
  baton_no_backend(xnnpack "XNNPACK or its header is not installed (Debian: libxnnpack-dev libpthreadpool-dev)")
endif()
