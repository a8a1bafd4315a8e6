#include "mechanism/sampled_gaussian/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mechanism/sampled_gaussian/phase_sums.cpp"
#include "simd/targets.h"  // compiles the rest once per instruction set
//
#include "numerics/simd/functions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace renyi::sampled_gaussian::HWY_NAMESPACE {

namespace simd = numerics::simd::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
inline constexpr std::size_t most_lanes = hn::MaxLanes(D());

// Each lane adds this many terms in a row.
inline constexpr std::size_t in_a_row = 16;

struct CosSin {
  V cos, sin;
};

// cos x - 1 and sin x - x for |x| <= 1; the first omitted terms are below 2^-53 of the sum.
HWY_INLINE CosSin small_phase(D d, V x) {
  const V t = hn::Mul(x, x);
  V c = hn::Set(d, 2.0 / 6402373705728000), s = hn::Set(d, -6.0 / 355687428096000);
  c = hn::MulAdd(c, t, hn::Set(d, -2.0 / 20922789888000));
  s = hn::MulAdd(s, t, hn::Set(d, 6.0 / 1307674368000));
  c = hn::MulAdd(c, t, hn::Set(d, 2.0 / 87178291200));
  s = hn::MulAdd(s, t, hn::Set(d, -6.0 / 6227020800));
  c = hn::MulAdd(c, t, hn::Set(d, -2.0 / 479001600));
  s = hn::MulAdd(s, t, hn::Set(d, 6.0 / 39916800));
  c = hn::MulAdd(c, t, hn::Set(d, 2.0 / 3628800));
  s = hn::MulAdd(s, t, hn::Set(d, -6.0 / 362880));
  c = hn::MulAdd(c, t, hn::Set(d, -2.0 / 40320));
  s = hn::MulAdd(s, t, hn::Set(d, 6.0 / 5040));
  c = hn::MulAdd(c, t, hn::Set(d, 2.0 / 720));
  s = hn::MulAdd(s, t, hn::Set(d, -6.0 / 120));
  c = hn::MulAdd(c, t, hn::Set(d, -2.0 / 24));
  const V one = hn::Set(d, 1.0);
  c = hn::MulAdd(c, t, one);
  s = hn::MulAdd(s, t, one);
  return {hn::Mul(hn::Mul(t, hn::Set(d, -0.5)), c), hn::Mul(hn::Mul(hn::Mul(t, hn::Set(d, -1.0 / 6)), x), s)};
}

HWY_INLINE CosSin any_phase(D d, V x) {
  const V one = hn::Set(d, 1.0);
  const auto is_small = hn::Le(hn::Abs(x), one);
  if (hn::AllTrue(d, is_small)) return small_phase(d, x);
  const auto large = simd::sin_cos(d, x);
  const CosSin centred{hn::Sub(large.cos, one), hn::Sub(large.sin, x)};
  if (hn::AllFalse(d, is_small)) return centred;
  const CosSin small = small_phase(d, x);
  return {hn::IfThenElse(is_small, small.cos, centred.cos), hn::IfThenElse(is_small, small.sin, centred.sin)};
}

// Adds lanes to the even and odd sums, for two consecutive vectors: the atoms of the second follow those of the first.
HWY_INLINE void add_lanes(D d, V first, V second, double (&sums)[2]) {
  HWY_ALIGN double lanes[2 * most_lanes];
  const std::size_t n = hn::Lanes(d);
  hn::Store(first, d, lanes);
  hn::Store(second, d, lanes + n);
  double even = 0, odd = 0;
  for (std::size_t i = 0; i < 2 * n; i += 2) {
    even += lanes[i];
    odd += lanes[i + 1];
  }
  sums[0] += even;
  sums[1] += odd;
}

// The last atoms, filled up with atoms of weight 0 to two vectors.
struct Rest {
  HWY_ALIGN double loss[2 * most_lanes] = {};
  HWY_ALIGN double weight[2 * most_lanes] = {};

  Rest(const Atoms& atoms, std::size_t begin) {
    for (std::size_t i = begin; i < atoms.count; ++i) {
      loss[i - begin] = atoms.loss[i];
      weight[i - begin] = atoms.weight[i];
    }
  }
};

struct Parts {
  V re[2], im[2];
};

HWY_INLINE void add_pair(D d, const double* loss, const double* weight, V y, Parts& parts) {
  const std::size_t n = hn::Lanes(d);
  for (std::size_t k = 0; k < 2; ++k) {
    const CosSin e = any_phase(d, hn::Mul(y, hn::LoadU(d, loss + k * n)));
    const V w = hn::LoadU(d, weight + k * n);
    parts.re[k] = hn::MulAdd(w, e.cos, parts.re[k]);
    parts.im[k] = hn::MulAdd(w, e.sin, parts.im[k]);
  }
}

PhaseSums centred_sums(const Atoms& atoms, double at) {
  const D d;
  const std::size_t pair = 2 * hn::Lanes(d), whole = atoms.count - atoms.count % pair;
  const V y = hn::Set(d, at), zero = hn::Zero(d);
  PhaseSums sums;
  for (std::size_t i = 0; i < atoms.count;) {
    Parts parts{{zero, zero}, {zero, zero}};
    const std::size_t end = i + in_a_row * pair;
    for (; i < whole && i < end; i += pair) add_pair(d, atoms.loss + i, atoms.weight + i, y, parts);
    if (i == whole && i < atoms.count && i < end) {
      const Rest rest(atoms, i);
      add_pair(d, rest.loss, rest.weight, y, parts);
      i = atoms.count;
    }
    add_lanes(d, parts.re[0], parts.re[1], sums.re);
    add_lanes(d, parts.im[0], parts.im[1], sums.im);
  }
  return sums;
}

// The contributions of two vectors of atoms to each point, cosines and sines.
struct PointParts {
  HWY_ALIGN double lanes[most_rotations][4][most_lanes];
};

HWY_INLINE void add_point(D d, double (&lanes)[4][most_lanes], const CosSin (&e)[2]) {
  for (std::size_t k = 0; k < 2; ++k) {
    hn::Store(hn::Add(hn::Load(d, lanes[k]), e[k].cos), d, lanes[k]);
    hn::Store(hn::Add(hn::Load(d, lanes[2 + k]), e[k].sin), d, lanes[2 + k]);
  }
}

// Returns exp(ix) times exp(ih).
HWY_INLINE CosSin turned(const CosSin& e, V cos_h, V sin_h) {
  return {hn::NegMulAdd(e.sin, sin_h, hn::Mul(e.cos, cos_h)), hn::MulAdd(e.cos, sin_h, hn::Mul(e.sin, cos_h))};
}

HWY_INLINE void add_turned_pair(D d, const double* loss, const double* weight, double middle, double step,
                                std::size_t points, PointParts& parts) {
  const std::size_t n = hn::Lanes(d), start = points / 2;
  V cos_h[2] = {hn::Zero(d), hn::Zero(d)}, sin_h[2] = {hn::Zero(d), hn::Zero(d)};
  CosSin centre[2] = {{hn::Zero(d), hn::Zero(d)}, {hn::Zero(d), hn::Zero(d)}};
  for (std::size_t k = 0; k < 2; ++k) {
    const V l = hn::LoadU(d, loss + k * n), w = hn::LoadU(d, weight + k * n);
    const auto at = simd::sin_cos(d, hn::Mul(l, hn::Set(d, middle)));
    const auto by = simd::sin_cos(d, hn::Mul(l, hn::Set(d, step)));
    centre[k] = {hn::Mul(w, at.cos), hn::Mul(w, at.sin)};
    cos_h[k] = by.cos;
    sin_h[k] = by.sin;
  }
  CosSin e[2] = {centre[0], centre[1]};
  for (std::size_t j = start; j < points; ++j) {
    add_point(d, parts.lanes[j], e);
    e[0] = turned(e[0], cos_h[0], sin_h[0]);
    e[1] = turned(e[1], cos_h[1], sin_h[1]);
  }
  e[0] = centre[0];
  e[1] = centre[1];
  for (std::size_t j = start; j-- > 0;) {
    e[0] = turned(e[0], cos_h[0], hn::Neg(sin_h[0]));
    e[1] = turned(e[1], cos_h[1], hn::Neg(sin_h[1]));
    add_point(d, parts.lanes[j], e);
  }
}

void turned_sums(const Atoms& atoms, double first, double step, std::size_t points, PhaseSums* sums) {
  const D d;
  const std::size_t pair = 2 * hn::Lanes(d), whole = atoms.count - atoms.count % pair;
  const std::size_t start = points / 2;
  const double middle = first + static_cast<double>(start) * step;
  for (std::size_t j = 0; j < points; ++j) sums[j] = {};
  for (std::size_t i = 0; i < atoms.count;) {
    PointParts parts{};
    const std::size_t end = i + in_a_row * pair;
    for (; i < whole && i < end; i += pair) {
      add_turned_pair(d, atoms.loss + i, atoms.weight + i, middle, step, points, parts);
    }
    if (i == whole && i < atoms.count && i < end) {
      const Rest rest(atoms, i);
      add_turned_pair(d, rest.loss, rest.weight, middle, step, points, parts);
      i = atoms.count;
    }
    for (std::size_t j = 0; j < points; ++j) {
      const auto& lanes = parts.lanes[j];
      add_lanes(d, hn::Load(d, lanes[0]), hn::Load(d, lanes[1]), sums[j].re);
      add_lanes(d, hn::Load(d, lanes[2]), hn::Load(d, lanes[3]), sums[j].im);
    }
  }
}

// Loads one vector of a column, filled up with zeros at its end.
HWY_INLINE V load(D d, const double* column, std::size_t i, std::size_t count) {
  const std::size_t n = hn::Lanes(d);
  if (i + n <= count) return hn::LoadU(d, column + i);
  HWY_ALIGN double rest[most_lanes] = {};
  for (std::size_t k = 0; i + k < count; ++k) rest[k] = column[i + k];
  return hn::Load(d, rest);
}

// exp(-y damp + i y turn)
HWY_INLINE CosSin damped(D d, V turn, V damp, double y) {
  const auto phase = simd::sin_cos(d, hn::Mul(turn, hn::Set(d, y)));
  const V size = simd::exp(d, hn::Mul(damp, hn::Set(d, -y)));
  return {hn::Mul(size, phase.cos), hn::Mul(size, phase.sin)};
}

void damped_sums(const DampedAtoms& atoms, double first, double step, std::size_t points, std::complex<double>* sums) {
  const D d;
  const std::size_t n = hn::Lanes(d);
  for (std::size_t j = 0; j < points; ++j) sums[j] = 0;
  for (std::size_t i = 0; i < atoms.count;) {
    HWY_ALIGN double lanes[most_rotations][2][most_lanes] = {};
    for (std::size_t row = 0; row < in_a_row && i < atoms.count; ++row, i += n) {
      const V turn = load(d, atoms.turn, i, atoms.count), damp = load(d, atoms.damp, i, atoms.count);
      const CosSin by = damped(d, turn, damp, step);
      const CosSin weight{load(d, atoms.re, i, atoms.count), load(d, atoms.im, i, atoms.count)},
          start = damped(d, turn, damp, first);
      CosSin e = turned(weight, start.cos, start.sin);
      for (std::size_t j = 0; j < points; ++j) {
        hn::Store(hn::Add(hn::Load(d, lanes[j][0]), e.cos), d, lanes[j][0]);
        hn::Store(hn::Add(hn::Load(d, lanes[j][1]), e.sin), d, lanes[j][1]);
        e = turned(e, by.cos, by.sin);
      }
    }
    for (std::size_t j = 0; j < points; ++j) {
      sums[j] += std::complex<double>(hn::GetLane(hn::SumOfLanes(d, hn::Load(d, lanes[j][0]))),
                                      hn::GetLane(hn::SumOfLanes(d, hn::Load(d, lanes[j][1]))));
    }
  }
}

}  // namespace renyi::sampled_gaussian::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace renyi::sampled_gaussian {

using renyi::simd::Target;

PhaseSums phase_sums(const Atoms& atoms, double y) {
  static const auto best = RENYI_SIMD_BEST(centred_sums);
  return best(atoms, y);
}

PhaseSums phase_sums(Target target, const Atoms& atoms, double y) {
  return RENYI_SIMD_VERSION(target, centred_sums)(atoms, y);
}

void turned_phase_sums(const Atoms& atoms, double first, double step, std::span<PhaseSums> sums) {
  static const auto best = RENYI_SIMD_BEST(turned_sums);
  best(atoms, first, step, sums.size(), sums.data());
}

void turned_phase_sums(Target target, const Atoms& atoms, double first, double step, std::span<PhaseSums> sums) {
  RENYI_SIMD_VERSION(target, turned_sums)(atoms, first, step, sums.size(), sums.data());
}

void damped_phase_sums(const DampedAtoms& atoms, double first, double step, std::span<std::complex<double>> sums) {
  static const auto best = RENYI_SIMD_BEST(damped_sums);
  best(atoms, first, step, sums.size(), sums.data());
}

void damped_phase_sums(Target target, const DampedAtoms& atoms, double first, double step,
                       std::span<std::complex<double>> sums) {
  RENYI_SIMD_VERSION(target, damped_sums)(atoms, first, step, sums.size(), sums.data());
}

}  // namespace renyi::sampled_gaussian

#endif
