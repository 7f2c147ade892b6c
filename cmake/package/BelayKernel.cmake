# belay_add_kernel(<name> <source>
#   SOC <soc>                       as `belay targets` lists them
#   [OBJECT | SHARED | STATIC]      the kind of library; SHARED if none is given
#   [CORE vec|cube|mix]             one kind of core only; OBJECT
#   [CHECK on|required|off]
#   [CANN <folder>]                 default: the variable BELAY_CANN, else what
#                                   belay finds by itself
#   [DEFINITIONS ...] [INCLUDE_DIRECTORIES ...] [OPTIONS ...])
#
# Makes an imported library <name> that other targets link, and builds it with
# everything else. Headers that the kernel includes are followed. The file is the
# target's property BELAY_OUTPUT.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

function(belay_add_kernel name source)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "OBJECT;SHARED;STATIC"
    "SOC;CORE;CHECK;CANN" "DEFINITIONS;INCLUDE_DIRECTORIES;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "belay_add_kernel(${name}): unexpected ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_SOC)
    message(FATAL_ERROR "belay_add_kernel(${name}): SOC is missing")
  endif()
  get_filename_component(source "${source}" ABSOLUTE)
  set(arguments --soc ${ARG_SOC})
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
  foreach(definition IN LISTS ARG_DEFINITIONS)
    list(APPEND arguments "-D${definition}")
  endforeach()
  foreach(folder IN LISTS ARG_INCLUDE_DIRECTORIES)
    get_filename_component(folder "${folder}" ABSOLUTE)
    list(APPEND arguments "-I${folder}")
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
endfunction()

cmake_policy(POP)
