# libFuzzer needs the whole program instrumented, so the flags are global.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "RENYI_BUILD_FUZZ needs clang: configure with the preset 'fuzz' or CMAKE_CXX_COMPILER=clang++-14")
endif()
set(renyi_fuzz_sanitizers address,undefined)
add_compile_options(
  -fsanitize=fuzzer-no-link,${renyi_fuzz_sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
add_link_options(-fsanitize=${renyi_fuzz_sanitizers})
