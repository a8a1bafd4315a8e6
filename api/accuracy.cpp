#include "api/accuracy.h"

namespace renyi::api {

Accuracy answer(const AccuracyRequest& asked) { return accuracy(asked.plan, asked.options); }

}  // namespace renyi::api
