#include "filter/individual/row_kernel.h"

#include "filter/individual/norm_costs.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "filter/individual/row_kernel.cpp"
#include "simd/targets.h"  // compiles the rest once per instruction set

HWY_BEFORE_NAMESPACE();
namespace renyi::filter::HWY_NAMESPACE {
namespace row_kernel_file {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// The next double where the mask says so. A mask is -1 as an integer.
template <class D, class V, class M>
HWY_INLINE V step_up(D d, V x, M up) {
  const hn::RebindToSigned<D> bits;
  return hn::BitCast(d, hn::Sub(hn::BitCast(bits, x), hn::BitCast(bits, hn::VecFromMask(d, up))));
}

template <class D, class V>
HWY_INLINE V sum_up(D d, V a, V b) {
  const V sum = hn::Add(a, b);
  const V from_b = hn::Sub(sum, a);
  const V lost = hn::Add(hn::Sub(a, hn::Sub(sum, from_b)), hn::Sub(b, from_b));
  return step_up(d, sum, hn::Gt(lost, hn::Zero(d)));
}

template <class V>
struct Halves {
  V high, low;
};

template <class D, class V>
HWY_INLINE Halves<V> halves(D d, V x) {
  const V scaled = hn::Mul(hn::Set(d, 0x1p27 + 1), x);
  const V high = hn::Sub(scaled, hn::Sub(scaled, x));
  return {high, hn::Sub(x, high)};
}

// The error of the product is exact (Dekker 1971), with or without fused operations.
template <class D, class V>
HWY_INLINE V product_up(D d, V a, V b) {
  const V product = hn::Mul(a, b);
  const Halves<V> x = halves(d, a), y = halves(d, b);
  const V high = hn::Sub(hn::Mul(x.high, y.high), product);
  const V middle = hn::Add(hn::Add(high, hn::Mul(x.high, y.low)), hn::Mul(x.low, y.high));
  return step_up(d, product, hn::Gt(hn::Add(middle, hn::Mul(x.low, y.low)), hn::Zero(d)));
}

template <class D>
HWY_INLINE std::size_t charge_part(D d, const Row& row, std::size_t k) {
  auto cost = hn::LoadU(d, row.cost + k);
  if (row.factor != 1) cost = product_up(d, cost, hn::Set(d, row.factor));
  const auto after = sum_up(d, hn::LoadU(d, row.spent + k), cost);
  hn::StoreU(after, d, row.after + k);
  return hn::CountTrue(d, hn::Le(after, hn::LoadU(d, row.limit + k)));
}

}  // namespace
}  // namespace row_kernel_file

bool charge_row(const Row& row, bool takes_all) {
  namespace here = row_kernel_file;
  const here::hn::CappedTag<double, 8> d;
  std::size_t within = 0;
  std::size_t k = 0;
  for (; k + here::hn::Lanes(d) <= row.size; k += here::hn::Lanes(d)) within += here::charge_part(d, row, k);
  for (; k < row.size; ++k) {
    row.after[k] = lanes::sum_up(row.spent[k], lanes::product_up(row.cost[k], row.factor));
    within += static_cast<std::size_t>(row.after[k] <= row.limit[k]);
  }
  if (within >= row.needed) {
    for (k = 0; k < row.size; ++k) row.spent[k] = row.after[k];
    return true;
  }
  if (!takes_all) return false;
  for (k = 0; k < row.size; ++k) row.spent[k] = row.spent[k] < row.limit[k] ? row.limit[k] : row.spent[k];
  return false;
}

}  // namespace renyi::filter::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace renyi::filter {

bool charge_row(const Row& row, bool takes_all) {
  static const auto best = RENYI_SIMD_BEST(charge_row);
  return best(row, takes_all);
}

}  // namespace renyi::filter
#endif
