# Packages: `cpack --config build/release/CPackConfig.cmake` makes belay, libbelay-dev and
# python3-belay-npu for Debian, and a tarball of everything. scripts/make-wheel makes the
# wheel. docs/install.md says what is in which.
set(BELAY_PACKAGE_MAINTAINER "Belay developers <belay@belay.invalid>" CACHE STRING
  "Who answers for the packages: a name and an address")

# Without belay, the module cannot do anything; so their versions are the same.
set(python_folder lib/python3/dist-packages)
install(DIRECTORY python/belay_npu DESTINATION ${python_folder} COMPONENT python
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed"
  PATTERN "__pycache__" EXCLUDE)
# What pip would write: pytest finds the plugin by it.
set(metadata "${PROJECT_BINARY_DIR}/python/belay_npu-${PROJECT_VERSION}.dist-info")
file(WRITE "${metadata}/METADATA"
  "Metadata-Version: 2.1\nName: belay-npu\nVersion: ${PROJECT_VERSION}\n")
file(STRINGS python/pyproject.toml plugin REGEX "^belay = ")
string(REPLACE "\"" "" plugin "${plugin}")
file(WRITE "${metadata}/entry_points.txt" "[pytest11]\n${plugin}\n")
install(DIRECTORY "${metadata}" DESTINATION ${python_folder} COMPONENT python)

# Each package of Debian has a copyright and a changelog.
# SOURCE_DATE_EPOCH decides on the date, if it is set.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(component belay dev python)
  set(package belay)
  if(component STREQUAL "dev")
    set(package libbelay-dev)
  elseif(component STREQUAL "python")
    set(package python3-belay-npu)
  endif()
  set(folder "${PROJECT_BINARY_DIR}/debian/${package}")
  configure_file(cmake/package/copyright "${folder}/copyright" COPYONLY)
  file(WRITE "${folder}/changelog"
    "belay (${PROJECT_VERSION}) unstable; urgency=medium\n\n"
    "  * See CHANGELOG.md.\n\n -- ${BELAY_PACKAGE_MAINTAINER}  ${date}\n")
  execute_process(COMMAND "${BELAY_GZIP}" -9nkf "${folder}/changelog")
  install(FILES "${folder}/copyright" "${folder}/changelog.gz"
    DESTINATION ${BELAY_INSTALL_DOC}/${package} COMPONENT ${component})
endforeach()

set(CPACK_PACKAGE_NAME belay)
set(CPACK_PACKAGE_VENDOR Belay)
set(CPACK_PACKAGE_CONTACT "${BELAY_PACKAGE_MAINTAINER}")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_COMPONENTS_ALL belay dev python)
set(CPACK_STRIP_FILES ON)
# Folders as Debian wants them, whatever the umask is.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${BELAY_PACKAGE_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# Kernels are compiled by Clang, linked by lld, against the system's headers.
set(CPACK_DEBIAN_BELAY_PACKAGE_NAME belay)
set(CPACK_DEBIAN_BELAY_PACKAGE_SECTION devel)
string(JOIN ", " CPACK_DEBIAN_BELAY_PACKAGE_DEPENDS
  clang-${LLVM_VERSION_MAJOR} lld-${LLVM_VERSION_MAJOR} libstdc++-12-dev python3:any)
set(CPACK_DEBIAN_BELAY_PACKAGE_RECOMMENDS "git, python3-numpy")
# Loaded when they are needed: models that are asked, a queue of many hosts.
set(CPACK_DEBIAN_BELAY_PACKAGE_SUGGESTS "libcurl4, libpq5, python3-torch")
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/cmake/package/dependencies.cmake")
set(CPACK_BELAY_BUILD "${PROJECT_BINARY_DIR}")
# Programs that link libbelay.so.1 need this package; the loader's cache has to know it.
file(WRITE "${PROJECT_BINARY_DIR}/debian/shlibs"
  "libbelay 1 belay (>= ${PROJECT_VERSION})\n")
file(WRITE "${PROJECT_BINARY_DIR}/debian/triggers" "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_BELAY_PACKAGE_CONTROL_EXTRA
  "${PROJECT_BINARY_DIR}/debian/shlibs" "${PROJECT_BINARY_DIR}/debian/triggers")
install(FILES cmake/package/belay.overrides
  DESTINATION share/lintian/overrides RENAME belay)
set(CPACK_DEBIAN_BELAY_DESCRIPTION
"Belay runs, checks, proves and times kernels for Huawei Ascend NPUs on a
machine that has neither an NPU nor CANN, and compiles them for one that has.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libbelay-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "belay (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEV_DESCRIPTION
"What programs link that check and compile kernels themselves: libbelay.so,
its headers, and the CMake package, which also has belay_add_kernel.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-belay-npu)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3:any, belay (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
  "${PROJECT_SOURCE_DIR}/cmake/package/python/postinst"
  "${PROJECT_SOURCE_DIR}/cmake/package/python/prerm")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS python3-numpy)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-torch, python3-pytest")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION
"Kernels as functions on NumPy arrays and PyTorch tensors, run on a simulated
device in the process: import belay_npu as belay.")
include(CPack)

add_custom_target(uninstall
  COMMAND "${CMAKE_COMMAND}" "-DBUILD=${PROJECT_BINARY_DIR}"
    -P "${PROJECT_SOURCE_DIR}/cmake/Uninstall.cmake"
  COMMENT "Removing what was installed" VERBATIM)
