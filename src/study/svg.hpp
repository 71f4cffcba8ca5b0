// Svg: plots of studies, as one file of stacked panels that needs nothing else – for screens, papers and print.
//
//   Plot plot{.title = "pendulum", .x_label = "step", .y_label = "error of q", .log_x = true, .log_y = true};
//   plot.curves.push_back({.name = "rattle", .x = h, .y = error});
//   plot.slopes = {2};                         // a triangle that shows what order 2 looks like
//   std::ofstream("orders.svg") << svg({plot});
//
// Curves differ by colour (of Okabe and Ito, which colour-blind readers can tell apart), by marker and by dashes.
#pragma once

#include <string>
#include <vector>

namespace extremal::study {

struct Curve {
  std::string name;
  std::vector<double> x, y;  // what is not finite, or not positive on a logarithmic axis, is left out
  bool markers = true;       // off for long series
  bool filled = false;       // a closed curve, and what is inside
  int like = -1;             // drawn as the curve of this number, and not in the legend
};

struct Plot {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<Curve> curves;
  std::vector<int> slopes = {};  // log-log only: triangles of these slopes, at the lower right
  bool square = false;           // one unit of x is as long as one of y: trajectories
};

std::string svg(const std::vector<Plot>& panels);

}  // namespace extremal::study
