// Parts of a certificate, read strictly.
#pragma once

#include "certificate/document.h"
#include "json/field.h"

namespace renyi::certificate {

Claim read_claim(const json::Field& field);
Gap read_gap(const json::Field& field);
Answer read_answer(const json::Field& field, const CertificateQuestion& question);

Direction read_direction(const json::Field& field);
Conversion read_conversion(const json::Field& field);
// A number of at least 0, or "inf".
double read_figure(const json::Field& object, std::string_view key);

}  // namespace renyi::certificate
