# Puts the page that `make web` built, the files under <build>/web, into the program: as they are, and compressed.
# Without them the program has no page. The build looks again whenever it runs.
#
# As a script, cmake -D file=FILE -D output=OUTPUT -P RenyiPage.cmake compresses one file; the output is empty if that
# does not make it smaller.
if(CMAKE_SCRIPT_MODE_FILE)
  execute_process(COMMAND gzip -9 -n -c ${file} OUTPUT_FILE ${output} COMMAND_ERROR_IS_FATAL ANY)
  file(SIZE ${file} plain)
  file(SIZE ${output} compressed)
  if(compressed GREATER_EQUAL plain)
    file(WRITE ${output} "")
  endif()
  return()
endif()

set(renyi_page_script ${CMAKE_CURRENT_LIST_FILE})

# Sets `result` to the source file that defines renyi::server::embedded_page.
function(renyi_embed_page result)
  set(from ${PROJECT_BINARY_DIR}/web)
  set(to ${PROJECT_BINARY_DIR}/page)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${from}/*)
  list(SORT files)
  list(FILTER files EXCLUDE REGEX "\\.map$")
  if(NOT ${from}/index.html IN_LIST files)
    set(files)
  endif()
  # The assembler reads the files: a compiler would take minutes for arrays of this size.
  set(texts "")
  set(declarations "")
  set(rows "")
  set(needed "")
  set(number 0)
  foreach(file IN LISTS files)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${from} OUTPUT_VARIABLE path)
    set(compressed ${to}/${number}.gz)
    add_custom_command(OUTPUT ${compressed}
      COMMAND ${CMAKE_COMMAND} -D file=${file} -D output=${compressed} -P ${renyi_page_script}
      DEPENDS ${file} ${renyi_page_script}
      COMMENT "Compressing ${path}"
      VERBATIM)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})  # its tag changes with it
    file(SHA256 ${file} digest)
    string(SUBSTRING ${digest} 0 32 digest)
    string(APPEND texts
      "asm(\".section .rodata\\n.balign 16\\nrenyi_page_${number}:\\n.incbin \\\"${file}\\\"\\nrenyi_page_${number}_end:\\n\"\n"
      "    \".balign 16\\nrenyi_page_${number}_gz:\\n.incbin \\\"${compressed}\\\"\\nrenyi_page_${number}_gz_end:\\n.byte 0\\n.text\\n\");\n")
    string(APPEND declarations
      "extern const char renyi_page_${number}[], renyi_page_${number}_end[], renyi_page_${number}_gz[], renyi_page_${number}_gz_end[];\n")
    string(APPEND rows
      "      {\"/${path}\", between(renyi_page_${number}, renyi_page_${number}_end), between(renyi_page_${number}_gz, renyi_page_${number}_gz_end), \"\\\"${digest}\\\"\"},\n")
    list(APPEND needed ${file} ${compressed})
    math(EXPR number "${number} + 1")
  endforeach()
  set(source ${to}/page_files.cpp)
  if(files)
    file(CONFIGURE OUTPUT ${source} CONTENT "// Made by cmake/RenyiPage.cmake.
#include <array>

#include \"apps/server/page.h\"

${texts}extern \"C\" {
${declarations}}

namespace renyi::server {

std::span<const PageFile> embedded_page() noexcept {
  const auto between = [](const char* begin, const char* end) { return std::string_view(begin, static_cast<std::size_t>(end - begin)); };
  static const std::array<PageFile, ${number}> files{{
${rows}  }};
  return files;
}

}  // namespace renyi::server
" @ONLY)
    set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${needed}")
  else()
    file(CONFIGURE OUTPUT ${source} CONTENT "// Made by cmake/RenyiPage.cmake: there was no page.
#include \"apps/server/page.h\"

namespace renyi::server {

std::span<const PageFile> embedded_page() noexcept { return {}; }

}  // namespace renyi::server
" @ONLY)
  endif()
  set(${result} ${source} PARENT_SCOPE)
endfunction()
