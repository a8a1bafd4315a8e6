// Clips records: norms, integers, their squares and their sums. No branch or address depends on the numbers.
#include "noise/kernels/clip.h"

#include "noise/exact/secret.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "noise/kernels/clip.cpp"
#include "simd/targets.h"  // compiles the rest once per instruction set
//
#include "noise/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace renyi::noise::HWY_NAMESPACE {

HWY_INLINE VD load_numbers(const double* x) { return hn::LoadU(DD(), x); }
HWY_INLINE VD load_numbers(const float* x) { return hn::PromoteTo(DD(), hn::LoadU(hn::Rebind<float, DD>(), x)); }

HWY_INLINE std::uint64_t sum_of_lanes(VU v) {
  std::uint64_t lanes[lanes_at_once];
  hn::StoreU(v, DU(), lanes);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < hn::Lanes(DU()); ++i) sum += lanes[i];
  return sum;
}

std::uint64_t greatest_bits(const double* x, std::size_t count) {
  const DI di;
  const VI positive = hn::Set(di, INT64_MAX);
  VI most = hn::Zero(di);
  for (std::size_t i = 0; i < count; i += hn::Lanes(di)) {
    const VI bits = hn::And(hn::BitCast(di, hn::LoadU(DD(), x + i)), positive);
    most = choose(hn::Gt(bits, most), bits, most);
  }
  std::int64_t lanes[lanes_at_once];
  hn::StoreU(most, di, lanes);
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < hn::Lanes(di); ++i) {
    const auto lane = static_cast<std::uint64_t>(lanes[i]);
    result = selected(result < lane, lane, result);
  }
  return result;
}

// Two sums for each lane, because an addition takes several cycles.
template <class Number>
HWY_INLINE double squares_of(const Number* x, std::size_t count, double scale) {
  const VD s = set_d(scale);
  const std::size_t lanes = hn::Lanes(DD()), pairs = count / (2 * lanes) * (2 * lanes);
  VD first = set_d(0), second = set_d(0);
  for (std::size_t i = 0; i < pairs; i += 2 * lanes) {
    const VD a = hn::Mul(load_numbers(x + i), s), b = hn::Mul(load_numbers(x + i + lanes), s);
    first = hn::MulAdd(a, a, first);
    second = hn::MulAdd(b, b, second);
  }
  for (std::size_t i = pairs; i < count; i += lanes) {
    const VD a = hn::Mul(load_numbers(x + i), s);
    first = hn::MulAdd(a, a, first);
  }
  double sums[lanes_at_once];
  hn::StoreU(hn::Add(first, second), DD(), sums);
  double sum = 0;
  for (std::size_t i = 0; i < lanes; ++i) sum += sums[i];
  return sum;
}

double squares_of_doubles(const double* x, std::size_t count, double scale) { return squares_of(x, count, scale); }
double squares_of_floats(const float* x, std::size_t count) { return squares_of(x, count, 1); }

template <class Number>
HWY_INLINE void to_integers(const Number* x, std::size_t count, const ToIntegers& how, std::int32_t* out) {
  const VD scale = set_d(how.scale), factor = set_d(how.factor), keep = hn::BitCast(DD(), set_u(how.keep));
  for (std::size_t i = 0; i < count; i += hn::Lanes(DD())) {
    const VD kept = hn::And(load_numbers(x + i), keep);
    hn::StoreU(to_int32(hn::Mul(hn::Mul(kept, scale), factor)), hn::Rebind<std::int32_t, DD>(), out + i);
  }
}

void doubles_to_integers(const double* x, std::size_t count, const ToIntegers& how, std::int32_t* out) {
  to_integers(x, count, how, out);
}
void floats_to_integers(const float* x, std::size_t count, const ToIntegers& how, std::int32_t* out) {
  to_integers(x, count, how, out);
}

// The halves of the squares are summed separately, so that fewer than 2^32 of them cannot overflow.
Wide squares_of_integers(const std::int32_t* x, std::size_t count) {
  const DU du;
  const VU lower_half = set_u(0xffffffff);
  const hn::Rebind<std::int32_t, DI> d32;
  VU low = hn::Zero(du), high = hn::Zero(du);
  for (std::size_t i = 0; i < count; i += hn::Lanes(du)) {
    const VU modulus = hn::BitCast(du, hn::Abs(hn::PromoteTo(DI(), hn::LoadU(d32, x + i))));
    const VU square = times_half(modulus, modulus);
    low = hn::Add(low, hn::And(square, lower_half));
    high = hn::Add(high, hn::ShiftRight<32>(square));
  }
  return sum_of_lanes(low) + (Wide{sum_of_lanes(high)} << 32U);
}

void add_integers(std::int64_t* sums, const std::int32_t* x, std::size_t count) {
  const DI di;
  const hn::Rebind<std::int32_t, DI> d32;
  for (std::size_t i = 0; i < count; i += hn::Lanes(di)) {
    const VI sum = hn::Add(hn::LoadU(di, sums + i), hn::PromoteTo(di, hn::LoadU(d32, x + i)));
    hn::StoreU(within(sum, end_of_sums), di, sums + i);
  }
}

void add_digits(std::int64_t* digits, const DigitsOfNumber& number, std::size_t count) {
  const DU du;
  const VU first = set_u(number.place), second = set_u(number.place + 1), third = set_u(number.place + 2);
  VU parts[3];
  for (std::size_t i = 0; i < 3; ++i) parts[i] = set_u(static_cast<std::uint64_t>(number.parts[i]));
  VU here = hn::Iota(du, 0);
  for (std::size_t i = 0; i < count; i += hn::Lanes(du)) {
    auto* out = reinterpret_cast<std::uint64_t*>(digits + i);
    const VU only_third = choose(hn::Eq(here, third), parts[2], hn::Zero(du));
    const VU more = choose(hn::Eq(here, first), parts[0], choose(hn::Eq(here, second), parts[1], only_third));
    hn::StoreU(hn::Add(hn::LoadU(du, out), more), du, out);
    here = hn::Add(here, set_u(hn::Lanes(du)));
  }
}

}  // namespace renyi::noise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace renyi::noise {

std::uint64_t greatest_bits(const double* x, std::size_t count) {
  static const auto best = RENYI_SIMD_BEST(greatest_bits);
  return best(x, count);
}

double squares_of_doubles(const double* x, std::size_t count, double scale) {
  static const auto best = RENYI_SIMD_BEST(squares_of_doubles);
  return best(x, count, scale);
}

double squares_of_floats(const float* x, std::size_t count) {
  static const auto best = RENYI_SIMD_BEST(squares_of_floats);
  return best(x, count);
}

void doubles_to_integers(const double* x, std::size_t count, const ToIntegers& how, std::int32_t* out) {
  static const auto best = RENYI_SIMD_BEST(doubles_to_integers);
  best(x, count, how, out);
}

void floats_to_integers(const float* x, std::size_t count, const ToIntegers& how, std::int32_t* out) {
  static const auto best = RENYI_SIMD_BEST(floats_to_integers);
  best(x, count, how, out);
}

Wide squares_of_integers(const std::int32_t* x, std::size_t count) {
  static const auto best = RENYI_SIMD_BEST(squares_of_integers);
  return best(x, count);
}

void add_digits(std::int64_t* digits, const DigitsOfNumber& number, std::size_t count) {
  static const auto best = RENYI_SIMD_BEST(add_digits);
  best(digits, number, count);
}

void add_integers(std::int64_t* sums, const std::int32_t* x, std::size_t count) {
  static const auto best = RENYI_SIMD_BEST(add_integers);
  best(sums, x, count);
}

ClipKernels clip_kernels_for(simd::Target target) {
  return {.greatest_bits = RENYI_SIMD_VERSION(target, greatest_bits),
          .doubles_to_integers = RENYI_SIMD_VERSION(target, doubles_to_integers),
          .squares_of_integers = RENYI_SIMD_VERSION(target, squares_of_integers),
          .add_integers = RENYI_SIMD_VERSION(target, add_integers),
          .add_digits = RENYI_SIMD_VERSION(target, add_digits)};
}

}  // namespace renyi::noise
#endif
