# BelayArchivedLLVM and BelayArchivedClang: what QUICK_START programs link instead
# of libLLVM.so and libclang-cpp.so. The targets of Clang's own package cannot be
# used: where the package was built with a shared LLVM, its archives ask for it.

set(archives "${LLVM_LIBRARY_DIR}")
set(clang_parts Frontend Driver Serialization Parse Sema Analysis
  AnalysisLifetimeSafety APINotes AST ASTMatchers Edit Support Lex Options Basic)

set(BELAY_HAVE_LLVM_ARCHIVES ON)
if(NOT EXISTS "${archives}/libLLVMSupport.a")
  set(BELAY_HAVE_LLVM_ARCHIVES OFF)
endif()
foreach(part IN LISTS clang_parts)
  if(NOT EXISTS "${archives}/libclang${part}.a")
    set(BELAY_HAVE_LLVM_ARCHIVES OFF)
  endif()
endforeach()

# LLVM's archives compress with zstd, whose package may lack what CMake looks for.
if(NOT TARGET zstd::libzstd_shared)
  find_library(BELAY_ZSTD NAMES zstd libzstd.so.1)
  mark_as_advanced(BELAY_ZSTD)
  if(BELAY_ZSTD)
    add_library(zstd::libzstd_shared SHARED IMPORTED)
    set_target_properties(zstd::libzstd_shared PROPERTIES
      IMPORTED_LOCATION "${BELAY_ZSTD}")
  else()
    set(BELAY_HAVE_LLVM_ARCHIVES OFF)
  endif()
endif()

add_library(BelayArchivedLLVM INTERFACE)
add_library(BelayArchivedClang INTERFACE)
if(BELAY_HAVE_LLVM_ARCHIVES)
  llvm_map_components_to_libnames(llvm_parts support option demangle object
    targetparser bitreader bitstreamreader core profiledata frontendopenmp
    frontendhlsl mc windowsdriver)
  # LLVM's solver is not used, so that its library is not asked for.
  target_link_libraries(BelayArchivedLLVM INTERFACE
    -Wl,--as-needed ${llvm_parts})
  # They refer to each other in circles.
  list(TRANSFORM clang_parts PREPEND "${archives}/libclang")
  list(TRANSFORM clang_parts APPEND ".a")
  target_link_libraries(BelayArchivedClang INTERFACE
    "$<LINK_GROUP:RESCAN,${clang_parts}>" BelayArchivedLLVM)
endif()
