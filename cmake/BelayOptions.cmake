# What every target of the build shares: standard, output folders, compiler
# launcher, linker, sanitizers. Per-target flags are in BelayTargets.cmake.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# The build tree has the shape of the install tree (bin/, lib/, libexec/belay/,
# share/belay/), so that `belay` finds its resources in the same way in both.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(BELAY_LIBEXEC_DIR "${PROJECT_BINARY_DIR}/libexec/belay")
set(BELAY_SHARE_DIR "${PROJECT_BINARY_DIR}/share/belay")
# Only libbelay.so, its CMake package and the manual follow GNUInstallDirs. The rest is
# Belay's own, and found relative to the prefix: private libraries in lib/belay, as
# packages of Debian have them, whatever the folder of public libraries is.
include(GNUInstallDirs)
set(BELAY_INSTALL_LIBEXEC libexec/belay)
set(BELAY_INSTALL_SHARE share/belay)
set(BELAY_INSTALL_LIB lib/belay)
set(BELAY_INSTALL_DOC share/doc)
# What is not said to be for libbelay-dev or python3-belay-npu belongs to belay
# (BelayPackages.cmake).
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME belay)
file(MAKE_DIRECTORY "${BELAY_LIBEXEC_DIR}" "${BELAY_SHARE_DIR}")

# An installed belay finds LLVM where it was linked.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

if(BELAY_USE_CCACHE)
  find_program(CCACHE_PROGRAM ccache)
  if(CCACHE_PROGRAM)
    # Paths below the base are hashed relative to it, so that another checkout of
    # the same sources finds what this one has compiled.
    set(launcher "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
      "${CCACHE_PROGRAM}")
    set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  endif()
endif()

if(BELAY_USE_LLD AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=lld BELAY_HAVE_LLD)
  if(BELAY_HAVE_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

if(BELAY_ENABLE_ASSERTIONS)
  foreach(config RELEASE RELWITHDEBINFO MINSIZEREL)
    string(REGEX REPLACE "(^| )-DNDEBUG" "" CMAKE_CXX_FLAGS_${config}
      "${CMAKE_CXX_FLAGS_${config}}")
    string(REGEX REPLACE "(^| )-DNDEBUG" "" CMAKE_C_FLAGS_${config}
      "${CMAKE_C_FLAGS_${config}}")
  endforeach()
endif()

if(BELAY_SANITIZERS)
  add_compile_options(-fsanitize=${BELAY_SANITIZERS} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${BELAY_SANITIZERS})
endif()

# Ninja hides that it speaks to a terminal, so colours have to be asked for.
if(CMAKE_GENERATOR STREQUAL "Ninja")
  add_compile_options(-fdiagnostics-color=always)
endif()
