# find_package(Belay): the command, its library, and kernels in CMake projects.
#
#   BELAY_COMMAND      the belay program
#   Belay::belay       libbelay.so with belay/c.h and belay/compiler.h
#   Belay::host        belay/host.h: programs that launch kernels, on CANN or simulated
#   Belay::kernel      belay/kernel.h: kernels of the language as C++, for their tests
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

find_package(Threads REQUIRED)
foreach(_belay_part kernel host)
  if(NOT TARGET Belay::${_belay_part})
    add_library(Belay::${_belay_part} INTERFACE IMPORTED)
    set_target_properties(Belay::${_belay_part} PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${BELAY_PREFIX}/include"
      INTERFACE_COMPILE_FEATURES cxx_std_20
      INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS}")
  endif()
endforeach()
# Where programs look for the simulated device, after BELAY_HOME.
set_property(TARGET Belay::host PROPERTY
  INTERFACE_COMPILE_DEFINITIONS "BELAY_PREFIX=\"${BELAY_PREFIX}\"")

include("${CMAKE_CURRENT_LIST_DIR}/BelayKernel.cmake")
