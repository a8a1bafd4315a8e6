# What a build by emscripten needs besides its toolchain.
include(${CMAKE_CURRENT_LIST_DIR}/headers.cmake)
# Exceptions of WebAssembly itself (every browser since 2022, Node 18) cost nothing where none is thrown.
add_compile_options(-fwasm-exceptions -msimd128 -include ${CMAKE_CURRENT_LIST_DIR}/standard_library.h)
# A number that is too large for an integer of 32 bits ends the call, instead of becoming another number.
add_compile_options(-fsanitize=float-cast-overflow -fsanitize-trap=float-cast-overflow)
set(RENYI_HAS_NO_MMX FALSE)  # the compiler takes the option, and warns about it
add_link_options(-fwasm-exceptions)
