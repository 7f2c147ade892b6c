# Writes OUTPUT: one {"name", R"(text)"} per Markdown page of DIRECTORY, for an
# array initialiser. Run as a script, so that an edited page costs one compile.
file(GLOB pages "${DIRECTORY}/*.md")
list(SORT pages)
set(code "// Generated from ${DIRECTORY}. Do not edit.\n")
foreach(page IN LISTS pages)
  cmake_path(GET page STEM name)
  if(name STREQUAL "README")
    continue()
  endif()
  file(READ "${page}" text)
  string(APPEND code "{\"${name}\", R\"page(${text})page\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "${code}")
