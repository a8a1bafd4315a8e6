// Certificates: made for a plan, and checked. The certificate is a document; what it says is read from it for people.
#pragma once

#include <string>
#include <vector>

#include "api/document.h"
#include "renyi/extras/certificate.h"
#include "renyi/plan.h"

namespace renyi::api {

struct CertifyAsked {
  Plan plan;
  CertificateQuestion question{};
};

struct CertifyAnswer {
  Document certificate;
};

CertifyAsked read_certify(const Document& request);
CertifyAnswer answer(const CertifyAsked& asked);
std::string write(const Document& request, const CertifyAnswer& answer);

struct VerifyAsked {
  Document certificate;
};

VerifyAsked read_verify(const Document& request);
Verdict answer(const VerifyAsked& asked);
std::string write(const Document& request, const Verdict& answer);

struct ClaimSaid {
  std::string name;  // what it is about: "rdp, remove", "epsilon at delta 1e-5, add"
  Enclosure value{};
  std::string method{};
};

struct GapSaid {
  std::string name;
  std::string unavailable{};  // why no method proves it
};

// What a certificate says, which this library made or found valid.
struct CertificateSaid {
  double order = 0;  // of its Renyi bound
  std::string conversion{};
  std::vector<ClaimSaid> claims{};
  std::vector<GapSaid> not_certified{};
};

CertificateSaid said_in_certificate(const Document& certificate);

}  // namespace renyi::api
