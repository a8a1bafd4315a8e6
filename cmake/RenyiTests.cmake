# Functions that define the programs under tests/.

# Every test program can include the public headers, the internal headers of the library (src/ is an include root here
# as well), the requests, and the helpers in tests/.
function(renyi_test_program target)
  add_executable(${target} ${ARGN})
  renyi_target_defaults(${target})
  renyi_optimize_nothing(${target})
  target_compile_options(${target} PRIVATE -Wno-unused-result)  # tests call functions for what they throw
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${target} PRIVATE
    RENYI_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    TEST_DATA_DIR="${PROJECT_SOURCE_DIR}/tests/truth/data")
  target_link_libraries(${target} PRIVATE
    renyi::renyi renyi::api renyi::certify fmt::fmt-header-only nlohmann_json::nlohmann_json Boost::headers)
endfunction()

# Makes one gtest program <kind>_tests from all .cpp files under tests/<kind>; each of its tests is a ctest entry with
# the label <kind>. Further arguments are those of gtest_discover_tests.
function(renyi_add_tests kind)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${kind}/*.cpp)
  if(NOT RENYI_CERTIFY)
    list(FILTER sources EXCLUDE REGEX "/tests/.*certif")
  endif()
  if(NOT RENYI_BUILD_CLI)
    list(FILTER sources EXCLUDE REGEX "/unit/apps/")
  endif()
  list(FILTER sources EXCLUDE REGEX "/noise/secrets/|/ledger/worker/")  # programs of their own
  renyi_test_program(${kind}_tests ${sources})
  renyi_compile_in_groups(${kind}_tests)
  target_link_libraries(${kind}_tests PRIVATE GTest::gmock GTest::gtest_main)
  if(kind MATCHES "^(property|worlds)$")
    # These tests compute long sums for comparison.
    renyi_optimize_lightly(${kind}_tests)
  endif()
  gtest_discover_tests(${kind}_tests
    ${ARGN}
    TEST_PREFIX ${kind}/
    NO_PRETTY_VALUES
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 3600
    PROPERTIES LABELS ${kind})
endfunction()

# Adds tests/python/test_<name>.py, which runs with the package in <build>/python.
function(renyi_add_python_test file)
  cmake_path(GET file STEM name)
  string(REGEX REPLACE "^test_" "" name ${name})
  add_test(NAME python/${name}
    COMMAND ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider ${file}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(python/${name} PROPERTIES
    LABELS python
    ENVIRONMENT "PYTHONPATH=${PROJECT_BINARY_DIR}/python;PYTHONDONTWRITEBYTECODE=1;MPLBACKEND=Agg;RENYI_BINARY=${PROJECT_BINARY_DIR}/bin/renyi")
endfunction()

# Adds tests/http/test_<name>.py, which starts servers of its own.
function(renyi_add_http_test file)
  cmake_path(GET file STEM name)
  string(REGEX REPLACE "^test_" "" name ${name})
  add_test(NAME http/${name}
    COMMAND ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider ${file}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(http/${name} PROPERTIES
    LABELS http
    ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;RENYI_BINARY=$<TARGET_FILE:renyi_cli>")
endfunction()

# Adds fuzz_<name>.cpp as a test that replays tests/fuzz/corpus/<name>.
function(renyi_add_replay source)
  cmake_path(GET source STEM program)
  string(REGEX REPLACE "^fuzz_" "" name ${program})
  renyi_test_program(replay_${name} ${source} fuzz/replay_main.cpp)
  add_test(NAME fuzz/replay_${name} COMMAND replay_${name} ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name})
  set_tests_properties(fuzz/replay_${name} PROPERTIES LABELS fuzz)
endfunction()

# Adds fuzz_<name>.cpp as a libFuzzer program in <build>/bin.
function(renyi_add_fuzzer source)
  cmake_path(GET source STEM program)
  renyi_test_program(${program} ${source})
  target_link_options(${program} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endfunction()
