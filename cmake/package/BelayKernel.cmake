# belay_add_kernel(<name> <source>
#   SOC <soc>                       as `belay targets` lists them
#   [DEVICE cann|simulated]         default: the variable BELAY_DEVICE, else cann
#   [DEFINITIONS ...] [INCLUDE_DIRECTORIES ...]
#
#   for DEVICE cann, which needs CANN's compiler:
#   [OBJECT | SHARED | STATIC]      the kind of library; SHARED if none is given
#   [CORE vec|cube|mix]             one kind of core only; OBJECT
#   [CHECK on|required|off]
#   [CANN <folder>]                 default: the variable BELAY_CANN, else what
#                                   belay finds by itself
#   [OPTIONS ...]
#
#   for DEVICE simulated, which needs nothing but Belay:
#   [KERNELS <name>...]             instances of templates: "softmax<1024>"
#   [ALLOW_GUARDS])                 kernels of the language need not be proven
#
# DEVICE cann makes an imported library <name> that other targets link. DEVICE
# simulated makes an object for the simulated device, which programs load, and of
# kernels of the language their launchers; programs that link <name> find the launchers
# (#include "softmax_1024.h") and the object's path as the macro BELAY_OBJECT_<name>.
# Both are built with everything else, and again when a header changes. The file is the
# target's property BELAY_OUTPUT.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

function(belay_add_kernel name source)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "OBJECT;SHARED;STATIC;ALLOW_GUARDS"
    "SOC;DEVICE;CORE;CHECK;CANN"
    "DEFINITIONS;INCLUDE_DIRECTORIES;OPTIONS;KERNELS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "belay_add_kernel(${name}): unexpected ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_SOC)
    message(FATAL_ERROR "belay_add_kernel(${name}): SOC is missing")
  endif()
  if(NOT ARG_DEVICE)
    set(ARG_DEVICE cann)
    if(BELAY_DEVICE)
      set(ARG_DEVICE "${BELAY_DEVICE}")
    endif()
  endif()
  get_filename_component(source "${source}" ABSOLUTE)
  set(arguments --soc ${ARG_SOC})
  foreach(definition IN LISTS ARG_DEFINITIONS)
    list(APPEND arguments "-D${definition}")
  endforeach()
  set(folders)
  foreach(folder IN LISTS ARG_INCLUDE_DIRECTORIES)
    get_filename_component(folder "${folder}" ABSOLUTE)
    list(APPEND arguments "-I${folder}")
    list(APPEND folders "${folder}")
  endforeach()
  # What the other device needs may stand in a call that serves both.
  if(ARG_DEVICE STREQUAL "simulated")
    _belay_add_simulated_kernel()
  elseif(ARG_DEVICE STREQUAL "cann")
    _belay_add_cann_kernel()
  else()
    message(FATAL_ERROR "belay_add_kernel(${name}): DEVICE is cann or simulated, "
      "not '${ARG_DEVICE}'")
  endif()
endfunction()

# Both are parts of belay_add_kernel, and see its variables.
macro(_belay_add_cann_kernel)
  if(ARG_OBJECT OR ARG_CORE)
    set(kind OBJECT)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}.o")
  elseif(ARG_STATIC)
    set(kind STATIC)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/lib${name}.a")
    list(APPEND arguments --static)
  else()
    set(kind SHARED)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/lib${name}.so")
    list(APPEND arguments --shared)
  endif()
  if(NOT ARG_CANN AND BELAY_CANN)
    set(ARG_CANN "${BELAY_CANN}")
  endif()
  foreach(option CORE CHECK CANN)
    if(ARG_${option})
      string(TOLOWER ${option} flag)
      list(APPEND arguments --${flag} "${ARG_${option}}")
    endif()
  endforeach()
  foreach(option IN LISTS ARG_OPTIONS)
    list(APPEND arguments "--option=${option}")
  endforeach()

  add_custom_command(OUTPUT "${output}"
    COMMAND "${BELAY_COMMAND}" compile "${source}" ${arguments}
      -o "${output}" --depfile "${output}.d"
    DEPENDS "${source}" "${BELAY_COMMAND}"
    DEPFILE "${output}.d"
    COMMENT "Compiling the kernel ${name} for ${ARG_SOC}"
    VERBATIM)
  add_custom_target(${name}_kernel ALL DEPENDS "${output}")
  add_library(${name} ${kind} IMPORTED GLOBAL)
  add_dependencies(${name} ${name}_kernel)
  set_target_properties(${name} PROPERTIES BELAY_OUTPUT "${output}")
  if(kind STREQUAL "OBJECT")
    set_target_properties(${name} PROPERTIES IMPORTED_OBJECTS "${output}")
  else()
    set_target_properties(${name} PROPERTIES
      IMPORTED_LOCATION "${output}" IMPORTED_NO_SONAME TRUE)
  endif()
endmacro()

macro(_belay_add_simulated_kernel)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}.o")
  set(launchers "${CMAKE_CURRENT_BINARY_DIR}/${name}_launchers")
  if(NOT ARG_ALLOW_GUARDS)
    list(APPEND arguments --deny)
  endif()
  foreach(kernel IN LISTS ARG_KERNELS)
    list(APPEND arguments "--kernel=${kernel}")
  endforeach()
  # Headers beside the source and in the named folders are followed, not below them:
  # the build folder may be there, with the launchers.
  get_filename_component(folder "${source}" DIRECTORY)
  set(patterns)
  foreach(each IN LISTS folder folders)
    list(APPEND patterns "${each}/*.h" "${each}/*.hpp" "${each}/*.inc")
  endforeach()
  file(GLOB headers CONFIGURE_DEPENDS ${patterns})
  # Only kernels of the language have launchers; a source says what it is.
  file(READ "${source}" text)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  set(write_launchers)
  if(text MATCHES "belay::kernel[^a-zA-Z0-9_]")
    set(write_launchers
      COMMAND "${BELAY_COMMAND}" build "${source}" ${arguments} -o "${launchers}")
  else()
    list(REMOVE_ITEM arguments --deny)
  endif()
  add_custom_command(OUTPUT "${output}"
    ${write_launchers}
    COMMAND "${BELAY_COMMAND}" object "${source}" ${arguments} -o "${output}"
    DEPENDS "${source}" ${headers} "${BELAY_COMMAND}"
    COMMENT "Compiling the kernel ${name} for a simulated ${ARG_SOC}"
    VERBATIM)
  add_custom_target(${name}_kernel ALL DEPENDS "${output}")
  add_library(${name} INTERFACE IMPORTED GLOBAL)
  add_dependencies(${name} ${name}_kernel)
  file(MAKE_DIRECTORY "${launchers}")
  set_target_properties(${name} PROPERTIES
    BELAY_OUTPUT "${output}"
    INTERFACE_INCLUDE_DIRECTORIES "${launchers}"
    INTERFACE_COMPILE_DEFINITIONS "BELAY_OBJECT_${name}=\"${output}\"")
endmacro()

cmake_policy(POP)
