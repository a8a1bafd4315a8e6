// One step of training in which every layer's gradient is clipped and noised separately. Divided by their noise and
// taken together, the layers are one Gaussian query (docs/math/trees-and-matrices.md, "Clipping").
#include <array>

#include "mechanism/gaussian.h"
#include "mechanism/model.h"
#include "mechanism/table.h"
#include "numerics/rounding.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace per_layer_clipping_file {
namespace {

struct PerLayerClipping {
  double noise_multiplier = 1;
  Rows layers{{1, 2}, {0.5, 1}};

  static constexpr std::string_view kind = "per-layer-clipping";
  static constexpr std::string_view summary = "Gaussian noise on gradients that are clipped layer by layer";
  static std::span<const Parameter> parameters();
  static std::span<const TableParameter> tables();
  static constexpr auto fields = std::tuple{&PerLayerClipping::noise_multiplier};
  static constexpr auto table_fields = std::tuple{&PerLayerClipping::layers};
  static Notes notes();
  static constexpr bool is_additive_noise = true;
  static constexpr bool states_add_or_remove = true;
  std::optional<PerLayerClipping> for_group(double size) const;
  Mechanism equivalent() const;
  std::shared_ptr<const Curve> curve() const { return equivalent().curve(); }
  bool operator==(const PerLayerClipping&) const = default;
};

std::span<const Parameter> PerLayerClipping::parameters() {
  static constexpr std::array<Parameter, 1> table{{
      {.name = "noise_multiplier",
       .meaning = "the noise of every layer is its standard deviation times this",
       .lowest = 1e-20,
       .highest = 1e20,
       .fallback = 1.0,
       .effect = Effect::lowers_cost},
  }};
  return table;
}

std::span<const TableParameter> PerLayerClipping::tables() {
  static constexpr std::array<Parameter, 2> columns{{
      {.name = "clipping_norm", .meaning = "L2 norm that the layer is clipped to", .lowest = 1e-20, .highest = 1e20},
      {.name = "stddev", .meaning = "standard deviation of the layer's noise", .lowest = 1e-20, .highest = 1e20},
  }};
  static constexpr std::array<TableParameter, 1> table{{
      {.name = "layers",
       .meaning = "a row for each layer: its clipping norm, its standard deviation",
       .columns = columns},
  }};
  return table;
}

// m^-2 = sum (norm_i / stddev_i)^2.
Mechanism PerLayerClipping::equivalent() const {
  double squared = 0;
  for (const auto& layer : layers) {
    const double moved = numerics::quotient_up(layer[0], layer[1]);
    squared = numerics::sum_up(squared, numerics::product_up(moved, moved));
  }
  // Each layer is rounded up by the units of a quotient, a square and a sum.
  const double roundings = 8 * static_cast<double>(layers.size() + 2);
  return mechanism::rounded_gaussian(noise_multiplier, numerics::sqrt_up(squared), roundings * numerics::unit_roundoff);
}

std::optional<PerLayerClipping> PerLayerClipping::for_group(double size) const {
  return PerLayerClipping{numerics::quotient_down(noise_multiplier, size), layers};
}

constexpr Reference mcmahan2018{"mcmahan2018",
                                "McMahan, Ramage, Talwar, Zhang 2018, Learning differentially private recurrent "
                                "language models (arXiv:1710.06963), "
                                "per-layer clipping",
                                R"(@inproceedings{mcmahan2018,
  author = {McMahan, H. Brendan and Ramage, Daniel and Talwar, Kunal and Zhang, Li},
  title = {Learning Differentially Private Recurrent Language Models},
  booktitle = {International Conference on Learning Representations (ICLR)},
  year = {2018},
  eprint = {1710.06963}
})"};

Notes PerLayerClipping::notes() {
  return {
      .relation = "any; clipping norms are those of one record's presence, and a record that is replaced counts as two",
      .exact = "everything, where some record moves every layer as far as it may",
      .bound = "",
      .references = {mcmahan2018}};
}

}  // namespace
}  // namespace per_layer_clipping_file

Mechanism table::per_layer_clipping() { return mechanism::made(per_layer_clipping_file::PerLayerClipping{}); }

}  // namespace renyi
