# What belay says about itself, where systems look for it: manual pages and completions,
# written by the program from the tables of its commands, and the documents.

# One page for belay and one for each command. The list is in Commands.def, whose names
# are those of the commands: RunCommand is run.
file(STRINGS tools/belay/Commands.def entries REGEX "^BELAY_COMMAND")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  tools/belay/Commands.def)
find_program(BELAY_GZIP gzip REQUIRED)
mark_as_advanced(BELAY_GZIP)

# Runs belay with the given words and writes what it prints to <file>.
set(pages)
function(_belay_write_page file)
  cmake_path(GET file PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(OUTPUT "${file}"
    COMMAND belay ${ARGN} > "${file}"
    DEPENDS belay VERBATIM)
  set(pages "${pages};${file}" PARENT_SCOPE)
endfunction()

set(manual "${PROJECT_BINARY_DIR}/share/man/man1")
set(manual_pages belay)
_belay_write_page("${manual}/belay.1" help --man)
foreach(entry IN LISTS entries)
  string(REGEX REPLACE ".*\\((.*)Command\\).*" "\\1" name "${entry}")
  string(TOLOWER "${name}" name)
  _belay_write_page("${manual}/belay-${name}.1" help --man ${name})
  list(APPEND manual_pages belay-${name})
endforeach()
foreach(page IN LISTS manual_pages)
  # -n: without a time, so that the same sources make the same packages.
  add_custom_command(OUTPUT "${manual}/${page}.1.gz"
    COMMAND "${BELAY_GZIP}" -9nkf "${manual}/${page}.1"
    DEPENDS "${manual}/${page}.1" VERBATIM)
  list(APPEND pages "${manual}/${page}.1.gz")
  install(FILES "${manual}/${page}.1.gz" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endforeach()

set(completions "${PROJECT_BINARY_DIR}/share/completions")
_belay_write_page("${completions}/belay" completion bash)
_belay_write_page("${completions}/_belay" completion zsh)
_belay_write_page("${completions}/belay.fish" completion fish)
install(FILES "${completions}/belay"
  DESTINATION share/bash-completion/completions)
install(FILES "${completions}/_belay" DESTINATION share/zsh/vendor-completions)
install(FILES "${completions}/belay.fish"
  DESTINATION share/fish/vendor_completions.d)
add_custom_target(belay-pages ALL DEPENDS ${pages})

install(FILES LICENSE README.md README.zh-CN.md CHANGELOG.md DESTINATION ${BELAY_INSTALL_DOC}/belay)
install(DIRECTORY docs DESTINATION ${BELAY_INSTALL_DOC}/belay
  PATTERN "generate" EXCLUDE
  PATTERN "site" EXCLUDE)
