# The toolchain of `make wasm`: emscripten, wherever em-config says that it is.
execute_process(COMMAND em-config EMSCRIPTEN_ROOT
  OUTPUT_VARIABLE renyi_emscripten_root OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
include(${renyi_emscripten_root}/cmake/Modules/Platform/Emscripten.cmake)
