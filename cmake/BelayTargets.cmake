# How Belay declares its libraries, programs, resources and tests.
#
#   belay_add_library(BelayFoo [SHARED|OBJECT] SRCS ... [DEPS ...] [NO_LLVM]
#                     [MLIR] [EXCEPTIONS])
#   belay_add_executable(foo SRCS ... [DEPS ...] [LIBEXEC|DEVELOPER] [NO_LLVM]
#                     [MLIR] [EXCEPTIONS] [QUICK_START])
#   belay_mlir_tablegen(<output> <mlir-tblgen arguments>)
#   belay_add_headers(<folder of the install tree> <source folder>)
#   belay_add_unittest(foo SRCS ... [DEPS ...] [NO_LLVM])
#
# Sources include each other from src/: #include "targets/Target.h", and what users
# include from include/: #include "belay/elements.h".
# NO_LLVM keeps LLVM's headers and library away from code that has to start in
# microseconds or be linked into a kernel. MLIR adds MLIR's library.
# SHARED libraries are private: they go to lib/belay, and nothing outside of Belay
# links them. DEVELOPER programs are for those who work on Belay, and not installed.
# QUICK_START links LLVM's and Clang's archives instead of their shared
# libraries, for programs that are started once per kernel.

function(_belay_target_options target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "NO_LLVM;MLIR;EXCEPTIONS" "" "DEPS")
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>")
  if(NOT ARG_MLIR)
    # The parts that work on IR know of include/ only what src/targets tells them.
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/include")
  endif()
  # Generated code is not ours to tidy.
  target_include_directories(${target} SYSTEM PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/src>")
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wno-unused-parameter -Wnon-virtual-dtor -Woverloaded-virtual
    -Werror=return-type -Werror=switch -Werror=uninitialized
    -Werror=non-virtual-dtor -Werror=format)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE
      -Wimplicit-fallthrough -Wmissing-field-initializers
      -Werror=shadow-field -Werror=unused-result)
  endif()
  if(BELAY_WERROR)
    # libstdc++'s own algorithms use what it deprecates.
    target_compile_options(${target} PRIVATE
      -Werror -Wno-error=deprecated-declarations)
  endif()
  if(NOT ARG_EXCEPTIONS)
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-fno-rtti>")
  endif()
  if(NOT ARG_NO_LLVM)
    target_include_directories(${target} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
    separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
    target_compile_definitions(${target} PUBLIC ${definitions})
    # See docs/decisions/0001-llvm-dylib.md. The program decides for all of the
    # libraries that it links.
    target_link_libraries(${target} PUBLIC
      "$<IF:$<BOOL:$<TARGET_PROPERTY:BELAY_QUICK_START>>,BelayArchivedLLVM,LLVM>")
  endif()
  if(ARG_MLIR)
    target_link_libraries(${target} PUBLIC MLIR)
  endif()
  target_link_libraries(${target} PUBLIC ${ARG_DEPS})
endfunction()

macro(_belay_forward)
  set(forward DEPS ${ARG_DEPS})
  foreach(flag NO_LLVM MLIR EXCEPTIONS)
    if(ARG_${flag})
      list(APPEND forward ${flag})
    endif()
  endforeach()
endmacro()

function(belay_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "SHARED;OBJECT;NO_LLVM;MLIR;EXCEPTIONS" ""
    "SRCS;DEPS")
  set(kind STATIC)
  if(ARG_SHARED)
    set(kind SHARED)
  elseif(ARG_OBJECT)
    set(kind OBJECT)
  endif()
  add_library(${name} ${kind} ${ARG_SRCS})
  _belay_forward()
  _belay_target_options(${name} ${forward})
  if(ARG_SHARED)
    set_target_properties(${name} PROPERTIES
      LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${BELAY_INSTALL_LIB}"
      INSTALL_RPATH "$ORIGIN")
    install(TARGETS ${name} LIBRARY DESTINATION ${BELAY_INSTALL_LIB})
  endif()
endfunction()

# LIBEXEC programs are started by `belay`, never by hand; they go to
# libexec/belay in the build tree and in the install tree.
function(belay_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG
    "LIBEXEC;DEVELOPER;NO_LLVM;MLIR;EXCEPTIONS;QUICK_START" "" "SRCS;DEPS")
  add_executable(${name} ${ARG_SRCS})
  if(ARG_QUICK_START)
    belay_start_quickly(${name})
  endif()
  _belay_forward()
  _belay_target_options(${name} ${forward})
  if(ARG_LIBEXEC)
    set_target_properties(${name} PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY "${BELAY_LIBEXEC_DIR}"
      INSTALL_RPATH "$ORIGIN/../../${BELAY_INSTALL_LIB}")
    install(TARGETS ${name} RUNTIME DESTINATION ${BELAY_INSTALL_LIBEXEC})
  elseif(NOT ARG_DEVELOPER)
    set_target_properties(${name} PROPERTIES
      INSTALL_RPATH "$ORIGIN/../${BELAY_INSTALL_LIB}")
    install(TARGETS ${name} RUNTIME DESTINATION bin)
  endif()
endfunction()

# Packages of LLVM without its archives are fine: everything starts slower.
function(belay_start_quickly name)
  if(BELAY_HAVE_LLVM_ARCHIVES)
    # Nothing to relocate at all, neither symbols nor addresses.
    set_target_properties(${name} PROPERTIES BELAY_QUICK_START ON
      INSTALL_RPATH_USE_LINK_PATH OFF)
    target_link_options(${name} PRIVATE -no-pie -Wl,--gc-sections)
  endif()
endfunction()

# Installs a source folder as <prefix>/<folder>. The build tree gets a link, so
# that an edited header is used by the next `belay run` without a build. Headers
# that only programs with libbelay.so include are not for belay to have.
function(belay_add_headers folder directory)
  cmake_path(ABSOLUTE_PATH directory)
  cmake_path(SET link "${PROJECT_BINARY_DIR}/${folder}")
  cmake_path(GET link PARENT_PATH parent)
  file(MAKE_DIRECTORY "${parent}")
  file(CREATE_LINK "${directory}" "${link}" SYMBOLIC)
  install(DIRECTORY "${directory}/" DESTINATION ${folder}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp"
    PATTERN "*.inc" PATTERN "*.def" PATTERN "*.ignore"
    REGEX "${PROJECT_SOURCE_DIR}/include/belay/(c|compiler)\\.h" EXCLUDE)
endfunction()

# One GoogleTest program per folder, one ctest test per program: starting a
# process for each case would cost more than the cases.
function(belay_add_unittest name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "NO_LLVM;MLIR;EXCEPTIONS" "" "SRCS;DEPS")
  add_executable(${name} ${ARG_SRCS})
  list(APPEND ARG_DEPS GTest::gtest GTest::gtest_main)
  _belay_forward()
  _belay_target_options(${name} ${forward})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test/bin")
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
endfunction()

# TableGen files include each other as sources do: "dialect/TileOps.td".
macro(belay_mlir_tablegen output)
  mlir_tablegen("${output}" ${ARGN} EXTRA_INCLUDES "${PROJECT_SOURCE_DIR}/src"
    ${MLIR_INCLUDE_DIRS})
endmacro()
