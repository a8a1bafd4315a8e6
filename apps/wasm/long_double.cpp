// Functions of long double, which has 113 bits in WebAssembly: emscripten's C library gives those of double instead,
// with their range and their precision (the sources say so), while the library relies on more of both. These take their
// place.
#include <cmath>

#include "apps/wasm/extended_functions.h"

namespace renyi::wasm {
namespace long_double_file {
namespace {

constexpr Functions<long double> functions(&::frexpl, &::scalbnl);

}  // namespace
}  // namespace long_double_file
}  // namespace renyi::wasm

extern "C" {

long double expl(long double x) { return renyi::wasm::long_double_file::functions.exp(x); }
long double expm1l(long double x) { return renyi::wasm::long_double_file::functions.expm1(x); }
long double logl(long double x) { return renyi::wasm::long_double_file::functions.log(x); }
long double log1pl(long double x) { return renyi::wasm::long_double_file::functions.log1p(x); }
long double log2l(long double x) { return renyi::wasm::long_double_file::functions.log2(x); }
long double sinhl(long double x) { return renyi::wasm::long_double_file::functions.sinh(x); }
long double coshl(long double x) { return renyi::wasm::long_double_file::functions.cosh(x); }
long double tanhl(long double x) { return renyi::wasm::long_double_file::functions.tanh(x); }
long double asinhl(long double x) { return renyi::wasm::long_double_file::functions.asinh(x); }
long double erfl(long double x) { return renyi::wasm::long_double_file::functions.erf(x); }
long double erfcl(long double x) { return renyi::wasm::long_double_file::functions.erfc(x); }
long double lgammal(long double x) { return renyi::wasm::long_double_file::functions.lgamma(x); }
long double powl(long double x, long double y) { return renyi::wasm::long_double_file::functions.pow(x, y); }

}  // extern "C"
