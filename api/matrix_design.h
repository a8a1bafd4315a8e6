// Matrices for correlated noise: their coefficients, the error of prefix sums, and the noise for a target.
#pragma once

#include <string>

#include "api/document.h"
#include "renyi/extras/matrix_design.h"

namespace renyi::api {

struct MatrixDesignRequest {
  MatrixDesignQuestion question{};
};

MatrixDesignRequest read_matrix_design(const Document& request);
MatrixDesign answer(const MatrixDesignRequest& asked);
std::string write(const Document& request, const MatrixDesign& answer);

}  // namespace renyi::api
