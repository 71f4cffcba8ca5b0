// P4: MuJoCo, one body on a ball joint, RK4.
#include "mujoco.hpp"
#include "top.hpp"

int main(int argc, char** argv) {
  using namespace peers;
  const Options options(argc, argv);
  const top::Top steady = top::tops().front();
  const auto number = [](double x) { return text("%.17g", x); };
  MujocoModel m(
      "<mujoco><option gravity=\"0 0 -9.81\" integrator=\"RK4\"><flag contact=\"disable\" "
      "constraint=\"disable\"/></option><worldbody><body><joint type=\"ball\" pos=\"0 0 0\"/><inertial pos=\"0 0 " +
      number(top::length) + "\" mass=\"" + number(top::mass) + "\" diaginertia=\"" + number(steady.J[0]) + " " +
      number(steady.J[0]) + " " + number(steady.J[0]) + "\"/></body></worldbody></mujoco>");
  const top::Seven start = steady.start();
  // The quaternion and the angular velocity in the body, as here.
  top::steps(steady, "MuJoCo", "RK4", 1e-3, options.quick ? 0.3 : 0.6, [&](int n, double h, top::Error& error) {
    mj_resetData(m.model, m.data);
    std::copy(start.begin(), start.begin() + 4, m.data->qpos);
    std::copy(start.begin() + 4, start.end(), m.data->qvel);
    m.model->opt.timestep = h;
    for (int k = 0; k < n; ++k) {
      mj_step(m.model, m.data);
      if (!m.good()) return error.fail();
      error.add(top::place(m.data->qpos));
    }
  });
}
