# Installs BUILD_DIR into PREFIX, by way of another place: an installed tree can
# be moved. Nothing that was there before survives.
set(first_place ${PREFIX}.first)
file(REMOVE_RECURSE ${PREFIX} ${first_place})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${first_place}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${first_place} ${PREFIX})

# Programs that use the library need no other.
file(GLOB_RECURSE descriptions ${PREFIX}/*.cmake ${PREFIX}/*.pc)
if(NOT descriptions)
  message(FATAL_ERROR "nothing for find_package or pkg-config was installed")
endif()
foreach(file IN LISTS descriptions)
  file(STRINGS ${file} leaks REGEX "fmt|nlohmann|[Bb]oost|${BUILD_DIR}")
  if(leaks)
    message(FATAL_ERROR "${file} mentions what a user does not have: ${leaks}")
  endif()
endforeach()
