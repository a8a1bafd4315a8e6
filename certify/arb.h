// Arb's headers: a library of its own up to version 2.23, part of FLINT from 3.0 on.
#pragma once

#if __has_include(<flint/arb.h>)
#include <flint/acb.h>
#include <flint/acb_calc.h>
#include <flint/acb_dft.h>
#include <flint/acb_hypgeom.h>
#include <flint/arb.h>
#include <flint/arb_hypgeom.h>
#include <flint/arb_poly.h>
#else
#include <acb.h>
#include <acb_calc.h>
#include <acb_dft.h>
#include <acb_hypgeom.h>
#include <arb.h>
#include <arb_hypgeom.h>
#include <arb_poly.h>
#endif
