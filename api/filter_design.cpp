#include "api/filter_design.h"

namespace renyi::api {

FilterDesign answer(const FilterDesignRequest& asked) {
  return design_filter(asked.plan, asked.epsilon, asked.delta, asked.options);
}

}  // namespace renyi::api
