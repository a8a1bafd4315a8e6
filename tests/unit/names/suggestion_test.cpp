#include "names/suggestion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace renyi::names::suggestion_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::array<std::string_view, 8> keys{"mechanism",    "sampling_rate", "noise_multiplier", "count",
                                               "dataset_size", "batch_size",    "epsilon",          "epochs"};
constexpr std::array<std::string_view, 3> relations{"add-or-remove-one", "replace-one", "zero-out"};
constexpr std::array<std::string_view, 4> kinds{"gaussian", "sampled-gaussian", "laplace", "discrete-laplace"};

TEST(Nearest, KnowsOtherWordsForTheSameThing) {
  for (const char* word : {"sigma", "noise", "--sigma", "Sigma", "std"}) {
    EXPECT_THAT(nearest(word, keys), ElementsAre("noise_multiplier")) << word;
  }
  EXPECT_THAT(nearest("eps", keys), ElementsAre("epsilon"));
  EXPECT_THAT(nearest("n", keys), ElementsAre("dataset_size"));
  EXPECT_THAT(nearest("batch", keys), ElementsAre("batch_size"));
  EXPECT_THAT(nearest("q", keys), ElementsAre("sampling_rate"));
  EXPECT_THAT(nearest("T", keys), ElementsAre("count"));
  EXPECT_THAT(nearest("swap", relations), ElementsAre("replace-one"));
  EXPECT_THAT(nearest("dp-sgd", kinds), ElementsAre("sampled-gaussian"));
}

// A word for something that is not allowed here suggests nothing.
TEST(Nearest, SuggestsWhatIsAllowedOnly) {
  EXPECT_THAT(nearest("sigma", relations), IsEmpty());
  EXPECT_THAT(nearest("eps", kinds), IsEmpty());
}

TEST(Nearest, ComparesSpellings) {
  EXPECT_THAT(nearest("noise-multiplier", keys), ElementsAre("noise_multiplier"));
  EXPECT_THAT(nearest("GAUSSIAN", kinds), ElementsAre("gaussian"));
  EXPECT_THAT(nearest("add", relations), ElementsAre("add-or-remove-one"));
  EXPECT_THAT(nearest("gausian", kinds), ElementsAre("gaussian"));
  EXPECT_THAT(nearest("gaussain", kinds), ElementsAre("gaussian"));  // two letters swapped
  EXPECT_THAT(nearest("laplac", kinds), ElementsAre("laplace"));
  EXPECT_THAT(nearest("batchsiez", keys), ElementsAre("batch_size"));
  EXPECT_THAT(nearest("eppchs", keys), ElementsAre("epochs"));
}

TEST(Nearest, NamesAllThatAreEquallyNear) {
  constexpr std::array<std::string_view, 3> names{"rho", "tau", "rhp"};
  EXPECT_THAT(nearest("rhx", names), ElementsAre("rho", "rhp"));
}

TEST(Nearest, SuggestsNothingForStrangers) {
  for (const std::string& word :
       {std::string("frobnicate"), std::string("x"), std::string(), std::string("--"), std::string(100'000, 'a')}) {
    EXPECT_THAT(nearest(word, keys), IsEmpty()) << word.substr(0, 20);
  }
  EXPECT_THAT(nearest("count", {}), IsEmpty());
}

TEST(DidYouMean, IsASuggestionInParentheses) {
  EXPECT_EQ(did_you_mean("gausian", kinds), " (did you mean gaussian?)");
  constexpr std::array<std::string_view, 2> names{"rho", "rhp"};
  EXPECT_EQ(did_you_mean("rhx", names), " (did you mean rho or rhp?)");
  EXPECT_EQ(did_you_mean("frobnicate", kinds), "");
  EXPECT_EQ(did_you_mean("gaussian", kinds), "");  // it is spelt right
  EXPECT_EQ(did_you_mean("lr", keys), " (the learning rate does not change the privacy cost)");
  EXPECT_EQ(remark_on("max_grad_norm"),
            "the clipping norm changes nothing by itself: the noise multiplier is the noise over it");
  EXPECT_EQ(remark_on("delta"), "");
}

}  // namespace
}  // namespace renyi::names::suggestion_test
