#include "bench/noise_timing/experiments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "noise/exact/secret.h"
#include "renyi/clipped_sum.h"
#include "renyi/exact_sum.h"
#include "renyi/noise.h"

namespace bench {
namespace {

namespace noise = renyi::noise;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The inputs of both classes, and where the call finds its own: at the same addresses, copied by the same instructions.
template <class In, class Out>
struct Place {
  std::array<std::vector<In>, 2> inputs;
  std::vector<In> in;
  std::vector<Out> out;

  // A branch here would leave the processor's predictors in another state for each class.
  void choose(bool is_second) {
    const auto second = static_cast<unsigned char>(noise::mask_of(is_second));
    const auto first = static_cast<unsigned char>(~second);
    const auto bytes_of = [](std::vector<In>& numbers) { return reinterpret_cast<unsigned char*>(numbers.data()); };
    const unsigned char *a = bytes_of(inputs[0]), *b = bytes_of(inputs[1]);
    unsigned char* to = bytes_of(in);
    for (std::size_t i = 0; i < in.size() * sizeof(In); ++i) {
      to[i] = static_cast<unsigned char>((a[i] & first) | (b[i] & second));
    }
  }
};

template <class In, class Out>
using Call = std::function<void(std::span<const In>, std::span<Out>)>;
template <class Out>
using IsSecond = std::function<bool(std::span<const Out>)>;

// The classes are those of two inputs of one size.
template <class In, class Out>
Experiment by_input(std::string sampler, std::string classes, std::vector<In> first, std::vector<In> second,
                    Call<In, Out> call) {
  auto place = std::make_shared<Place<In, Out>>();
  place->in = first;
  place->out.resize(first.size());
  place->inputs = {std::move(first), std::move(second)};
  return {std::move(sampler),
          std::move(classes),
          [place](bool is_second) { place->choose(is_second); },
          [place, call = std::move(call)] { call(place->in, place->out); },
          {}};
}

// The classes are those of the outcomes of one input.
template <class In, class Out>
Experiment by_outcome(std::string sampler, std::string classes, std::vector<In> input, IsSecond<Out> is_second,
                      Call<In, Out> call) {
  Experiment experiment = by_input<In, Out>(std::move(sampler), std::move(classes), input, input, call);
  auto place = std::make_shared<Place<In, Out>>();
  place->in = input;
  place->out.resize(input.size());
  experiment.prepare = [](bool) {};
  experiment.call = [place, call = std::move(call)] { call(place->in, place->out); };
  experiment.is_second = [place, is_second = std::move(is_second)] { return is_second(place->out); };
  return experiment;
}

template <class Number>
bool is_positive(std::span<const Number> out) {
  return out[0] > 0;
}
template <class Number>
IsSecond<Number> is_beyond(double bound) {
  return [bound](std::span<const Number> out) { return std::abs(static_cast<double>(out[0])) > bound; };
}

using Doubles = std::vector<double>;

void add_laws_on_the_grid(std::vector<Experiment>& all) {
  const noise::OnGrid fine{.grid = 0x1p-20, .range = 0x1p30, .sensitivity = 1};
  using Law = noise::Release (*)(std::span<const double>, std::span<double>, double, const noise::OnGrid&);
  const std::pair<const char*, Law> laws[] = {{"gaussian", noise::gaussian}, {"laplace", noise::laplace}};
  for (const auto& [name, law] : laws) {
    const Call<double, double> call = [law = law, fine](auto in, auto out) { law(in, out, 1, fine); };
    all.push_back(by_input<double, double>(name, "0 | a million and a third", {0}, {1e6 + 1.0 / 3}, call));
    all.push_back(by_input<double, double>(name, "1.5 | NaN", {1.5}, {nan}, call));
    all.push_back(by_input<double, double>(name, "1.5 | 1e-310", {1.5}, {1e-310}, call));
    all.push_back(by_input<double, double>(name, "inside | beyond the range", {1.5}, {-1e300}, call));
    all.push_back(by_outcome<double, double>(name, "noise below | above 0", {0}, is_positive<double>, call));
    all.push_back(by_outcome<double, double>(name, "noise small | large", {0}, is_beyond<double>(0.68), call));
  }
  using OfFloats = noise::Release (*)(std::span<const float>, std::span<float>, double, const noise::OnGrid&);
  const std::pair<const char*, OfFloats> of_floats[] = {{"gaussian, floats", noise::gaussian},
                                                        {"laplace, floats", noise::laplace}};
  for (const auto& [name, law] : of_floats) {
    const Call<float, float> call = [law = law](auto in, auto out) { law(in, out, 1, {}); };
    all.push_back(by_input<float, float>(name, "1.5 | 1e-40", {1.5F}, {1e-40F}, call));
    all.push_back(by_outcome<float, float>(name, "noise small | large", {0}, is_beyond<float>(0.68), call));
  }
}

void add_laws_on_integers(std::vector<Experiment>& all) {
  using Integers = std::vector<std::int64_t>;
  using Law = noise::Release (*)(std::span<const std::int64_t>, std::span<std::int64_t>, double, double);
  struct Case {
    const char* name;
    Law law;
    double parameter, median;
  };
  const Case cases[] = {{"discrete_gaussian", noise::discrete_gaussian, 10, 6.5},
                        {"discrete_laplace", noise::discrete_laplace, 10, 6.5},
                        {"skellam", noise::skellam, 100, 6.5}};
  for (const Case& one : cases) {
    const Call<std::int64_t, std::int64_t> call = [one](auto in, auto out) { one.law(in, out, one.parameter, 1); };
    all.push_back(by_input<std::int64_t, std::int64_t>(one.name, "0 | the largest integer", Integers{0},
                                                       Integers{std::numeric_limits<std::int64_t>::max()}, call));
    all.push_back(by_outcome<std::int64_t, std::int64_t>(one.name, "noise below | above 0", Integers{0},
                                                         is_positive<std::int64_t>, call));
    all.push_back(by_outcome<std::int64_t, std::int64_t>(one.name, "noise small | large", Integers{0},
                                                         is_beyond<std::int64_t>(one.median), call));
  }
  all.push_back(by_outcome<std::int64_t, std::int64_t>("geometric", "small | large", Integers{0},
                                                       is_beyond<std::int64_t>(6.5),
                                                       [](auto, auto out) { noise::geometric(out, 10); }));
}

void add_coins(std::vector<Experiment>& all) {
  using Bytes = std::vector<std::uint8_t>;
  const IsSecond<std::uint8_t> is_head = [](auto out) { return out[0] != 0; };
  all.push_back(by_outcome<std::uint8_t, std::uint8_t>("bernoulli", "tails | heads", Bytes(1), is_head,
                                                       [](auto, auto out) { noise::bernoulli(out, 0.4); }));
  all.push_back(by_outcome<std::uint8_t, std::uint8_t>("bernoulli_exp", "tails | heads", Bytes(1), is_head,
                                                       [](auto, auto out) { noise::bernoulli_exp(out, 0.7); }));
  using Integers = std::vector<std::int64_t>;
  const Call<std::int64_t, std::int64_t> respond = [](auto in, auto out) {
    noise::randomized_response(in, out, 0.5, 8);
  };
  all.push_back(
      by_input<std::int64_t, std::int64_t>("randomized_response", "0 | 7 of 8", Integers{0}, Integers{7}, respond));
  all.push_back(by_outcome<std::int64_t, std::int64_t>(
      "randomized_response", "changed | kept", Integers{3}, [](auto out) { return out[0] == 3; }, respond));
}

void add_choices(std::vector<Experiment>& all) {
  using Law = noise::Choice (*)(std::span<const double>, double, const noise::Scores&);
  const std::pair<const char*, Law> laws[] = {{"exponential", noise::exponential},
                                              {"permute_and_flip", noise::permute_and_flip},
                                              {"report_noisy_max", noise::report_noisy_max}};
  Doubles equal(12, 1.0), ahead = equal, rising(12), strange = equal;
  ahead[1] = 4;
  strange[1] = nan;
  std::iota(rising.begin(), rising.end(), 1.0);
  const Doubles falling(rising.rbegin(), rising.rend());
  for (const auto& [name, law] : laws) {
    const Call<double, double> call = [law = law](auto in, auto out) {
      out[0] = static_cast<double>(law(in, 1, {}).index);
    };
    all.push_back(by_input<double, double>(name, "equal scores | one ahead by 3", equal, ahead, call));
    all.push_back(by_input<double, double>(name, "rising | falling scores", rising, falling, call));
    all.push_back(by_input<double, double>(name, "1 | NaN among scores", equal, strange, call));
    all.push_back(by_outcome<double, double>(
        name, "early | late one chosen", equal, [](auto out) { return out[0] >= 6; }, call));
  }
}

void add_samples(std::vector<Experiment>& all) {
  using Bytes = std::vector<std::uint8_t>;
  const IsSecond<std::uint8_t> has_first = [](auto out) { return out[0] != 0; };
  const IsSecond<std::uint8_t> is_crowded_in_front = [](auto out) {
    return std::accumulate(out.begin(), out.begin() + 8, 0) > 3;
  };
  for (const auto& [classes, is_second] :
       {std::pair{"record 0 out | in", has_first}, std::pair{"few | many of the first half", is_crowded_in_front}}) {
    all.push_back(by_outcome<std::uint8_t, std::uint8_t>("poisson_sample", classes, Bytes(16), is_second,
                                                         [](auto, auto out) { noise::poisson_sample(out, 0.45); }));
    all.push_back(by_outcome<std::uint8_t, std::uint8_t>("fixed_size_sample", classes, Bytes(16), is_second,
                                                         [](auto, auto out) { noise::fixed_size_sample(out, 7); }));
  }
  using Words = std::vector<std::uint64_t>;
  const IsSecond<std::uint64_t> is_late = [](auto out) { return out[0] >= 8; };
  all.push_back(by_outcome<std::uint64_t, std::uint64_t>("random_allocation", "record 0 early | late", Words(4),
                                                         is_late,
                                                         [](auto, auto out) { noise::random_allocation(out, 16); }));
  all.push_back(by_outcome<std::uint64_t, std::uint64_t>("shuffle", "record 0 early | late", Words(16), is_late,
                                                         [](auto, auto out) { noise::shuffle(out); }));
}

void add_sums(std::vector<Experiment>& all) {
  const auto clipped = std::make_shared<noise::ClippedSum>(32, 1.0);
  const Call<double, double> add = [clipped](auto in, auto) { clipped->add(in); };
  const Doubles small(32, 1e-3), large(32, 1e3), zero(32, 0.0), strange(32, nan);
  all.push_back(by_input<double, double>("ClippedSum::add", "below | above the norm", small, large, add));
  all.push_back(by_input<double, double>("ClippedSum::add", "small | zero", small, zero, add));
  all.push_back(by_input<double, double>("ClippedSum::add", "small | NaN", small, strange, add));
  const auto sum = std::make_shared<noise::ClippedSum>(1, 1.0);
  const Call<double, double> noise_like = [sum](auto, auto out) { noise::noise_like(*sum, out, 1); };
  all.push_back(
      by_outcome<double, double>("noise_like", "noise small | large", {0}, is_beyond<double>(0.68), noise_like));
  const Call<double, double> add_exactly = [](auto in, auto out) {
    noise::ExactSum exact(1e6);
    exact.add(in);
    out[0] = exact.bound();
  };
  Doubles spread(32);
  for (std::size_t i = 0; i < spread.size(); ++i) spread[i] = std::ldexp(1.0, 19 - 33 * static_cast<int>(i));
  all.push_back(by_input<double, double>("ExactSum::add", "one size | many sizes", small, spread, add_exactly));
  all.push_back(
      by_input<double, double>("ExactSum::add", "inside | beyond the bound", small, Doubles(32, -1e9), add_exactly));
  const Call<double, double> exact_noise = [](auto in, auto out) {
    noise::ExactSum exact(1e6);
    exact.add(in[0]);
    noise::laplace({&exact, 1}, out, 1, {.grid = 0x1p-20, .range = {}, .sensitivity = 1});
  };
  all.push_back(by_input<double, double>("laplace of ExactSum", "0 | -a million", {0}, {-1e6}, exact_noise));
  all.push_back(by_outcome<double, double>("laplace of ExactSum", "noise small | large", {0}, is_beyond<double>(0.68),
                                           exact_noise));
}

}  // namespace

Experiment planted() {
  return by_input<double, double>("planted", "20 | 40 divisions more", {20}, {40}, [](auto in, auto out) {
    std::uint8_t coin = 0;
    noise::bernoulli({&coin, 1}, 0.4);
    double x = 3;
    for (double i = 0; i < in[0]; ++i) x = 1 + 1 / x;
    out[0] = x;
  });
}

std::vector<Experiment> experiments() {
  std::vector<Experiment> all;
  add_laws_on_the_grid(all);
  add_laws_on_integers(all);
  add_coins(all);
  add_choices(all);
  add_samples(all);
  add_sums(all);
  return all;
}

}  // namespace bench
