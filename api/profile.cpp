#include "api/profile.h"

#include "renyi/profile.h"

namespace renyi::api {

ProfileAnswer answer(const ProfileAsked& asked) {
  const Analysis analysis(asked.plan);
  const CostQuestions questions(analysis, asked.options);
  const bool by_default = asked.epsilons.empty() && asked.deltas.empty();
  ProfileAnswer answer;
  for (const double epsilon : by_default ? profile_epsilons(analysis) : asked.epsilons) {
    answer.at_epsilons.push_back(questions.at(Figure::delta, epsilon));
  }
  for (const double delta : asked.deltas) answer.at_deltas.push_back(questions.at(Figure::epsilon, delta));
  answer.note = (answer.at_epsilons.empty() ? answer.at_deltas : answer.at_epsilons).front().note();
  return answer;
}

}  // namespace renyi::api
