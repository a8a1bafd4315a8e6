// Every kind of figure in every format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/session.h"

namespace renyi::test::pictures_test {
namespace {

using testing::ElementsAre;

struct Drawing {
  std::string kind{};
  std::string run{};
  std::size_t curves = 1;  // lines and areas at least
};

void PrintTo(const Drawing& drawing, std::ostream* out) { *out << drawing.kind << ' ' << drawing.run; }

std::vector<Drawing> drawings() {
  return {
      {"rdp", "plan.json --delta 1e-6", 1},
      {"steps", "--sampling-rate 0.01 --noise-multiplier 1.1 --steps 1000", 2},
      {"profile", "--scale 2 --delta 1e-3", 3},
      {"tradeoff", "--truth-probability 0.75", 2},
      {"outcomes", "--pure-epsilon 1 --steps 3", 5},
      {"loss", "--noise-multiplier 1 --delta 0.05", 3},
      {"epochs", "--dataset-size 60000 --batch-size 600 --epochs 2 --noise-multiplier 2", 2},
      {"steps", "--noise-multiplier 1,2,4", 3},
      {"accountants", "--pure-epsilon 0.125 --steps 100 --delta 1e-6", 2},
      {"closed-form", "--sampling-rate 0.01 --noise-multiplier 4", 2},
      {"closed-form", "--sampling-rate 0.01 --noise-multiplier 1.1", 1},
  };
}

class Pictures : public testing::TestWithParam<Drawing> {
 protected:
  Outcome draw(const std::string& file, const std::string& then) const {
    return session_.run("renyi plot " + GetParam().kind + " " + GetParam().run + " --out " + file + " && " + then);
  }
  std::size_t bytes_of(const std::string& file) const {
    const Outcome outcome = session_.run("wc -c < " + file);
    return outcome.exit_code == 0 ? std::stoul(outcome.lines.at(0)) : 0;
  }

 private:
  Session session_;
};

TEST_P(Pictures, ArePng) {
  // Signature, and width and height as big-endian numbers; and no other file is left.
  const Outcome outcome = draw(
      "a.png", "od -An -tx1 -N 4 a.png && od -An -tu1 -j 16 -N 8 a.png && ls -A | grep -v -e json -e csv -e '[.]sh$'");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.lines, ElementsAre(" 89 50 4e 47", "   0   0   3 192   0   0   2 118", "a.png"));
  EXPECT_GT(bytes_of("a.png"), 8000U);
}

TEST_P(Pictures, AreSvg) {
  // Solid and dashed lines of the palette; axes and grid are grey.
  const Outcome outcome =
      draw("a.svg", "grep -c -e 'stroke=\"#0' -e 'stroke=\"#D' -e 'stroke=\"#6' a.svg; grep -c '</svg>' a.svg");
  EXPECT_EQ(outcome.exit_code, 0);
  ASSERT_EQ(outcome.lines.size(), 2U);
  EXPECT_GE(std::stoul(outcome.lines[0]), GetParam().curves);
  EXPECT_EQ(outcome.lines[1], "1");
}

TEST_P(Pictures, ArePdf) {
  const Outcome outcome = draw("a.pdf", "head -c 5 a.pdf && echo && tail -c 6 a.pdf");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.lines, ElementsAre("%PDF-", "%%EOF"));
  EXPECT_GT(bytes_of("a.pdf"), 5000U);
}

INSTANTIATE_TEST_SUITE_P(Cli, Pictures, testing::ValuesIn(drawings()), [](const auto& drawing) {
  std::string name = drawing.param.kind;
  std::erase(name, '-');
  return name + std::to_string(drawing.index);
});

}  // namespace
}  // namespace renyi::test::pictures_test
