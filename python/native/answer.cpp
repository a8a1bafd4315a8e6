#include "answer.h"

#include "renyi/error.h"

namespace renyi::python {
namespace {

// A plan asked as an accountant is.
struct Asked {
  EpsilonBound renyi_epsilon(double delta, const ConversionOptions& how) const {
    return renyi::renyi_epsilon(plan, delta, how);
  }
  DeltaBound renyi_delta(double epsilon, const ConversionOptions& how) const {
    return renyi::renyi_delta(plan, epsilon, how);
  }
  ExactAnswer exact_epsilon(double delta) const { return ExactAccountant(plan, exactness).epsilon(delta); }
  ExactAnswer exact_delta(double epsilon) const { return ExactAccountant(plan, exactness).delta(epsilon); }

  const Plan& plan;
  const ExactOptions& exactness;
};

template <class Source>
void add_bound(Answer& answer, Figure figure, const Source& source, double at, const Options& options) {
  if (figure == Figure::epsilon) {
    const EpsilonBound found = source.renyi_epsilon(at, options.conversion);
    answer.bound = found.epsilon;
    answer.order = found.order;
    answer.conversion = found.conversion;
    answer.delta_apart = found.delta_apart;
  } else {
    const DeltaBound found = source.renyi_delta(at, options.conversion);
    answer.bound = found.delta;
    answer.order = found.order;
    answer.conversion = found.conversion;
    answer.delta_apart = found.delta_apart;
  }
}

template <class Source>
ExactAnswer exact_part(Figure figure, const Source& source, double at) {
  return figure == Figure::epsilon ? source.exact_epsilon(at) : source.exact_delta(at);
}

// Where the bound stands beside it, an exact part that cannot be given is no failure.
template <class Source>
void try_exact(Answer& answer, Figure figure, const Source& source, double at) {
  try {
    answer.exact = exact_part(figure, source, at);
  } catch (const Unsupported& error) {
    answer.unavailable = error.why();
  } catch (const NotConverged& error) {
    answer.unavailable = error.what();
  }
}

template <class Source>
Answer ask(Figure figure, const Source& source, double at, const Options& options) {
  Answer result;
  if (!options.renyi) {
    result.exact = exact_part(figure, source, at);
    return result;
  }
  add_bound(result, figure, source, at, options);
  if (options.exact) try_exact(result, figure, source, at);
  return result;
}

}  // namespace

Answer answer(Figure figure, const Plan& plan, double at, const Options& options) {
  return ask(figure, Asked{plan, options.exactness}, at, options);
}

Answer answer(Figure figure, const Accountant& accountant, double at, const Options& options) {
  return ask(figure, accountant, at, options);
}

}  // namespace renyi::python
