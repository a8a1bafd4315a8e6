// {"op":"matrix-design","rounds":1000,"bands":[1,8,64],"method":"optimal","participations":4,"min_separation":250}
//   -> {"rounds","participations","min_separation","matrices":[{"bands","amplified","sensitivity",
//       "mean_squared_error_estimate","largest_squared_error_estimate",...,"coefficients":[...]},...],"best":1}
#include "api/matrix_design.h"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "api/json/ops.h"
#include "api/json/options.h"
#include "json/write.h"

namespace renyi::api {

namespace matrix_design_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 12> keys{"rounds",         "bands",          "method",           "coefficients",
                                                "participations", "min_separation", "dataset_size",     "batch_size",
                                                "neighbors",      "epsilon",        "noise_multiplier", "delta"};

constexpr std::array methods{MatrixMethod::square_root, MatrixMethod::optimal};
constexpr std::array relations{Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out};

std::optional<std::int64_t> read_rounds(const Request& request, std::string_view key) {
  const auto field = request.find(key);
  return field ? std::optional(field->integer(1, most_designed_rounds)) : std::nullopt;
}

std::optional<double> read_positive(const Request& request, std::string_view key) {
  const auto field = request.find(key);
  if (!field) return std::nullopt;
  if (!field->value().is_number() || !(field->number() > 0)) field->refuse("a number above 0");
  return field->number();
}

// One number of bands, or a list of them.
std::vector<std::int64_t> read_bands(const Field& field) {
  if (!field.value().is_array()) return {field.integer(1, most_designed_bands)};
  check_length(field);
  std::vector<std::int64_t> bands;
  for (const Field& item : field.items()) bands.push_back(item.integer(1, most_designed_bands));
  if (bands.empty()) field.refuse("one whole number or more");
  return bands;
}

std::vector<double> read_coefficients(const Field& field) {
  std::vector<double> coefficients;
  for (const Field& item : field.items()) coefficients.push_back(item.number());
  if (coefficients.empty()) field.refuse("one number or more");
  return coefficients;
}

// "bands" asks for designs, "coefficients" for the figures of a matrix that is at hand.
void read_matrices(const Request& request, MatrixDesignQuestion& question) {
  if (const auto field = request.find("coefficients")) {
    question.method = MatrixMethod::given;
    question.coefficients = read_coefficients(*field);
    for (const std::string_view other : {"bands", "method"}) {
      if (const auto both = request.find(other)) both->refuse("nothing beside coefficients");
    }
    return;
  }
  question.bands = read_bands(request.require("bands", "a whole number, or an array of them"));
  if (const auto field = request.find("method")) question.method = field->choose<MatrixMethod>(methods);
}

// "epsilon" with "delta" is a target; "noise_multiplier" with "delta" asks for its epsilon.
void read_privacy(const Request& request, MatrixDesignQuestion& question) {
  question.noise_multiplier = read_positive(request, "noise_multiplier");
  const auto epsilon = request.find("epsilon");
  if (epsilon && question.noise_multiplier) epsilon->refuse("nothing beside noise_multiplier");
  if (epsilon) {
    question.target = Target{.epsilon = read_epsilon(request), .delta = read_delta(request)};
  } else if (const auto delta = request.find("delta")) {
    if (!question.noise_multiplier) delta->refuse("nothing without epsilon or noise_multiplier");
    question.delta = read_delta(request);
  }
}

MatrixDesignRequest read(const Request& request) {
  MatrixDesignQuestion question;
  question.rounds = request.require("rounds", "a whole number").integer(1, most_designed_rounds);
  read_matrices(request, question);
  question.participations = read_rounds(request, "participations");
  question.min_separation = read_rounds(request, "min_separation");
  question.dataset_size = read_positive(request, "dataset_size");
  question.batch_size = read_positive(request, "batch_size");
  if (const auto field = request.find("neighbors")) question.neighbors = field->choose<Neighbors>(relations);
  read_privacy(request, question);
  return {std::move(question)};
}

Json write_matrix(const DesignedMatrix& matrix) {
  Json row = Json::object();
  row["bands"] = matrix.bands;
  row["amplified"] = matrix.amplified;
  if (matrix.amplified) row["sampling_rate"] = json::number(matrix.sampling_rate);
  row["sensitivity"] = json::number(matrix.sensitivity);
  row["mean_squared_error_estimate"] = json::number(matrix.error.mean_squared);
  row["largest_squared_error_estimate"] = json::number(matrix.error.largest_squared);
  if (matrix.noise_multiplier) row["noise_multiplier"] = json::number(*matrix.noise_multiplier);
  if (matrix.epsilon) row["epsilon"] = json::number(*matrix.epsilon);
  if (matrix.rms_error) row["rms_error_estimate"] = json::number(*matrix.rms_error);
  if (matrix.largest_error) row["largest_error_estimate"] = json::number(*matrix.largest_error);
  if (!matrix.obstacle.empty()) row["unavailable"] = matrix.obstacle;
  Json& coefficients = row["coefficients"] = Json::array();
  for (const double x : matrix.coefficients) coefficients.push_back(json::number(x));
  return row;
}

Json write_design(const MatrixDesign& design) {
  Json answer = Json::object();
  answer["rounds"] = design.rule.rounds;
  answer["participations"] = design.rule.participations;
  answer["min_separation"] = design.rule.min_separation;
  Json& rows = answer["matrices"] = Json::array();
  for (const DesignedMatrix& matrix : design.matrices) rows.push_back(write_matrix(matrix));
  if (design.best) answer["best"] = static_cast<std::int64_t>(*design.best);
  return answer;
}

}  // namespace
}  // namespace matrix_design_file

constinit const Op matrix_design_op{"matrix-design", matrix_design_file::keys,
                                    run<matrix_design_file::read, matrix_design_file::write_design>,
                                    /*about_a_plan=*/false};

MatrixDesignRequest read_matrix_design(const Document& request) {
  return matrix_design_file::read(checked(matrix_design_op, request));
}

std::string write(const Document& request, const MatrixDesign& answer) {
  return written(matrix_design_op, request, matrix_design_file::write_design(answer));
}

}  // namespace renyi::api
