// Odometers: an upper bound on the loss so far of steps that are chosen on the way.
#pragma once

#include <optional>
#include <string>

#include "api/document.h"
#include "renyi/odometer.h"
#include "renyi/plan.h"

namespace renyi::api {

struct OdometerRequest {
  Odometer odometer;  // with the steps so far
};

struct OdometerAnswer {
  OdometerKind kind = OdometerKind::renyi;
  OdometerReading reading{};
};

OdometerRequest read_odometer_request(const Document& request);
inline OdometerAnswer answer(const OdometerRequest& asked) { return {asked.odometer.kind(), asked.odometer.reading()}; }
std::string write(const Document& request, const OdometerAnswer& answer);

}  // namespace renyi::api
