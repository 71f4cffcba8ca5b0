// P2: MuJoCo, nested bodies with ball joints, in reduced coordinates. Its mass matrix has a row as long as the chain
// for every body: a step costs about N^2 per body, and 1000 bodies are left out.
#include "chain.hpp"
#include "mujoco.hpp"

namespace {

// `from` to `to`, each in the one before.
std::string bodies(int from, int to, const std::string& inside) {
  std::string text;
  for (int i = from; i < to; ++i)
    text += "<body pos=\"" + std::string(i > 0 ? "1" : "0") +
            " 0 0\"><joint type=\"ball\" pos=\"0 0 0\"/><inertial pos=\"0.5 0 0\" mass=\"1\" "
            "diaginertia=\"0.00166666666666666667 0.08333333333333333333 0.08333333333333333333\"/>";
  text += inside;
  for (int i = from; i < to; ++i) text += "</body>";
  return text;
}

peers::MujocoModel chain_of(int n, const char* integrator) {
  const std::string head = "<mujoco><option timestep=\"0.001\" gravity=\"0 0 -9.81\" integrator=\"" +
                           std::string(integrator) +
                           "\"><flag contact=\"disable\" constraint=\"disable\"/></option><worldbody>";
  const std::string tail = "</worldbody></mujoco>";
  const int half = std::min(n, 80);
  if (half == n) return peers::MujocoModel(head + bodies(0, n, "") + tail);
  return peers::MujocoModel(head + bodies(0, half, "{rest}") + tail,
                            "<mujocoinclude>" + bodies(half, n, "") + "</mujocoinclude>");
}

}  // namespace

int main(int argc, char** argv) {
  const peers::Options options(argc, argv);
  for (const int n : peers::chain::sizes(options.quick))
    for (const char* integrator : {"Euler", "RK4"}) {
      if (n > 100) continue;
      peers::MujocoModel chain = chain_of(n, integrator);
      peers::chain::measure(
          "MuJoCo", integrator, n, options.quick,
          [&] {
            mj_step(chain.model, chain.data);
            return chain.good();
          },
          [&] { return chain.energy(); });
    }
}
