# What every target of the project is compiled with.
function(renyi_target_defaults target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  # Error estimates assume that every operation rounds once, as written: no
  # fused multiply-add behind our back, and never fast-math.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -ffp-contract=off)
  if(RENYI_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Compiles the sources of a target in groups: what a group includes is read once, which takes a fifth of the time.
# More to a group would make the build after a change of one line slow. File-local names are in a namespace of their
# file (CONTRIBUTING.md), so that files of a group do not meet. Files for Highway's targets include themselves again,
# and stay alone.
function(renyi_compile_in_groups target)
  if(NOT RENYI_GROUPS)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
  # The compiler takes every included file for a header, where types with file-local members would be a mistake.
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

# For programs that only talk: header-only libraries make them slow to optimise, and
# the work they do is in the library.
function(renyi_optimize_lightly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# For programs that only test, and are compiled more often than run, under sanitizers too.
function(renyi_optimize_nothing target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O0>)
endfunction()
