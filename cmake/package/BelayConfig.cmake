# find_package(Belay): the command, its library, and kernels in CMake projects.
#
#   BELAY_COMMAND      the belay program
#   Belay::belay       libbelay.so with belay/c.h and belay/compiler.h
#   belay_add_kernel   see BelayKernel.cmake
#
# Lies in lib/cmake/Belay of an install tree and of a build tree alike.
get_filename_component(BELAY_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(BELAY_COMMAND "${BELAY_PREFIX}/bin/belay")
if(NOT EXISTS "${BELAY_COMMAND}")
  set(Belay_FOUND FALSE)
  set(Belay_NOT_FOUND_MESSAGE "${BELAY_COMMAND} does not exist")
  return()
endif()

if(NOT TARGET Belay::belay AND EXISTS "${BELAY_PREFIX}/lib/libbelay.so")
  add_library(Belay::belay SHARED IMPORTED)
  set_target_properties(Belay::belay PROPERTIES
    IMPORTED_LOCATION "${BELAY_PREFIX}/lib/libbelay.so"
    IMPORTED_SONAME libbelay.so.1
    INTERFACE_INCLUDE_DIRECTORIES "${BELAY_PREFIX}/include")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/BelayKernel.cmake")
