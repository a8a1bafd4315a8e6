// Rounds x + noise to the grid, and moves lanes without addresses that depend on secrets.
#include <cmath>

#include "noise/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "noise/kernels/place.cpp"
#include "simd/targets.h"  // compiles the rest once per instruction set
//
#include "noise/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace renyi::noise::HWY_NAMESPACE {

// Takes the first 64 bits behind the point of a number in [0, 1), exactly, and leaves the others in it.
HWY_INLINE VU next_word(VD& remainder) {
  const VD upper = hn::Mul(remainder, set_d(0x1p32)), upper_whole = whole_part(upper);
  const VD lower = hn::Mul(hn::Sub(upper, upper_whole), set_d(0x1p32)), lower_whole = whole_part(lower);
  remainder = hn::Sub(lower, lower_whole);
  return hn::Or(hn::ShiftLeft<32>(to_whole(upper_whole)), to_whole(lower_whole));
}

void to_fixed(const double* x, std::size_t count, double inverse_grid, double range, const FixedValues& fixed) {
  const DU du;
  const DD dd;
  const DI di;
  // Numbers below 2^-200 of the grid are in the enclosure of 0. They go before any arithmetic, in which subnormal
  // numbers would take longer; with a grid of at least 2^-800 all of these are among them.
  const int grid_exponent = -std::ilogb(inverse_grid);
  const auto least = static_cast<std::int64_t>(grid_exponent - 200 + 1023) << 52U;
  const VU magnitude_bits = set_u(~top_bit), infinity = set_u(std::uint64_t{0x7ff} << 52U);
  for (std::size_t i = 0; i < count; i += hn::Lanes(du)) {
    const VU bits = hn::BitCast(du, hn::LoadU(dd, x + i)), size = hn::And(bits, magnitude_bits);
    const VU tiny = hn::BitCast(du, hn::VecFromMask(di, hn::Gt(hn::Set(di, least), hn::BitCast(di, size))));
    const VU not_a_number = greater(size, infinity);
    const VD kept = hn::BitCast(dd, hn::AndNot(hn::Or(tiny, not_a_number), size));
    const VD scaled = hn::Mul(minimum(kept, set_d(range)), set_d(inverse_grid)), whole = whole_part(scaled);
    VD remainder = hn::Sub(scaled, whole);
    hn::StoreU(to_whole(whole), du, fixed.whole + i);
    hn::StoreU(next_word(remainder), du, fixed.fraction + i);
    hn::StoreU(next_word(remainder), du, fixed.rest + i);
    hn::StoreU(hn::Sub(hn::Zero(du), sign_bit(bits)), du, fixed.negative + i);
  }
}

// |x| is in [w, w + 2^-64], so that x with its sign turned is in [~w, ~w + 2^-64] as a number of 128 bits in two's
// complement. round(x - t) = -round(-x + t) but on a set of probability 0: the sign of the noise is taken off x first.
void place_on_grid(const FixedValues& x, const std::uint64_t* signed_cell, const std::uint64_t* place,
                   std::size_t count, const FixedScale& scale, const Knowledge& knowledge, std::int64_t* value,
                   std::uint64_t* undecided) {
  const DU du;
  const DI di;
  const std::uint64_t width = width_of_word(scale, knowledge) + 1;
  for (std::size_t i = 0; i < count; i += hn::Lanes(du)) {
    const VU cell = hn::LoadU(du, signed_cell + i);
    const VU negative = hn::Sub(hn::Zero(du), hn::And(cell, set_u(1)));
    const VU turned = hn::Xor(negative, hn::LoadU(du, x.negative + i));
    const VU whole = hn::Xor(hn::LoadU(du, x.whole + i), turned);
    const VU fraction = hn::Xor(hn::LoadU(du, x.fraction + i), turned);
    const Magnitude t = magnitude(hn::ShiftRight<1>(cell), hn::LoadU(du, place + i), scale, width);
    const VU sum = hn::Add(fraction, t.fraction), carried = greater(fraction, sum);
    // Rounding is floor(... + 1/2). Masks are -1.
    const VU rounded = hn::Add(sum, set_u(top_bit)), up = greater(sum, rounded);
    const VU n = hn::Sub(hn::Sub(hn::Add(whole, t.whole), carried), up);
    hn::StoreU(hn::BitCast(di, hn::Sub(hn::Xor(n, negative), negative)), di, value + i);
    hn::StoreU(may_carry(rounded, t.width), du, undecided + i);
  }
}

MarkedLanes marked_lanes(const std::uint64_t* marks, std::size_t count) {
  const DU du;
  const DI di;
  VI first = hn::Set(di, static_cast<std::int64_t>(count));
  VU here = hn::Iota(du, 0), number = hn::Zero(du);
  for (std::size_t i = 0; i < count; i += hn::Lanes(du)) {
    const VU marked = hn::LoadU(du, marks + i);
    // Lane numbers are small, so that a minimum of signed numbers will do.
    const VI candidate = hn::BitCast(di, hn::Or(hn::And(here, marked), hn::AndNot(marked, set_u(count))));
    first = choose(hn::Gt(first, candidate), candidate, first);
    number = hn::Sub(number, marked);
    here = hn::Add(here, set_u(hn::Lanes(du)));
  }
  std::uint64_t firsts[lanes_at_once], numbers[lanes_at_once];
  hn::StoreU(hn::BitCast(du, first), du, firsts);
  hn::StoreU(number, du, numbers);
  MarkedLanes result{count, 0};
  for (std::size_t i = 0; i < hn::Lanes(du); ++i) {
    result.first = selected(firsts[i] < result.first, firsts[i], result.first);
    result.number += numbers[i];
  }
  return result;
}

std::uint64_t lane(const std::uint64_t* values, std::size_t count, std::uint64_t number) {
  const DU du;
  VU found = hn::Zero(du), here = hn::Iota(du, 0);
  for (std::size_t i = 0; i < count; i += hn::Lanes(du)) {
    found = choose(hn::Eq(here, set_u(number)), hn::LoadU(du, values + i), found);
    here = hn::Add(here, set_u(hn::Lanes(du)));
  }
  std::uint64_t lanes[lanes_at_once];
  hn::StoreU(found, du, lanes);
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < hn::Lanes(du); ++i) result |= lanes[i];
  return result;
}

void set_lane(std::uint64_t* values, std::size_t count, std::uint64_t number, std::uint64_t value) {
  const DU du;
  VU here = hn::Iota(du, 0);
  for (std::size_t i = 0; i < count; i += hn::Lanes(du)) {
    const auto is_it = hn::Eq(here, set_u(number));
    hn::StoreU(choose(is_it, set_u(value), hn::LoadU(du, values + i)), du, values + i);
    here = hn::Add(here, set_u(hn::Lanes(du)));
  }
}

}  // namespace renyi::noise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace renyi::noise {

void to_fixed(const double* x, std::size_t count, double inverse_grid, double range, const FixedValues& fixed) {
  static const auto best = RENYI_SIMD_BEST(to_fixed);
  best(x, count, inverse_grid, range, fixed);
}

void place_on_grid(const FixedValues& x, const std::uint64_t* signed_cell, const std::uint64_t* place,
                   std::size_t count, const FixedScale& scale, const Knowledge& knowledge, std::int64_t* value,
                   std::uint64_t* undecided) {
  static const auto best = RENYI_SIMD_BEST(place_on_grid);
  best(x, signed_cell, place, count, scale, knowledge, value, undecided);
}

MarkedLanes marked_lanes(const std::uint64_t* marks, std::size_t count) {
  static const auto best = RENYI_SIMD_BEST(marked_lanes);
  return best(marks, count);
}

std::uint64_t lane(const std::uint64_t* values, std::size_t count, std::uint64_t number) {
  static const auto best = RENYI_SIMD_BEST(lane);
  return best(values, count, number);
}

void set_lane(std::uint64_t* values, std::size_t count, std::uint64_t number, std::uint64_t value) {
  static const auto best = RENYI_SIMD_BEST(set_lane);
  best(values, count, number, value);
}

PlaceKernels place_kernels_for(simd::Target target) {
  return {.to_fixed = RENYI_SIMD_VERSION(target, to_fixed),
          .place_on_grid = RENYI_SIMD_VERSION(target, place_on_grid),
          .marked_lanes = RENYI_SIMD_VERSION(target, marked_lanes),
          .lane = RENYI_SIMD_VERSION(target, lane),
          .set_lane = RENYI_SIMD_VERSION(target, set_lane)};
}

}  // namespace renyi::noise
#endif
