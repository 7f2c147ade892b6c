# Writes HEADER with the commit of SOURCE, or with COMMIT if it is given. Without git,
# or in sources that are no checkout, the header has none.
if(NOT COMMIT)
  execute_process(
    COMMAND git -C "${SOURCE}" describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
# What is pasted into C++ is no more than a commit.
if(COMMIT AND NOT COMMIT MATCHES "^[0-9A-Za-z.+-]+$")
  message(FATAL_ERROR "'${COMMIT}' is no commit")
endif()
if(COMMIT)
  string(APPEND COMMIT ", ")
endif()
set(text "// Written by cmake/WriteCommit.cmake.\nstatic constexpr char BelayCommit[] = \"${COMMIT}\";\n")
set(before "")
if(EXISTS "${HEADER}")
  file(READ "${HEADER}" before)
endif()
if(NOT text STREQUAL before)
  file(WRITE "${HEADER}" "${text}")
endif()
