# Compiler options of all targets of the project.
include(CheckCXXCompilerFlag)

set(renyi_position_independent ON)
if(EMSCRIPTEN)  # which loads at one place, and reaches data by a table if it need not
  set(renyi_position_independent OFF)
endif()

function(renyi_target_defaults target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ${renyi_position_independent})
  # Error estimates assume that every operation rounds once, as written: the compiler must not introduce fused
  # multiply-adds, and fast-math is never allowed.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -ffp-contract=off)
  # GCC 12 moves 128-bit integers through MMX registers and does not clear them, after which long doubles, as in log2l,
  # are NaN in the whole thread.
  check_cxx_compiler_flag(-mno-mmx RENYI_HAS_NO_MMX)
  if(RENYI_HAS_NO_MMX)
    target_compile_options(${target} PRIVATE -mno-mmx)
  endif()
  if(RENYI_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Compiles the sources of a target in groups: the headers of a group are read once, which takes a fifth of the time.
# Larger groups would make the build after a change of one line slow. File-local names are in a namespace of their file
# (CONTRIBUTING.md), so that the files of a group do not conflict. Files for Highway's targets include themselves again,
# and are compiled separately.
function(renyi_compile_in_groups target)
  if(NOT RENYI_GROUPS)
    return()
  endif()
  # Tests share helpers that are not all meant for each other.
  set(size 48)
  if(EMSCRIPTEN)  # built whole and seldom: less is read twice
    set(size 140)
  endif()
  if(target MATCHES "_tests$")
    set(size 24)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
  # The compiler treats every included file as a header, where types with file-local members would be a mistake.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.cpp$")
      file(STRINGS ${source} per_target LIMIT_COUNT 1 REGEX "^#define HWY_TARGET_INCLUDE")
      if(per_target)
        set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      endif()
    endif()
  endforeach()
endfunction()

# This is for programs that only read input and print: header-only libraries make them slow to optimise, and their work
# is done in the library.
function(renyi_optimize_lightly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# This is for test programs, which are compiled more often than they run, also under sanitizers.
function(renyi_optimize_nothing target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O0>)
endfunction()
