// The error of the noise of a plan, before it is drawn.
#pragma once

#include <string>

#include "api/document.h"
#include "renyi/accuracy.h"
#include "renyi/plan.h"

namespace renyi::api {

struct AccuracyRequest {
  Plan plan{};
  AccuracyOptions options{};
};

AccuracyRequest read_accuracy(const Document& request);
Accuracy answer(const AccuracyRequest& asked);
std::string write(const Document& request, const Accuracy& answer);

}  // namespace renyi::api
