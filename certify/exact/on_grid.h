// A plan's steps on one grid, rounded to both sides.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "certify/exact/hang.h"
#include "certify/exact/law.h"

namespace renyi::certify {

// What is asked, and how well it is known so far.
struct Question {
  double epsilon = 0;
  double log_delta = 0;
  double tolerance = 1e-6;
  long bits = 128;
  std::size_t* points_left = nullptr;  // of all products of laws
};

// One kind of step and how often it runs.
struct Kind {
  std::unique_ptr<StepTails> tails;
  std::int64_t count = 1;
};

class Lattice {
 public:
  // `atoms` are the Laplace steps among the kinds; responses are not on the grid, but their largest loss matters.
  Lattice(std::vector<Kind> kinds, std::vector<Laplace> atoms, const Ball& largest_of_responses);

  // Of the losses of one step that matter, the longest stretch.
  double longest(const Question& question) const;
  // The law between its two roundings, on a grid of about that spacing. Throws NotConverged if it is too much work.
  std::unique_ptr<Law> law(double about_h, const Question& question) const;

 private:
  double log_negligible(const Question& question) const;
  Span span(const Kind& kind, const Question& question) const;

  std::vector<Kind> kinds_;
  std::vector<Laplace> atoms_;
  double copies_ = 0;
  double sum_of_tops_ = 0;
};

}  // namespace renyi::certify
