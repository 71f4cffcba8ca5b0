// P3: MuJoCo, legs and couplers on hinges, loops closed by `connect`, RK4. Its constraints are springs and dampers:
// they are made as stiff as the step allows, a time constant of two steps.
#include "four_bars.hpp"
#include "mujoco.hpp"

namespace {

std::string xml(int n) {
  const std::string hinge = "<joint type=\"hinge\" axis=\"0 0 1\" pos=\"0 0 0\"/>";
  const auto inertial = [](const char* at) {
    return "<inertial pos=\"" + std::string(at) +
           "\" mass=\"1\" diaginertia=\"0.001 0.08333333333333333 0.08333333333333333\"/>";
  };
  std::string text =
      "<mujoco><option gravity=\"0 -9.81 0\" integrator=\"RK4\" solver=\"Newton\" tolerance=\"1e-15\" "
      "iterations=\"50\">"
      "<flag contact=\"disable\"/></option><worldbody>";
  // A leg along its own x axis, turned upright; the coupler turned back.
  for (int k = 0; k <= n; ++k) {
    const std::string name = std::to_string(k);
    text += "<body name=\"leg" + name + "\" pos=\"" + name + " 0 0\" euler=\"0 0 90\">" + hinge + inertial("0.5 0 0");
    if (k < n)
      text += "<body name=\"coupler" + name + "\" pos=\"1 0 0\" euler=\"0 0 -90\">" + hinge + inertial("0.5 0 0") +
              "</body>";
    text += "</body>";
  }
  text += "</worldbody><equality>";
  for (int k = 0; k < n; ++k)
    text += "<connect body1=\"coupler" + std::to_string(k) + "\" body2=\"leg" + std::to_string(k + 1) +
            "\" anchor=\"1 0 0\" solimp=\"0.9999 0.9999 0.001\"/>";
  return text + "</equality></mujoco>";
}

}  // namespace

int main(int argc, char** argv) {
  using namespace peers;
  const Options options(argc, argv);
  for (const int n : four_bars::sizes()) {
    MujocoModel m(xml(n));
    four_bars::steps("MuJoCo", "RK4", n, 5e-4, options.quick ? 0.5 : 4,
                     [&](int count, double h, four_bars::EnergyError& error) {
                       m.model->opt.timestep = h;
                       for (int k = 0; k < m.model->neq; ++k) m.model->eq_solref[mjNREF * k] = 2 * h;
                       mj_resetData(m.model, m.data);
                       // Legs turn by -1, couplers do not.
                       for (int k = 0; k < m.model->nv; ++k) m.data->qvel[k] = k % 2 == 0 ? -1 : 1;
                       error.add(m.energy());
                       for (int k = 1; k <= count; ++k) {
                         mj_step(m.model, m.data);
                         if (!m.good()) return error.add(INFINITY);
                         if (k % 20 == 0 || k == count) error.add(m.energy());
                       }
                     });
  }
}
