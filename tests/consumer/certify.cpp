// A program outside the project that makes a certificate and checks it.
#include <renyi/extras/certificate.h>
#include <renyi/plan.h>

#include <cstdio>
#include <string>

int main() {
  const renyi::Plan plan =
      renyi::read_plan(R"({"renyi":1,"steps":[{"mechanism":"gaussian","noise_multiplier":2,"count":3}]})");
  const std::string certificate = renyi::make_certificate(plan, {.delta = 1e-5});
  const renyi::Verdict verdict = renyi::verify_certificate(certificate);
  std::printf("%s: %zu claims\n", verdict.valid ? "valid" : "not valid", verdict.claims);
  return verdict.valid ? 0 : 1;
}
