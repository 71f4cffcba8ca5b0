// A MuJoCo model from the text of its XML, and its data.
#pragma once

#include <mujoco/mujoco.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>

namespace peers {

class MujocoModel {
 public:
  // The library reads files only, and their elements must not be nested too deep: in the text, "{rest}" stands for the
  // inclusion of a second file.
  explicit MujocoModel(std::string xml, const std::string& rest = {}) {
    const std::string path = "/tmp/extremal-peers-" + std::to_string(getpid()), second = path + "-rest.xml";
    if (!rest.empty()) xml.replace(xml.find("{rest}"), 6, "<include file=\"" + second.substr(5) + "\"/>");
    std::ofstream(path + ".xml") << xml;
    std::ofstream(second) << rest;
    char error[1000] = "";
    model = mj_loadXML((path + ".xml").c_str(), nullptr, error, sizeof error);
    std::remove((path + ".xml").c_str());
    std::remove(second.c_str());
    if (model == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + error);
    data = mj_makeData(model);
  }
  ~MujocoModel() {
    mj_deleteData(data);
    mj_deleteModel(model);
  }
  MujocoModel(const MujocoModel&) = delete;
  MujocoModel& operator=(const MujocoModel&) = delete;

  double energy() {
    model->opt.enableflags |= mjENBL_ENERGY;
    mj_forward(model, data);
    model->opt.enableflags &= ~mjENBL_ENERGY;  // steps do not need it
    return data->energy[0] + data->energy[1];
  }
  // MuJoCo resets a state that has become bad, and counts.
  bool good() const {
    return data->warning[mjWARN_BADQPOS].number + data->warning[mjWARN_BADQVEL].number +
               data->warning[mjWARN_BADQACC].number ==
           0;
  }

  mjModel* model = nullptr;
  mjData* data = nullptr;
};

}  // namespace peers
