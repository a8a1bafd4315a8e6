#include "apps/cli/plot/draw.h"

#include "apps/cli/io/files.h"
#include "apps/cli/plot/canvas.h"
#include "apps/cli/plot/convert.h"
#include "apps/cli/plot/picture.h"
#include "apps/cli/plot/terminal.h"

namespace renyi::cli::plot {

void check_picture(const std::string& flag, const std::string& file) {
  canvas_for(flag, file);
  check_target(flag, file);
}

void save(const Figure& figure, const Canvas& canvas, const std::string& flag, const std::string& file) {
  const std::string svg = picture_of(figure, canvas).svg;
  AtomicFile picture(flag, file);
  picture.write(canvas.medium == Medium::svg ? svg : rendered(svg, canvas));
  picture.put_into_place();
}

void save(const Figure& figure, const std::string& flag, const std::string& file) {
  save(figure, canvas_for(flag, file), flag, file);
}

std::string for_standard_output(const Figure& figure) { return terminal_picture(figure, canvas_of_standard_output()); }

}  // namespace renyi::cli::plot
