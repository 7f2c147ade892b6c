# find_package(Belay): the command, its library, and kernels in CMake projects.
#
#   BELAY_COMMAND      the belay program
#   Belay::belay       libbelay.so with belay/c.h and belay/compiler.h
#   belay_add_kernel   see BelayKernel.cmake
#
# Lies in cmake/Belay of the folder that has libbelay.so, of an install tree and of a
# build tree alike. That is lib, or lib/x86_64-linux-gnu, or lib64 of the prefix.
get_filename_component(_belay_libraries "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
foreach(_belay_up ".." "../..")
  get_filename_component(BELAY_PREFIX "${_belay_libraries}/${_belay_up}" ABSOLUTE)
  set(BELAY_COMMAND "${BELAY_PREFIX}/bin/belay")
  if(EXISTS "${BELAY_COMMAND}")
    break()
  endif()
endforeach()
if(NOT EXISTS "${BELAY_COMMAND}")
  set(Belay_FOUND FALSE)
  set(Belay_NOT_FOUND_MESSAGE "${_belay_libraries} has no ../bin/belay; is it installed?")
  return()
endif()

if(NOT TARGET Belay::belay AND EXISTS "${_belay_libraries}/libbelay.so")
  add_library(Belay::belay SHARED IMPORTED)
  set_target_properties(Belay::belay PROPERTIES
    IMPORTED_LOCATION "${_belay_libraries}/libbelay.so"
    IMPORTED_SONAME libbelay.so.1
    INTERFACE_INCLUDE_DIRECTORIES "${BELAY_PREFIX}/include")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/BelayKernel.cmake")
