# What the programs and libraries of the package link, as dependencies of Debian. CPack can
# find that out itself, but starts two programs for each of the package's 3,000 files to see
# which of them are binaries, and that takes longer than all else that it does.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(binaries)
file(GLOB_RECURSE candidates "${CPACK_BELAY_BUILD}/libexec/belay/*"
  "${CPACK_BELAY_BUILD}/lib/belay/*")
foreach(path "${CPACK_BELAY_BUILD}/bin/belay" "${CPACK_BELAY_BUILD}/lib/libbelay.so.1.0"
    ${candidates})
  file(READ "${path}" magic LIMIT 4 HEX)
  if(magic STREQUAL "7f454c46")
    list(APPEND binaries "${path}")
  endif()
endforeach()
find_program(CPACK_SHLIBDEPS dpkg-shlibdeps REQUIRED)
# It does not start without a source package.
set(folder "${CPACK_BELAY_BUILD}/debian/shlibdeps")
file(WRITE "${folder}/debian/control" "Source: belay\n\nPackage: belay\nArchitecture: any\n")
execute_process(COMMAND "${CPACK_SHLIBDEPS}" "-l${CPACK_BELAY_BUILD}/lib/belay"
    "-l${CPACK_BELAY_BUILD}/lib/belay/device" --ignore-missing-info -O ${binaries}
  WORKING_DIRECTORY "${folder}" OUTPUT_VARIABLE said ERROR_VARIABLE wrong RESULT_VARIABLE status
  OUTPUT_STRIP_TRAILING_WHITESPACE)
if(status OR NOT said MATCHES "^shlibs:Depends=(.+)$")
  message(FATAL_ERROR "dpkg-shlibdeps: ${wrong}${said}")
endif()
string(APPEND CPACK_DEBIAN_BELAY_PACKAGE_DEPENDS ", ${CMAKE_MATCH_1}")
