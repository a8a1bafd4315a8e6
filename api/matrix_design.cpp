#include "api/matrix_design.h"

namespace renyi::api {

MatrixDesign answer(const MatrixDesignRequest& asked) { return design_matrix(asked.question); }

}  // namespace renyi::api
