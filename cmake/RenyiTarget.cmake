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

# For programs that only talk: header-only libraries make them slow to optimise, and
# the work they do is in the library.
function(renyi_optimize_lightly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# For programs that only test, and are compiled more often than run.
function(renyi_optimize_nothing target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
endfunction()
