# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Checks the reports that baton_report() writes about project/program.hpp. As a script: cmake -DFOLDER=<folder> -P check_reports.cmake.
function(check_reports folder)
  foreach(expected IN ITEMS "report.txt;ConsumerNpu, lowered_module_0" "report.txt;the operator is not in the list" "report.txt;kernels: no kernel" "report.json;\"baton_report\": 1"
                            "report.json;\"file\": \"consumer.tflite\"," "report.json;\"policy\": \"no_reuse\"," "report.json;\"strategy\": \"no_reuse\","
                            "report.dot;digraph" "report.html;</script></body></html>")
    list(GET expected 0 name)
    list(SUBLIST expected 1 -1 text)
    list(JOIN text ";" text)
    file(READ "${folder}/${name}" report)
    string(FIND "${report}" "${text}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "${folder}/${name} does not contain: ${text}")
    endif()
  endforeach()
endfunction()
if(FOLDER)
  check_reports("${FOLDER}")
endif()
