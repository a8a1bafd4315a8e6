// Makes and verifies certificates. A certificate is a JSON document; a summary of it can be read for people.
#pragma once

#include <string>
#include <vector>

#include "api/document.h"
#include "renyi/extras/certificate.h"
#include "renyi/plan.h"

namespace renyi::api {

struct CertifyRequest {
  Plan plan;
  CertificateQuestion question{};
};

struct CertifyAnswer {
  Document certificate;
};

CertifyRequest read_certify(const Document& request);
CertifyAnswer answer(const CertifyRequest& asked);
std::string write(const Document& request, const CertifyAnswer& answer);

struct VerifyRequest {
  Document certificate;
};

VerifyRequest read_verify(const Document& request);
Verdict answer(const VerifyRequest& asked);
std::string write(const Document& request, const Verdict& answer);

struct ClaimSummary {
  std::string name;  // the claim: "rdp, remove", "epsilon at delta 1e-5, add"
  Enclosure value{};
  std::string method{};
};

struct GapSummary {
  std::string name;
  std::string unavailable{};  // the reason why no method proves it
};

// Summarizes a certificate that this library made or found valid.
struct CertificateSummary {
  double order = 0;  // the order of its Renyi bound
  std::string conversion{};
  std::vector<ClaimSummary> claims{};
  std::vector<GapSummary> not_certified{};
};

CertificateSummary summary_of_certificate(const Document& certificate);

}  // namespace renyi::api
