// A robot by MuJoCo, RK4: robots_mujoco FILE UNTIL STEP prints where the centres of mass of its bodies are at the end.
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

int main(int count, char** arguments) {
  if (count != 4) return 2;
  char error[1000] = "";
  mjModel* model = mj_loadXML(arguments[1], nullptr, error, sizeof error);
  if (model == nullptr) {
    std::fprintf(stderr, "%s\n", error);
    return 1;
  }
  const double until = std::atof(arguments[2]), step = std::atof(arguments[3]);
  model->opt.timestep = step;
  model->opt.integrator = mjINT_RK4;
  model->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT;
  mjData* data = mj_makeData(model);
  if (model->nkey > 0) mj_resetDataKeyframe(model, data, 0);
  const long steps = std::lround(until / step);
  for (long i = 0; i < steps; ++i) mj_step(model, data);
  mj_forward(model, data);
  for (int b = 1; b < model->nbody; ++b)
    std::printf("%s %.15g %.15g %.15g\n", mj_id2name(model, mjOBJ_BODY, b), data->xipos[3 * b], data->xipos[3 * b + 1],
                data->xipos[3 * b + 2]);
  mj_deleteData(data);
  mj_deleteModel(model);
}
