// Pinocchio's side of the race: ns/call of its kernels on the mechanisms of
// crates/carom/benches/kernels.rs. Prints lines "mechanism kernel route ns check".
//
// The mechanisms, states and forces are the same formulas as on the other side; `check` is a sum
// over the result that both sides must agree on.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/constraint-cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/delassus.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/multibody.hpp>

namespace pin = pinocchio;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

template <class T> void keep(T const &value) { asm volatile("" : : "g"(&value) : "memory"); }

// Median over batches of the time of one call, ns.
template <class Work> double time_call(Work work) {
  using Clock = std::chrono::steady_clock;
  const double batch_ns = 4e5;
  const int batches = 41;
  long calls = 1;
  auto run = [&] {
    const auto start = Clock::now();
    for (long i = 0; i < calls; ++i)
      work();
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  };
  while (run() < batch_ns)
    calls *= 2;
  std::vector<double> times;
  for (int i = 0; i < batches; ++i)
    times.push_back(run() / calls);
  std::nth_element(times.begin(), times.begin() + batches / 2, times.end());
  return times[batches / 2];
}

struct Mechanism {
  std::string name;
  pin::Model model;
  pin::JointIndex tip;
  Vector3d point;
};

pin::Inertia body(double mass, double length) {
  const double across = mass * (length * length + 0.0025) / 12.0;
  const Matrix3d inertia =
      Vector3d(mass * 0.005 / 12.0, across, across).asDiagonal().toDenseMatrix();
  return pin::Inertia(mass, Vector3d(length / 2.0, 0.0, 0.0), inertia);
}

pin::SE3 at(double x, double y, double z) {
  return pin::SE3(Matrix3d::Identity(), Vector3d(x, y, z));
}

template <class Joint>
pin::JointIndex add(pin::Model &model, pin::JointIndex parent, const pin::SE3 &place,
                    const pin::Inertia &inertia) {
  const auto id = model.addJoint(parent, Joint(), place, "j" + std::to_string(model.njoints));
  model.appendBodyToJoint(id, inertia);
  return id;
}

Mechanism pendulum() {
  Mechanism m{"pendulum", {}, 0, Vector3d(1.0, 0.0, 0.0)};
  m.tip = add<pin::JointModelRZ>(m.model, 0, at(0, 0, 0), body(4.04, 1.0));
  m.tip = add<pin::JointModelRZ>(m.model, m.tip, at(1, 0, 0), body(4.04, 1.0));
  return m;
}

Mechanism leg() {
  Mechanism m{"leg", {}, 0, Vector3d(0.1, 0.0, 0.0)};
  m.tip = add<pin::JointModelFreeFlyer>(m.model, 0, at(0, 0, 0), body(10.0, 0.4));
  m.tip = add<pin::JointModelRX>(m.model, m.tip, at(0.1, 0, -0.1), body(1.0, 0.1));
  m.tip = add<pin::JointModelRY>(m.model, m.tip, at(0.1, 0, 0), body(2.0, 0.4));
  m.tip = add<pin::JointModelRY>(m.model, m.tip, at(0.4, 0, 0), body(1.0, 0.4));
  return m;
}

Mechanism chain(int n) {
  Mechanism m{"chain" + std::to_string(n), {}, 0, Vector3d(0.1, 0.0, 0.0)};
  for (int i = 0; i < n; ++i) {
    const pin::SE3 place = i == 0 ? at(0, 0, 0) : at(0.1, 0, 0);
    m.tip = i % 2 == 0 ? add<pin::JointModelRZ>(m.model, m.tip, place, body(1.0, 0.1))
                       : add<pin::JointModelRY>(m.model, m.tip, place, body(1.0, 0.1));
  }
  return m;
}

// All turns about one direction.
Mechanism planar(int n) {
  Mechanism m{"planar" + std::to_string(n), {}, 0, Vector3d(0.1, 0.0, 0.0)};
  for (int i = 0; i < n; ++i) {
    const pin::SE3 place = i == 0 ? at(0, 0, 0) : at(0.1, 0, 0);
    m.tip = add<pin::JointModelRZ>(m.model, m.tip, place, body(1.0, 0.1));
  }
  return m;
}

// The state of the other side, in Pinocchio's coordinates (free joint: quaternion x, y, z, w and
// velocity in body axes).
void state(const Mechanism &m, VectorXd &q, VectorXd &v, VectorXd &tau) {
  const int nv = m.model.nv;
  const bool floating = m.model.nq != nv;
  v.resize(nv), tau.resize(nv);
  VectorXd w(nv);
  for (int i = 0; i < nv; ++i) {
    w[i] = 0.3 * std::sin(1.7 * i + 0.4);
    v[i] = 0.2 * std::cos(2.3 * i + 0.1);
    tau[i] = std::sin(0.9 * i + 0.7);
  }
  q = pin::neutral(m.model);
  if (!floating) {
    q = w;
    return;
  }
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(
      w.segment<3>(3).norm(), Vector3d(w.segment<3>(3).normalized())));
  q.head<3>() = w.head<3>();
  q.segment<4>(3) = turn.coeffs();
  q.tail(nv - 6) = w.tail(nv - 6);
  v.head<3>() = turn.inverse() * Vector3d(v.head<3>());
  // World force along the first three coordinates.
  tau.head<3>() = turn.inverse() * Vector3d(tau.head<3>());
}

void row(const Mechanism &m, const char *kernel, const char *route, double ns, double check) {
  std::printf("%s %s %s %.1f %.12e\n", m.name.c_str(), kernel, route, ns, check);
  std::fflush(stdout);
}

using Constraint = pin::RigidConstraintModel;
using ConstraintData = pin::RigidConstraintData;
template <class T> using Aligned = std::vector<T, Eigen::aligned_allocator<T>>;

// The routes to J M^-1 J^T at the tip. The race takes the fastest.
void operators(const Mechanism &m, const VectorXd &q) {
  pin::Model model = m.model;
  const pin::SE3 place(Matrix3d::Identity(), m.point);
  const auto id = model.addFrame(pin::Frame("tip", m.tip, 0, place, pin::OP_FRAME));
  const auto axes = pin::LOCAL_WORLD_ALIGNED;
  pin::Data data(model);
  MatrixXd J = MatrixXd::Zero(6, model.nv), Jt(model.nv, 3), D = MatrixXd::Zero(3, 3);
  Matrix3d G;
  auto route = [&](const char *name, auto work, const auto &result) {
    const double ns = time_call([&] {
      work();
      keep(result);
    });
    row(m, "operator", name, ns, result.trace());
  };
  auto jacobian = [&] {
    J.setZero();
    pin::updateFramePlacement(model, data, id);
    pin::getFrameJacobian(model, data, id, axes, J);
  };
  auto solve = [&] {
    Jt = J.topRows<3>().transpose();
    pin::cholesky::Uiv(model, data, Jt);
    G.noalias() = Jt.transpose() * data.Dinv.asDiagonal() * Jt;
  };
  route("minverse", [&] {
    pin::computeMinverse(model, data, q);
    pin::computeJointJacobians(model, data);
    jacobian();
    Jt.noalias() = data.Minv.selfadjointView<Eigen::Upper>() * J.topRows<3>().transpose();
    G.noalias() = J.topRows<3>() * Jt;
  }, G);
  route("cholesky-world", [&] {
    pin::crba(model, data, q, pin::Convention::WORLD);
    pin::cholesky::decompose(model, data);
    jacobian();
    solve();
  }, G);
  route("cholesky-local", [&] {
    pin::crba(model, data, q, pin::Convention::LOCAL);
    pin::cholesky::decompose(model, data);
    J.setZero();
    pin::computeFrameJacobian(model, data, q, id, axes, J);
    solve();
  }, G);
  Aligned<Constraint> contacts;
  contacts.emplace_back(pin::CONTACT_3D, model, m.tip, place, pin::LOCAL);
  Aligned<ConstraintData> contact_data;
  contact_data.emplace_back(contacts[0]);
  route("propagators", [&] {
    pin::computeDelassusMatrix(model, data, q, contacts, contact_data, D, 0.0);
  }, D);
  pin::Data pv(model);
  pin::initPvDelassus(model, pv, contacts);
  route("pv", [&] {
    pin::computePvDelassusMatrix(model, pv, q, contacts, contact_data, D, 0.0);
  }, D);
}

void race(const Mechanism &m) {
  VectorXd q, v, tau;
  state(m, q, v, tau);
  pin::Data data(m.model);
  for (const bool world : {false, true}) {
    const auto convention = world ? pin::Convention::WORLD : pin::Convention::LOCAL;
    const char *route = world ? "world" : "local";
    const double forward = time_call([&] {
      pin::aba(m.model, data, q, v, tau, convention);
      keep(data.ddq);
    });
    // The free joint's acceleration is in other axes: check by the motion of the other joints.
    row(m, "aba", route, forward,
        m.model.nq == m.model.nv ? data.ddq.sum() : data.ddq.tail(m.model.nv - 3).sum());
    const double mass = time_call([&] {
      pin::crba(m.model, data, q, convention);
      pin::cholesky::decompose(m.model, data);
      keep(data.U);
    });
    row(m, "mass", route, mass, data.D.tail(m.model.nq == m.model.nv ? m.model.nv : 3).sum());
  }
  operators(m, q);
}

int main() {
  std::vector<Mechanism> all{pendulum(), leg()};
  for (const int n : {6, 30, 100, 300})
    all.push_back(chain(n));
  all.push_back(planar(6));
  all.push_back(planar(30));
  for (auto &m : all) {
    m.model.gravity.linear() = Vector3d(0.0, -9.81, 0.0);
    race(m);
  }
}
