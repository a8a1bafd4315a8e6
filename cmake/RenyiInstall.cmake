include(CMakePackageConfigHelpers)

set(renyi_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/renyi)

install(TARGETS renyi EXPORT renyiTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/renyi DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} PATTERN c.h EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/include/renyi/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/renyi)

set(renyi_pc_names renyi)
if(RENYI_BUILD_C)
  install(TARGETS renyi_c EXPORT renyiTargets)
  install(FILES ${PROJECT_SOURCE_DIR}/include/renyi/c.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/renyi)
  list(APPEND renyi_pc_names renyi-c)
endif()

# Certified values and noise are separate components: only they need Arb and libcrypto.
if(RENYI_CERTIFY)
  install(TARGETS renyi_certify renyi_certificate renyi_noise EXPORT renyiCertifyTargets)
  install(EXPORT renyiCertifyTargets NAMESPACE renyi:: DESTINATION ${renyi_cmake_dir})
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/FindArb.cmake DESTINATION ${renyi_cmake_dir})
  list(APPEND renyi_pc_names renyi-certify renyi-noise)
  find_package(Arb REQUIRED)
  set(renyi_pc_arb "")
  if(NOT Arb_LIBRARY STREQUAL Arb_FLINT_LIBRARY)
    cmake_path(GET Arb_LIBRARY STEM renyi_pc_arb)
    string(REGEX REPLACE "^lib" "-l" renyi_pc_arb ${renyi_pc_arb})
  endif()
endif()

# The ledger is a separate component, too: only it needs SQLite. libpq is loaded when it is needed.
if(RENYI_LEDGER)
  install(TARGETS renyi_ledger EXPORT renyiLedgerTargets)
  install(EXPORT renyiLedgerTargets NAMESPACE renyi:: DESTINATION ${renyi_cmake_dir})
  list(APPEND renyi_pc_names renyi-ledger)
endif()

# Supports find_package(renyi). Before 1.0 a minor version may change the interface.
install(EXPORT renyiTargets NAMESPACE renyi:: DESTINATION ${renyi_cmake_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/renyiConfig.cmake.in renyiConfig.cmake
  INSTALL_DESTINATION ${renyi_cmake_dir})
write_basic_package_version_file(renyiConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/renyiConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/renyiConfigVersion.cmake
  DESTINATION ${renyi_cmake_dir})

# Supports pkg-config. The prefix is relative to the file's own location, so the tree can be moved.
cmake_path(APPEND renyi_pc_libdir "\${prefix}" "${CMAKE_INSTALL_LIBDIR}")
cmake_path(APPEND renyi_pc_includedir "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE renyi_pc_prefix)
foreach(name IN LISTS renyi_pc_names)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

if(RENYI_BUILD_CLI)
  install(TARGETS renyi_cli)
  # The man page and the completions, made by apps/CMakeLists.txt.
  install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR})
endif()
