# fmt's formatting functions, compiled once into the library (src/fmt.cpp): header-only, every group of sources would
# compile them again, which took a tenth of the build. They are in a namespace of their own, so that a program may link
# another fmt beside ours. The file is written for fmt 9; other versions are used as headers.
find_package(fmt 9 REQUIRED)
add_library(renyi_fmt INTERFACE)
add_library(renyi::fmt ALIAS renyi_fmt)
if(fmt_VERSION VERSION_GREATER_EQUAL 10)
  target_link_libraries(renyi_fmt INTERFACE fmt::fmt-header-only)
else()
  target_include_directories(renyi_fmt SYSTEM INTERFACE
    $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(renyi_fmt INTERFACE
    "FMT_BEGIN_NAMESPACE=namespace fmt { inline namespace renyi_v9 {" "FMT_END_NAMESPACE=}}")
endif()
