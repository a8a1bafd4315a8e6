// renyi noise: adds noise to numbers, one a line, or draws samples; says what to account for.
#include "renyi/noise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/choice.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/files.h"
#include "apps/cli/io/number_lines.h"
#include "apps/cli/io/output.h"
#include "renyi/error.h"

namespace renyi::cli {

namespace noise_file {
namespace {

using noise::Release;

const std::string law_argument = "LAW";
const std::string values_argument = "FILE";
const std::string format_name = "--format";

// What was drawn, as the texts of the numbers, and what to account for.
struct Drawn {
  std::vector<std::string> values;
  Release release;
  std::string limits{};    // what values beyond the range count as; it does not depend on them
  bool is_choice = false;  // the only value is an index
};

template <class Number>
std::vector<std::string> texts(const std::vector<Number>& numbers) {
  std::vector<std::string> all;
  all.reserve(numbers.size());
  for (const Number number : numbers) all.push_back(fmt::format("{}", number));
  return all;
}

// The flags of a law, read as they are needed. All are read before the values.
class Parameters {
 public:
  explicit Parameters(const Flags& flags) : flags_(flags) {}

  std::optional<double> optional(const std::string& flag) const {
    const auto text = flags_.text(flag);
    return text ? std::optional(read_number(flag, *text)) : std::nullopt;
  }
  double number(const std::string& flag) const {
    if (const auto value = optional(flag)) return *value;
    throw InvalidArgument(flag, "nothing", "a number");
  }
  std::int64_t count(const std::string& flag) const {
    const auto text = flags_.text(flag);
    if (!text) throw InvalidArgument(flag, "nothing", "a whole number");
    return read_integer(flag, *text);
  }
  bool given(const std::string& flag) const { return flags_.given(flag); }
  double sensitivity() const { return optional("--sensitivity").value_or(1); }
  noise::OnGrid on_grid() const { return {optional("--grid"), optional("--range"), sensitivity()}; }
  noise::Scores scores() const {
    return {sensitivity(), given("--monotonic"), optional("--range").value_or(noise::Scores{}.range)};
  }
  std::size_t size() const {
    constexpr std::int64_t most = 1'000'000'000;
    const auto text = flags_.text("--size");
    if (!text) throw InvalidArgument("--size", "nothing", "how many to draw");
    return static_cast<std::size_t>(read_integer("--size", *text, most));
  }

  std::vector<double> reals() const {
    Input input(flags_.text(values_argument).value_or("-"));
    return read_reals(input);
  }
  std::vector<std::int64_t> whole_numbers() const {
    Input input(flags_.text(values_argument).value_or("-"));
    return read_whole_numbers(input);
  }

 private:
  const Flags& flags_;
};

using OnGridLaw = Release (*)(std::span<const double>, std::span<double>, double, const noise::OnGrid&);
using WholeLaw = Release (*)(std::span<const std::int64_t>, std::span<std::int64_t>, double, double);
using Choosing = noise::Choice (*)(std::span<const double>, double, const noise::Scores&);

Drawn on_grid(OnGridLaw law, const Parameters& given, const char* scale) {
  const double number = given.number(scale);
  const noise::OnGrid options = given.on_grid();
  std::vector<double> values = given.reals();
  Release release = law(values, values, number, options);
  return {texts(values), std::move(release),
          "values beyond the range, to either side of 0, count as its ends, and nan as 0"};
}

Drawn whole(WholeLaw law, const Parameters& given, const char* parameter) {
  const double number = given.number(parameter), sensitivity = given.sensitivity();
  std::vector<std::int64_t> values = given.whole_numbers();
  Release release = law(values, values, number, sensitivity);
  using Whole = std::numeric_limits<std::int64_t>;
  return {
      texts(values), std::move(release),
      fmt::format("values and results beyond the range from {} to {} count as its ends", Whole::min(), Whole::max())};
}

Drawn choice(Choosing choose, const Parameters& given, const char* parameter) {
  const double number = given.number(parameter);
  const noise::Scores options = given.scores();
  const std::vector<double> scores = given.reals();
  noise::Choice found = choose(scores, number, options);
  return {{std::to_string(found.index)},
          std::move(found.release),
          fmt::format("scores beyond the range from {} to {} count as its ends, and nan as 0",
                      api::short_decimal(-options.range), api::short_decimal(options.range)),
          true};
}

// Draws without values: `draw` fills a vector of the size that --size says.
template <class Number, class Draw>
Drawn drawn(const Parameters& given, const Draw& draw) {
  std::vector<Number> values(given.size());
  Release release = draw(std::span<Number>(values));
  return {texts(values), std::move(release)};
}

Drawn response(const Parameters& given) {
  const double truth = given.number("--truth-probability");
  const std::int64_t categories = given.given("--categories") ? given.count("--categories") : 2;
  std::vector<std::int64_t> values = given.whole_numbers();
  Release release = noise::randomized_response(values, values, truth, categories);
  return {texts(values), std::move(release)};
}

// A law: its name, the flags it takes, and whether it reads values; `--format` is for all of them.
struct Law {
  const char* name;
  const char* help;
  std::vector<std::string> flags;
  bool reads_values;
  Drawn (*draw)(const Parameters&);
};

const std::vector<Law>& laws() {
  using Values = const Parameters&;
  using Coins = std::span<std::uint8_t>;
  static const std::vector<Law> all{
      {"gaussian",
       "real numbers, rounded to --grid; needs --stddev",
       {"--stddev", "--grid", "--range", "--sensitivity"},
       true,
       [](Values given) { return on_grid(noise::gaussian, given, "--stddev"); }},
      {"laplace",
       "real numbers, rounded to --grid; needs --scale",
       {"--scale", "--grid", "--range", "--sensitivity"},
       true,
       [](Values given) { return on_grid(noise::laplace, given, "--scale"); }},
      {"discrete-gaussian",
       "whole numbers; needs --stddev",
       {"--stddev", "--sensitivity"},
       true,
       [](Values given) { return whole(noise::discrete_gaussian, given, "--stddev"); }},
      {"discrete-laplace",
       "whole numbers; needs --scale",
       {"--scale", "--sensitivity"},
       true,
       [](Values given) { return whole(noise::discrete_laplace, given, "--scale"); }},
      {"skellam",
       "whole numbers; needs --variance",
       {"--variance", "--sensitivity"},
       true,
       [](Values given) { return whole(noise::skellam, given, "--variance"); }},
      {"randomized-response",
       "categories 0, 1, ...; needs --truth-probability",
       {"--truth-probability", "--categories"},
       true,
       response},
      {"exponential",
       "scores in, the index of the chosen one out; needs --epsilon",
       {"--epsilon", "--sensitivity", "--monotonic", "--range"},
       true,
       [](Values given) { return choice(noise::exponential, given, "--epsilon"); }},
      {"permute-and-flip",
       "the same, never worse; needs --epsilon",
       {"--epsilon", "--sensitivity", "--monotonic", "--range"},
       true,
       [](Values given) { return choice(noise::permute_and_flip, given, "--epsilon"); }},
      {"report-noisy-max",
       "the same, with Laplace noise; needs --score-scale",
       {"--score-scale", "--sensitivity", "--monotonic", "--range"},
       true,
       [](Values given) { return choice(noise::report_noisy_max, given, "--score-scale"); }},
      {"geometric",
       "whole numbers from 0; needs --size, --scale",
       {"--size", "--scale"},
       false,
       [](Values given) {
         const double scale = given.number("--scale");
         return drawn<std::int64_t>(given, [&](auto out) { return noise::geometric(out, scale); });
       }},
      {"bernoulli",
       "coins, 1 or 0; needs --size, --probability",
       {"--size", "--probability"},
       false,
       [](Values given) {
         const double probability = given.number("--probability");
         return drawn<std::uint8_t>(given, [&](Coins out) { return noise::bernoulli(out, probability); });
       }},
      {"bernoulli-exp",
       "coins, 1 with probability exp(-x); needs --size, --exponent",
       {"--size", "--exponent"},
       false,
       [](Values given) {
         const double exponent = given.number("--exponent");
         return drawn<std::uint8_t>(given, [&](Coins out) { return noise::bernoulli_exp(out, exponent); });
       }},
      {"poisson-sample",
       "1 for a record in the sample; needs --size, --sampling-rate",
       {"--size", "--sampling-rate"},
       false,
       [](Values given) {
         const double rate = given.number("--sampling-rate");
         return drawn<std::uint8_t>(given, [&](Coins out) { return noise::poisson_sample(out, rate); });
       }},
      {"fixed-size-sample",
       "1 for a record in the sample; needs --size, --sample-size",
       {"--size", "--sample-size"},
       false,
       [](Values given) {
         const auto sample = static_cast<std::uint64_t>(given.count("--sample-size"));
         return drawn<std::uint8_t>(given, [&](Coins out) { return noise::fixed_size_sample(out, sample); });
       }},
      {"random-allocation",
       "for each record one of the steps 0, 1, ...; needs --size, --steps",
       {"--size", "--steps"},
       false,
       [](Values given) {
         const auto steps = static_cast<std::uint64_t>(given.count("--steps"));
         return drawn<std::uint64_t>(given, [&](auto out) { return noise::random_allocation(out, steps); });
       }},
      {"shuffle",
       "a permutation of 0, 1, ...; needs --size",
       {"--size"},
       false,
       [](Values given) { return drawn<std::uint64_t>(given, noise::shuffle); }},
  };
  return all;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Law& law : laws()) all.emplace_back(law.name);
  return all;
}

const Law& law_of(const Flags& flags) {
  const std::string name = flags.text(law_argument).value_or("");
  for (const Law& law : laws()) {
    if (law.name == name) return law;
  }
  if (!name.empty()) refuse_choice(law_argument, name, names());
  throw InvalidArgument(law_argument, "nothing", fmt::format("one of {}", fmt::join(names(), ", ")));
}

FlagText whole_number(FlagText text) {
  text.whole = true;
  return text;
}

// Flags that few laws take are left to --help-all.
FlagText rare(FlagText text) {
  text.rare = true;
  return text;
}

std::vector<FlagText> own_flags() {
  const std::string noise = "The noise", draws = "Draws without values", n = "NUMBER";
  return {
      {"--stddev", n, "standard deviation of Gaussian noise", noise},
      {"--scale", n, "scale of Laplace or geometric noise", noise},
      {"--grid", n, "results are multiples of this power of two, such as 2^-10", noise},
      {"--range", n, "values are clamped to [-range, range]", noise},
      {"--sensitivity", n, "how far one record moves the values (default 1)", noise},
      rare({"--variance", n, "variance of Skellam noise", noise}),
      rare({"--truth-probability", n, "how often a response is kept", noise}),
      rare(whole_number({"--categories", n, "number of responses (default 2)", noise})),
      rare({"--epsilon", n, "epsilon of the choice", noise}),
      rare({"--score-scale", n, "scale of the noise on each score", noise}),
      rare({"--monotonic", "", "one record moves all scores the same way, or not at all", noise}),
      whole_number({"--size", n, "how many to draw", draws}),
      rare({"--probability", n, "probability of 1", draws}),
      rare({"--exponent", n, "x of the probability exp(-x), at least 0", draws}),
      rare({"--sampling-rate", n, "probability of each record", draws}),
      rare(whole_number({"--sample-size", n, "how many records are in the sample", draws})),
      rare(whole_number({"--steps", n, "number of steps", draws})),
  };
}

bool takes(const Law& law, const std::string& flag) {
  return std::find(law.flags.begin(), law.flags.end(), flag) != law.flags.end();
}

// A flag that the law does not take would be ignored silently: a --scale beside --stddev, for example.
void check_flags(const Law& law, const Flags& flags) {
  for (const FlagText& text : own_flags()) {
    if (!flags.given(text.name) || takes(law, text.name)) continue;
    throw InvalidArgument(text.name, fmt::format("\"{}\"", *flags.text(text.name)),
                          fmt::format("for {} only {}", law.name, fmt::join(law.flags, ", ")));
  }
  if (!law.reads_values && flags.given(values_argument)) {
    throw InvalidArgument(values_argument, *flags.text(values_argument), fmt::format("no values for {}", law.name));
  }
}

std::string format_of(const Flags& flags) {
  std::string format = flags.text(format_name).value_or("text");
  if (format != "text" && format != "json") refuse_choice(format_name, format, {"text", "json"});
  return format;
}

// The library names fields; here they are flags.
void name_flags(Question& question) {
  for (const FlagText& text : own_flags()) {
    std::string field = text.name.substr(2);
    std::replace(field.begin(), field.end(), '-', '_');
    question.flag_at[field] = text.name;
  }
}

std::string json(const Drawn& drawn) {
  const Release& release = drawn.release;
  std::string text = drawn.is_choice ? fmt::format("{{\"index\":{}", drawn.values.front())
                                     : fmt::format("{{\"values\":[{}]", fmt::join(drawn.values, ","));
  if (release.grid > 0) {
    text += fmt::format(",\"grid\":{},\"range\":{},\"effective_stddev\":{}", release.grid, release.range,
                        release.effective_stddev);
  }
  text += fmt::format(",\"draws\":{},\"timing_delta\":{}", release.draws, release.timing_delta);
  if (!release.step.empty()) text += fmt::format(",\"step\":{}", release.step);
  return text + "}\n";
}

void say(std::string_view line) { print_to_stderr(fmt::format("renyi: {}\n", line)); }

void say_facts(const Drawn& drawn) {
  const Release& release = drawn.release;
  if (release.grid > 0) {
    say(fmt::format("grid {}, range {}, effective standard deviation at most {}", api::short_decimal(release.grid),
                    api::short_decimal(release.range), rounded_up(release.effective_stddev)));
  }
  if (!drawn.limits.empty()) say(drawn.limits);
  if (release.timing_delta > 0) say(fmt::format("timing delta at most {}", rounded_up(release.timing_delta)));
  if (release.step.empty()) return;
  say(fmt::format("account for the step {}", release.step));
  // Sensitivities of discrete laws are about one number.
  if (release.mechanism == "skellam" || release.mechanism.starts_with("discrete-"))
    say("once for each value that one record moves");
}

void run(const Flags& flags) {
  with_question([&](Question& question) {
    name_flags(question);
    const std::string format = format_of(flags);
    const Law& law = law_of(flags);
    check_flags(law, flags);
    const Drawn drawn = law.draw(Parameters(flags));
    for (const std::string& line : flags.understood) say("understood " + line);
    if (format == "json") return print(json(drawn));
    for (const std::string& value : drawn.values) print(value + "\n");
    flush_output();  // on a terminal, the facts stand below the values
    say_facts(drawn);
  });
}

std::string list_of_laws() {
  std::string text = "Laws:\n";
  for (const Law& law : laws()) text += fmt::format("  {:<20} {}\n", law.name, law.help);
  return text;
}

}  // namespace
}  // namespace noise_file

Command noise_command() {
  const FlagText format{noise_file::format_name, "text|json",
                        "numbers, with the facts on standard error (default); or one object", asked_group};
  return {
      .name = "noise",
      .help = "Add exact noise to numbers, one a line; what to account for",
      .flags = joined({{{noise_file::law_argument, "", fmt::format("{}", fmt::join(noise_file::names(), ", "))},
                        {noise_file::values_argument, "", "one number a line (default: standard input)"}},
                       noise_file::own_flags(),
                       {format}}),
      .footer =
          "Nothing is printed unless all is drawn. Values never cause an error, unless a line is no number.\n"
          "\n" +
          noise_file::list_of_laws() +
          "\n"
          "Real numbers are rounded to the grid together with ideal noise, so that the privacy is exactly that\n"
          "of the step to account for. Values are clamped to the range, and nan counts as 0.\n"
          "\n"
          "Examples:\n"
          "  seq 3 | renyi noise gaussian --stddev 10 --grid 2^-10\n"
          "  seq 3 | renyi noise discrete-laplace --scale 2 --format json\n"
          "  seq 3 | renyi noise permute-and-flip --epsilon 1\n"
          "  renyi noise poisson-sample --size 10 --sampling-rate 0.1",
      .run = [](const Flags& flags, const CommandText&) { noise_file::run(flags); },
  };
}

}  // namespace renyi::cli
