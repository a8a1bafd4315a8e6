#include "crosscheck/question.h"

#include <gtest/gtest.h>

#include <limits>

#include "crosscheck/random_questions.h"
#include "renyi/error.h"

namespace renyi::crosscheck::question_test {
namespace {

TEST(CrosscheckQuestion, ReadsBackWhatItWrites) {
  for (std::uint64_t number = 0; number < 200; ++number) {
    auto inputs = inputs_of(7, number);
    const std::string line = write(random_point(inputs));
    EXPECT_EQ(write(read_question(line)), line);
  }
  Question question{Figure::delta, Plan().add(Gaussian{2}, 3), 0.5, Direction::add, 1e-5, true};
  EXPECT_EQ(write(read_question(write(question))), write(question));
  question.at = std::numeric_limits<double>::infinity();
  EXPECT_EQ(read_question(write(question)).at, question.at);
}

TEST(CrosscheckQuestion, LetsAnswersThrough) {
  const auto question = read_question(
      R"({"figure":"divergence","at":2,"direction":"add","plan":{"renyi":1,"steps":[{"mechanism":"gdp","mu":1}]},"fast":[1,2]})");
  EXPECT_EQ(question.figure, Figure::divergence);
  EXPECT_EQ(question.direction, Direction::add);
}

TEST(CrosscheckQuestion, RefusesUnknownFigures) {
  EXPECT_THROW(read_question(R"({"figure":"gamma","at":2,"direction":"add","plan":{"renyi":1,"steps":[]}})"),
               InvalidArgument);
}

TEST(CrosscheckQuestion, RandomPointsAreTheSameForTheSameSeed) {
  auto first = inputs_of(3, 5), again = inputs_of(3, 5), other = inputs_of(4, 5);
  const std::string line = write(random_point(first));
  EXPECT_EQ(write(random_point(again)), line);
  EXPECT_NE(write(random_point(other)), line);
}

TEST(CrosscheckQuestion, RandomPointsStayInTheStatedDomain) {
  for (std::uint64_t number = 0; number < 2000; ++number) {
    auto inputs = inputs_of(11, number);
    const double order = random_point(inputs).at;
    EXPECT_TRUE(order >= 1 && (order <= 1e4 || std::isinf(order))) << order;
  }
}

}  // namespace
}  // namespace renyi::crosscheck::question_test
