#include "apps/cli/plot/draw.h"

#include <sys/stat.h>

#include <array>
#include <cstdio>
#include <memory>

#include "apps/cli/ask.h"
#include "apps/cli/plot/canvas.h"
#include "apps/cli/plot/run.h"
#include "apps/cli/plot/script.h"
#include "apps/cli/whole_file.h"

namespace renyi::cli::plot {
namespace {

void require_content(int descriptor) {
  struct stat facts {};
  if (fstat(descriptor, &facts) != 0 || facts.st_size == 0) throw Failure(exit_no_answer, "gnuplot drew nothing");
}

// Without the form feed that gnuplot begins with, blanks at the ends of lines, and empty lines around it.
std::string trimmed(const std::string& page) {
  std::string text, line;
  for (const char c : page) {
    if (c == '\f') continue;
    if (c != '\n') {
      line += c;
      continue;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    if (!text.empty() || !line.empty()) text += line + '\n';
    line.clear();
  }
  text.erase(text.find_last_not_of('\n') + 1);
  return text + '\n';
}

}  // namespace

void save(const Figure& figure, const std::string& flag, const std::string& file) {
  const Canvas canvas = canvas_for(flag, file);
  const std::string script = gnuplot_script(figure, canvas);
  WholeFile picture(flag, file);
  if (canvas.medium == Medium::script) {
    picture.write(script);
  } else {
    run_gnuplot(script, picture.descriptor());
    require_content(picture.descriptor());
  }
  picture.put_into_place();
}

std::string for_standard_output(const Figure& figure) {
  const std::string script = gnuplot_script(figure, canvas_of_standard_output());
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> page(std::tmpfile(), std::fclose);
  if (!page) throw Failure(exit_bad_input, "no temporary file for gnuplot");
  run_gnuplot(script, fileno(page.get()));
  require_content(fileno(page.get()));
  std::rewind(page.get());
  std::string text;
  for (int c = 0; (c = std::fgetc(page.get())) != EOF;) text += static_cast<char>(c);
  return trimmed(text);
}

}  // namespace renyi::cli::plot
