// Where the links are, and how the joints have to be for the loops to be closed and couplings to be met.
//
// The starts of all joints are moved by as little as possible (least squares) until the frames of every loop coincide:
// Newton's method with J J^T + mu, which is all there is to redundant loops, in quad.
#include <algorithm>
#include <iterator>
#include <set>

#include "extremal/error.hpp"
#include "import/robot.hpp"
#include "import/text.hpp"
#include "words/grammar.hpp"

namespace extremal::robots {
namespace {

// One way in which a joint can move: the link and all that hangs on it turns about an axis, or slides along it.
struct Way {
  int link;
  std::size_t joint;
  bool turns;
  Triple axis, through;  // in space
};

bool hangs_on(const Robot& robot, int link, int on) {
  for (; link >= 0; link = robot.links[static_cast<std::size_t>(link)].parent)
    if (link == on) return true;
  return false;
}

std::vector<Way> ways_of(const Robot& robot, const std::vector<Pose>& at) {
  std::vector<Way> ways;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const Link& link = robot.links[i];
    Pose frame = link.parent < 0 ? link.home : at[static_cast<std::size_t>(link.parent)] * link.home;
    for (std::size_t j = 0; j < link.joints.size(); ++j) {
      const RobotJoint& joint = link.joints[j];
      frame = frame * motion(joint);
      if (joint.held) continue;
      const auto add = [&](bool turns, const Triple& axis) {
        ways.push_back({static_cast<int>(i), j, turns, outward(frame.turn, axis), point(frame, joint.anchor)});
      };
      if (joint.freedom == Freedom::revolute) add(true, joint.axis);
      if (joint.freedom == Freedom::prismatic) add(false, joint.axis);
      if (joint.freedom == Freedom::spherical || joint.freedom == Freedom::floating)
        for (const Triple& e : no_rotation) add(true, e);
      if (joint.freedom == Freedom::floating)
        for (const Triple& e : no_rotation) add(false, e);
      if (joint.freedom == Freedom::planar) {
        for (const Triple& e : normals(joint.axis)) add(false, e);
        add(true, joint.axis);
      }
    }
  }
  return ways;
}

void move(Robot& robot, const Way& way, quad by) {
  Link& link = robot.links[static_cast<std::size_t>(way.link)];
  RobotJoint& joint = link.joints[way.joint];
  if (joint.freedom == Freedom::revolute || joint.freedom == Freedom::prismatic) {
    joint.start += by;
    return;
  }
  // In the frame of the link as it is now: the axis was taken from there.
  const std::vector<Pose> at = poses(robot);
  const Triple axis = inward(at[static_cast<std::size_t>(way.link)].turn, way.axis);
  joint.begin = joint.begin * (way.turns ? Pose{{}, rotation(by * axis)} : Pose{by * axis, no_rotation});
}

// Loops and couplings that move the same joints: others know nothing of them, so that forty machines beside each other
// are forty small systems.
struct Part {
  std::vector<const Loop*> loops = {};
  std::vector<const Coupling*> couplings = {};
  std::set<int> links = {};  // on whose joints they depend
  quad before = -1;          // the gap of the last iteration
  int slow = 0;
  bool done = false;
};

// Of the joints of a tree, those between two links: what is below the last link on which both hang moves one against
// the other.
std::set<int> between(const Robot& robot, int a, int b) {
  std::set<int> links;
  const auto up = [&](int link) { return robot.links[static_cast<std::size_t>(link)].parent; };
  while (a != b) {  // parents are before their children
    int& lower = a > b ? a : b;
    if (!robot.links[static_cast<std::size_t>(lower)].joints.empty()) links.insert(lower);
    lower = up(lower);
  }
  return links;
}

std::vector<Part> parts_of(const Robot& robot) {
  std::vector<Part> parts;
  const auto add = [&](Part part) {
    for (auto other = parts.begin(); other != parts.end();) {
      const bool shared =
          std::any_of(part.links.begin(), part.links.end(), [&](int link) { return other->links.contains(link); });
      if (!shared) {
        ++other;
        continue;
      }
      part.loops.insert(part.loops.begin(), other->loops.begin(), other->loops.end());
      part.couplings.insert(part.couplings.begin(), other->couplings.begin(), other->couplings.end());
      part.links.merge(other->links);
      other = parts.erase(other);
    }
    parts.push_back(std::move(part));
  };
  for (const Loop& loop : robot.loops) add({.loops = {&loop}, .links = between(robot, loop.a.link, loop.b.link)});
  for (const Coupling& coupling : robot.couplings) {
    Part part{.couplings = {&coupling}};
    for (std::size_t i = 0; i < robot.links.size(); ++i)
      for (const RobotJoint& joint : robot.links[i].joints)
        if (joint.name == coupling.joint || joint.name == coupling.other) part.links.insert(static_cast<int>(i));
    add(std::move(part));
  }
  return parts;
}

struct Closure {
  std::vector<quad> gap;                // lengths are divided by the size of the robot
  std::vector<std::vector<quad>> rows;  // its derivative by the ways
};

Pose placed(const std::vector<Pose>& at, const LinkFrame& frame) {
  return frame.link < 0 ? frame.pose : at[static_cast<std::size_t>(frame.link)] * frame.pose;
}

// Coordinate less polynomial of the other's, and the slope of the polynomial there.
std::pair<quad, quad> coupling_gap(const Robot& robot, const Coupling& coupling) {
  const RobotJoint* other = joint_with_coordinate(robot, coupling.other);
  const quad x = other == nullptr ? quad(0) : other->start;
  quad value = 0, slope = 0;
  for (std::size_t k = coupling.polynomial.size(); k-- > 0;)
    slope = slope * x + value, value = value * x + coupling.polynomial[k];
  return {joint_with_coordinate(robot, coupling.joint)->start - value, slope};
}

Closure closure(const Robot& robot, const Part& part, const std::vector<Pose>& at, const std::vector<Way>& ways,
                quad size) {
  Closure c;
  const auto add = [&](quad gap, auto rate) {
    c.gap.push_back(gap);
    std::vector<quad> row;
    for (const Way& way : ways) row.push_back(rate(way));
    c.rows.push_back(std::move(row));
  };
  for (const Loop* const each : part.loops) {
    const Loop& loop = *each;
    const Pose a = placed(at, loop.a), b = placed(at, loop.b);
    const auto velocity = [&](const Way& way, int link, const Triple& x) {
      if (!hangs_on(robot, link, way.link)) return Triple{};
      return way.turns ? cross(way.axis, x - way.through) : way.axis;
    };
    const auto spin = [&](const Way& way, int link) {
      return way.turns && hangs_on(robot, link, way.link) ? way.axis : Triple{};
    };
    for (std::size_t k = 0; k < 3; ++k)
      add((b.at[k] - a.at[k]) / size, [&](const Way& way) {
        return (velocity(way, loop.b.link, b.at)[k] - velocity(way, loop.a.link, a.at)[k]) / size;
      });
    // u . w = 0 for directions of the two sides that are normal to each other when the loop is closed.
    const auto normal = [&](const Triple& u, const Triple& w) {
      add(dot(u, w), [&](const Way& way) {
        return dot(cross(spin(way, loop.a.link), u), w) + dot(u, cross(spin(way, loop.b.link), w));
      });
    };
    if (loop.kind == Loop::Kind::revolute)
      for (const Triple& n : normals(loop.axis)) normal(outward(a.turn, n), outward(b.turn, loop.axis));
    if (loop.kind == Loop::Kind::fixed)
      for (std::size_t k = 0; k < 3; ++k) normal(a.turn[k], b.turn[(k + 1) % 3]);
  }
  for (const Coupling* const each : part.couplings) {
    const Coupling& coupling = *each;
    const auto [gap, slope] = coupling_gap(robot, coupling);
    const RobotJoint* a = joint_with_coordinate(robot, coupling.joint);
    const quad unit = a->freedom == Freedom::prismatic ? size : quad(1);
    add(gap / unit, [&, by = slope](const Way& way) {
      const std::string& moved = robot.links[static_cast<std::size_t>(way.link)].joints[way.joint].name;
      return moved == coupling.joint ? 1 / unit : moved == coupling.other ? -by / unit : quad(0);
    });
  }
  return c;
}

// Solves A x = b, A symmetric and positive definite.
std::vector<quad> cholesky_solve(std::vector<std::vector<quad>> A, std::vector<quad> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      quad sum = A[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= A[i][k] * A[j][k];
      A[i][j] = i == j ? math::sqrt(math::max(sum, quad(1e-300))) : sum / A[j][j];
    }
    for (std::size_t k = 0; k < i; ++k) b[i] -= A[i][k] * b[k];
    b[i] /= A[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= A[k][i] * b[k];
    b[i] /= A[i][i];
  }
  return b;
}

quad largest(const std::vector<quad>& x) {
  quad most = 0;
  for (const quad value : x) most = math::max(most, math::abs(value));
  return most;
}

// One step by least squares, none of which turns a joint by more than half a radian.
void improve(Robot& robot, const std::vector<Way>& ways, const Closure& c, quad size) {
  const std::size_t m = c.gap.size(), n = ways.size();
  std::vector<std::vector<quad>> A(m, std::vector<quad>(m));
  quad trace = 0;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      for (std::size_t k = 0; k < n; ++k) A[i][j] += c.rows[i][k] * c.rows[j][k] * (ways[k].turns ? 1 : size * size);
    trace += A[i][i];
  }
  // What is left of the gap where rows repeat each other but for digits of the file moves no joint far: what of the
  // rows is of the order of the gap counts as digits, and is 1e-8 at the least.
  const quad gap = largest(c.gap), small = std::clamp(100 * gap * gap, quad(1e-16), quad(1e-8));
  for (std::size_t i = 0; i < m; ++i) A[i][i] += trace * small + quad(1e-60);
  const std::vector<quad> y = cholesky_solve(A, c.gap);
  std::vector<quad> step(n);
  quad most = 0;
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < m; ++i) step[k] -= c.rows[i][k] * y[i];
    if (!ways[k].turns) step[k] *= size;  // of size 1, as angles are
    most = math::max(most, math::abs(step[k]));
  }
  const quad shorter = most > quad(0.5) ? quad(0.5) / most : quad(1);
  for (std::size_t k = 0; k < n; ++k) move(robot, ways[k], shorter * step[k] * (ways[k].turns ? quad(1) : size));
}

bool holds(const Robot& robot) {
  return std::any_of(robot.links.begin(), robot.links.end(), [](const Link& link) {
    return std::any_of(link.joints.begin(), link.joints.end(), [](const RobotJoint& j) { return j.held; });
  });
}

// A joint that follows another goes where that one is, one after another; the other stays. Loops may move both.
void follow(Robot& robot) {
  bool moved = true;
  for (int pass = 0; pass < 20 && moved; ++pass) {
    moved = false;
    for (const Coupling& coupling : robot.couplings) {
      const quad gap = coupling_gap(robot, coupling).first;
      if (!(math::abs(gap) > quad(1e-32))) continue;
      moved = true;
      for (Link& link : robot.links)
        for (RobotJoint& joint : link.joints)
          if (joint.name == coupling.joint && !joint.held) joint.start -= gap;
    }
  }
}

}  // namespace

Pose motion(const RobotJoint& joint) {
  switch (joint.freedom) {
    case Freedom::revolute: {
      const Directors turn = rotation(joint.start * joint.axis);
      return {joint.anchor - outward(turn, joint.anchor), turn};
    }
    case Freedom::prismatic:
      return {joint.start * joint.axis, no_rotation};
    case Freedom::spherical:
      return {joint.anchor - outward(joint.begin.turn, joint.anchor), joint.begin.turn};
    case Freedom::planar:
    case Freedom::floating:
      return joint.begin;
  }
  return {};
}

Pose in_parent(const Link& link) {
  Pose pose = link.home;
  for (const RobotJoint& joint : link.joints) pose = pose * motion(joint);
  return pose;
}

std::vector<Pose> poses(const Robot& robot) {
  std::vector<Pose> at;
  for (const Link& link : robot.links) {
    const Pose pose = in_parent(link);
    at.push_back(link.parent < 0 ? pose : at[static_cast<std::size_t>(link.parent)] * pose);
  }
  return at;
}

void assemble(Robot& robot) {
  if (robot.loops.empty() && robot.couplings.empty()) return;
  follow(robot);
  std::vector<Part> parts = parts_of(robot);
  for (const Part& part : parts)
    if (part.loops.size() > 200)
      throw InputError(part.loops[0]->place + ": found " + std::to_string(part.loops.size()) +
                       " loops that share joints; expected at most 200");
  quad size = 0;
  for (const Link& link : robot.links) size = math::max(size, norm(link.home.at));
  if (!(size > 0)) size = 1;
  bool open = true;
  for (int iteration = 0; iteration < 200 && open; ++iteration) {
    const std::vector<Pose> at = poses(robot);
    const std::vector<Way> all = ways_of(robot, at);
    open = false;
    for (Part& part : parts) {
      if (part.done) continue;
      std::vector<Way> ways;
      std::copy_if(all.begin(), all.end(), std::back_inserter(ways),
                   [&](const Way& way) { return part.links.contains(way.link); });
      const Closure c = closure(robot, part, at, ways, size);
      const quad gap = largest(c.gap);
      // Noise of the file's digits that no motion can take away stays.
      part.slow = part.before >= 0 && gap > quad(0.9) * part.before ? part.slow + 1 : 0;
      part.done = !(gap > quad(1e-32)) || ways.empty() || (gap < quad(1e-4) && part.slow > 3);
      part.before = gap;
      if (part.done) continue;
      improve(robot, ways, c, size);
      open = true;
    }
  }
  for (const Coupling& coupling : robot.couplings)
    if (!(math::abs(coupling_gap(robot, coupling).first) < quad(1e-6) * math::max(size, quad(1))))
      throw InputError(coupling.place + ": joint " + extremal::quoted(coupling.joint) + " cannot follow " +
                       extremal::quoted(coupling.other) + "; expected joints and loops that can be met together");
  const std::vector<Pose> at = poses(robot);
  for (const Loop& loop : robot.loops) {
    const quad gap = largest(closure(robot, {.loops = {&loop}}, at, {}, size).gap);
    if (gap > quad(1e-6))
      robot.notes.add("gaps above 1e-6 of loops, which are closed all the same", loop.name, loop.place);
    if (!(gap < quad(1e-4)))
      throw InputError(loop.place + ": loop " + extremal::quoted(loop.name) +
                       ": found frames that miss each other by " + brief(gap * size) + " however the joints are" +
                       (holds(robot) ? ", with those of --at where they are" : "") +
                       "; expected frames that the joints can bring together");
  }
}

}  // namespace extremal::robots
