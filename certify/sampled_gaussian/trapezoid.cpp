// The sums themselves. Points of one line are powers of one turn: a table of small turns, and one running product of
// large ones.
#include "certify/sampled_gaussian/trapezoid.h"

#include <algorithm>
#include <cmath>

namespace renyi::certify {
namespace {

// A row of complex balls that Arb can sum at once.
class Row {
 public:
  explicit Row(std::size_t size) : size_(static_cast<slong>(size)), balls_(_acb_vec_init(size_)) {}
  ~Row() {
    if (balls_ != nullptr) _acb_vec_clear(balls_, size_);
  }
  Row(Row&& other) noexcept : size_(other.size_), balls_(other.balls_) { other.balls_ = nullptr; }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;
  Row& operator=(Row&&) = delete;

  acb_ptr at(std::size_t i) { return balls_ + i; }

  void multiply(const Row& other) {
    for (slong i = 0; i < size_; ++i) acb_mul(balls_ + i, balls_ + i, other.balls_ + i, Precision::bits());
  }
  Complex dot(const Row& other) const {
    Complex sum;
    acb_dot(sum.raw(), nullptr, 0, balls_, 1, other.balls_, 1, size_, Precision::bits());
    return sum;
  }

 private:
  slong size_;
  acb_ptr balls_;
};

// exp(i angle loss) for every node.
Row turns(const Nodes& nodes, const Ball& angle) {
  Row row(nodes.loss.size());
  for (std::size_t i = 0; i < nodes.loss.size(); ++i) {
    const Ball turned = angle * nodes.loss[i];
    arb_sin_cos(acb_imagref(row.at(i)), acb_realref(row.at(i)), turned.raw(), Precision::bits());
  }
  return row;
}

Row ones(std::size_t size) {
  Row row(size);
  for (std::size_t i = 0; i < size; ++i) acb_one(row.at(i));
  return row;
}

Row masses(const Nodes& nodes, const Ball& exponent) {
  Row row(nodes.loss.size());
  for (std::size_t i = 0; i < nodes.loss.size(); ++i) {
    const Ball mass = nodes.weight[i] * exp(exponent * nodes.loss[i]);
    arb_set(acb_realref(row.at(i)), mass.raw());
  }
  return row;
}

std::vector<Row> small_turns(const Nodes& nodes, const Ball& spacing, long block) {
  std::vector<Row> rows;
  const Row turn = turns(nodes, spacing);
  rows.push_back(ones(nodes.loss.size()));
  for (long k = 1; k < block; ++k) {
    Row next = ones(nodes.loss.size());
    next.multiply(rows.back());
    next.multiply(turn);
    rows.push_back(std::move(next));
  }
  return rows;
}

// Points per block: near the root, so that few products follow each other, within some memory.
long block_length(long points, double nodes) {
  const double root = std::sqrt(static_cast<double>(points));
  const double fitting = 1e6 / nodes;
  return std::max(1L, static_cast<long>(std::min(root, fitting)));
}

// A box that is turned needs a larger box: each product may cost half a bit.
long bits_lost(long points, long block) { return 16 + (block + points / block) / 2; }

std::vector<Complex> sums(const Nodes& nodes, const Ball& exponent, const Ball& spacing, long points, long block) {
  std::vector<Complex> result;
  Row current = masses(nodes, exponent);
  const std::vector<Row> small = small_turns(nodes, spacing, block);
  const Row large = turns(nodes, spacing * Ball(static_cast<std::int64_t>(block)));
  while (static_cast<long>(result.size()) < points) {
    for (const Row& row : small) {
      if (static_cast<long>(result.size()) == points) break;
      result.push_back(current.dot(row));
    }
    current.multiply(large);
  }
  return result;
}

}  // namespace

std::vector<Complex> trapezoid_moments(const SampledGaussian& mechanism, const Ball& exponent, const Ball& spacing,
                                       long points, long bits) {
  const Ball reach = abs(spacing) * Ball(static_cast<std::int64_t>(points - 1));
  const long block = block_length(points, trapezoid_node_count(mechanism, exponent, reach, bits));
  const Precision guarded(Precision::bits() + bits_lost(points, block));
  const Nodes nodes = trapezoid_nodes(mechanism, exponent, reach, bits);
  std::vector<Complex> result = sums(nodes, exponent, spacing, points, block);
  // |sum - A| <= error A(Re e), and A(Re e) <= sum(Re e) / (1 - error).
  const Ball error = nodes.error * result.front().real() / (1 - nodes.error);
  for (Complex& moment : result) moment.widen(error);
  return result;
}

}  // namespace renyi::certify
