# Finds Arb as a separate library (up to 2.23; Debian calls it flint-arb) or inside FLINT (from 3.0). Defines Arb::arb.
find_path(Arb_INCLUDE_DIR NAMES flint/arb.h arb.h)
find_library(Arb_FLINT_LIBRARY NAMES flint)
if(EXISTS "${Arb_INCLUDE_DIR}/flint/arb.h")
  set(Arb_LIBRARY ${Arb_FLINT_LIBRARY})
else()
  find_library(Arb_LIBRARY NAMES flint-arb arb)
endif()
find_library(Arb_MPFR_LIBRARY NAMES mpfr)
find_library(Arb_GMP_LIBRARY NAMES gmp)
mark_as_advanced(Arb_INCLUDE_DIR Arb_FLINT_LIBRARY Arb_LIBRARY Arb_MPFR_LIBRARY Arb_GMP_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Arb
  REQUIRED_VARS Arb_LIBRARY Arb_FLINT_LIBRARY Arb_MPFR_LIBRARY Arb_GMP_LIBRARY Arb_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Install libflint-arb-dev (Debian) or FLINT 3, or configure with -DRENYI_CERTIFY=OFF")

if(Arb_FOUND AND NOT TARGET Arb::arb)
  add_library(Arb::arb INTERFACE IMPORTED)
  set_target_properties(Arb::arb PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${Arb_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${Arb_LIBRARY};${Arb_FLINT_LIBRARY};${Arb_MPFR_LIBRARY};${Arb_GMP_LIBRARY}")
endif()
