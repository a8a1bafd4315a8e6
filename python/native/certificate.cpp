// Certificates: making one, and verifying one.
#include "renyi/extras/certificate.h"

#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/api.h"
#include "api/certificate.h"
#include "bindings.h"
#include "gil.h"

namespace renyi::python {
namespace certificate_file {
namespace {

std::string certify(const Plan& plan, std::optional<double> delta, std::optional<double> epsilon,
                    std::optional<double> order) {
  return make_certificate(plan, {.delta = delta, .epsilon = epsilon, .order = order});
}

// The verdict as the requests answer it, and its values.
struct Verified {
  std::string answer;
  Verdict verdict;
};

Verified verify(const std::string& text) {
  const api::VerifyRequest asked{api::read(text)};
  Verdict verdict = api::answer(asked);
  std::string answer = api::write(api::Document().set("op", "verify"), verdict);
  return {std::move(answer), std::move(verdict)};
}

// Returns the kind, the order, the conversion, the direction and the given number of a claim; None for what its kind
// does not use.
py::tuple parts_of(const ClaimStatement& statement) {
  const ClaimKind kind = statement.kind;
  const bool converted = kind == ClaimKind::renyi_epsilon || kind == ClaimKind::renyi_delta;
  const bool has_order = converted || kind == ClaimKind::rdp;
  const auto text = [](bool used, auto value) {
    return used ? py::object(py::str(std::string(to_string(value)))) : py::object(py::none());
  };
  const auto number = [](bool used, double value) {
    return used ? py::object(py::float_(value)) : py::object(py::none());
  };
  return py::make_tuple(std::string(to_string(kind)), number(has_order, statement.order),
                        text(converted, statement.conversion), text(!converted, statement.direction),
                        number(kind != ClaimKind::rdp, statement.at));
}

py::list proven(const Verified& found) {
  py::list all;
  for (const ProvenFigure& figure : found.verdict.proven) {
    all.append(py::make_tuple(parts_of(figure.statement), decimal_below(figure.value.lower),
                              decimal_above(figure.value.upper), figure.width, figure.says));
  }
  return all;
}

}  // namespace
}  // namespace certificate_file

void bind_certificates(py::module_& module) {
  using certificate_file::Verified;
  py::class_<Verified>(module, "Verified")
      .def_readonly("answer", &Verified::answer)
      .def_property_readonly("valid", [](const Verified& found) { return found.verdict.valid; })
      .def_property_readonly("faults", [](const Verified& found) { return found.verdict.faults; })
      .def_property_readonly("not_certified", [](const Verified& found) { return found.verdict.not_certified; })
      .def_property_readonly("plan", [](const Verified& found) { return found.verdict.plan; })
      .def_property_readonly("delta", [](const Verified& found) { return found.verdict.question.delta; })
      .def_property_readonly("epsilon", [](const Verified& found) { return found.verdict.question.epsilon; })
      .def_property_readonly("proven", &certificate_file::proven);
  module.def("certify", &certificate_file::certify, py::arg("plan"), py::arg("delta"), py::arg("epsilon"),
             py::arg("order"), py::call_guard<WithoutGil>());
  module.def("verify", &certificate_file::verify, py::arg("text"), py::call_guard<WithoutGil>());
}

}  // namespace renyi::python
