# Header-only libraries of the host for a build by emscripten. The directory that they are in also holds the headers of
# the host's C library, which must not be seen: so that a directory of links to just these stands in its place, and
# find_package finds targets that point there.
set(renyi_headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${renyi_headers})

function(renyi_link_headers directory)
  find_path(RENYI_HOST_${directory} ${directory} PATHS /usr/local/include /usr/include
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(CREATE_LINK ${RENYI_HOST_${directory}}/${directory} ${renyi_headers}/${directory} SYMBOLIC)
endfunction()

function(renyi_header_only package target)
  if(NOT TARGET ${target})
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${target} SYSTEM INTERFACE ${renyi_headers})
  endif()
  string(TOLOWER ${package} file)
  file(WRITE ${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/${file}-config.cmake "# ${target} is defined in cmake/wasm/headers.cmake\n")
  file(WRITE ${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/${file}-config-version.cmake "set(PACKAGE_VERSION_COMPATIBLE TRUE)\n")
endfunction()

foreach(directory IN ITEMS fmt nlohmann boost kissfft hwy)
  renyi_link_headers(${directory})
endforeach()
renyi_header_only(fmt fmt::fmt-header-only)
target_compile_definitions(fmt::fmt-header-only INTERFACE FMT_HEADER_ONLY=1)
renyi_header_only(nlohmann_json nlohmann_json::nlohmann_json)
renyi_header_only(Boost Boost::headers)
set(RENYI_HIGHWAY_HEADERS ${renyi_headers} CACHE PATH "Highway's headers")
