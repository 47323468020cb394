#include "bind/team.hpp"

#include <nanobind/stl/vector.h>

#include "bind/flat_array.hpp"

namespace hardwood {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

nb::tuple multiply_message(const MultiplyFactors& e) {
  std::vector<double> same, other;
  std::vector<std::int32_t> label;
  for (const LeafFactors& each : e.by) {
    same.push_back(each.same);
    other.push_back(each.other);
    label.push_back(each.label);
  }
  return nb::make_tuple("multiply", e.booster, e.nodes, to_numpy(std::move(same)), to_numpy(std::move(other)),
                        label, e.routed);
}

nb::tuple message(const Event& event) {
  return std::visit(Overloaded{
                        [](const StartRows& e) { return nb::make_tuple("start", e.target, e.least); },
                        [](const SplitBatch& e) { return nb::make_tuple("split", e); },
                        [](const RoundWeights& e) { return nb::make_tuple("round", e.booster, e.exponent); },
                        [](const ScaleFactors& e) { return nb::make_tuple("scale", e.booster, e.by); },
                        [](const RouteRows& e) { return nb::make_tuple("route", e.tree); },
                        [](const MultiplyFactors& e) { return multiply_message(e); },
                    },
                    event);
}

nb::tuple message(const Request& request) {
  return std::visit(
      Overloaded{
          [](const HistogramsOf& r) { return nb::make_tuple("histograms", r.nodes); },
          [](const QuestionBatch& r) { return nb::make_tuple("open", r); },
          [](const RowsOf& r) { return nb::make_tuple("rows", r.node); },
          [](const TotalsOf& r) { return nb::make_tuple("totals", r.booster); },
          [](const ExactTotalOf& r) { return nb::make_tuple("exact", r.booster); },
          [](const WeightDigits& r) { return nb::make_tuple("digits", r.shift, r.bits, r.prefix); },
      },
      request);
}

template <class T>
std::vector<T> numbers(nb::handle array) {
  return to_vector(nb::cast<FlatArray<T>>(array));
}

EventAnswer answer_to(const Event& event, nb::handle answer) {
  if (std::holds_alternative<SplitBatch>(event)) {
    const nb::tuple parts = nb::cast<nb::tuple>(answer);
    return SplitAnswer{numbers<std::int64_t>(parts[0]), numbers<std::int64_t>(parts[1]),
                       numbers<std::int64_t>(parts[2]), numbers<std::uint64_t>(parts[3]),
                       numbers<std::uint64_t>(parts[4])};
  }
  if (std::holds_alternative<StartRows>(event) || std::holds_alternative<RouteRows>(event))
    return numbers<std::int64_t>(answer);
  if (std::holds_alternative<RoundWeights>(event)) return nb::cast<std::int64_t>(answer);
  return std::monostate{};
}

RequestAnswer answer_to(const Request& request, nb::handle answer) {
  return std::visit(Overloaded{
                        [&](const HistogramsOf&) -> RequestAnswer { return nb::cast<HistogramBatch>(answer); },
                        [&](const QuestionBatch&) -> RequestAnswer { return nb::cast<KeySumsBatch>(answer); },
                        [&](const RowsOf&) -> RequestAnswer { return nb::cast<std::int64_t>(answer); },
                        [&](const TotalsOf&) -> RequestAnswer {
                          const auto sums = numbers<double>(answer);
                          return FactorTotals{sums.at(0), sums.at(1), sums.at(2)};
                        },
                        [&](const ExactTotalOf&) -> RequestAnswer { return numbers<double>(answer); },
                        [&](const WeightDigits&) -> RequestAnswer { return numbers<std::int64_t>(answer); },
                    },
                    request);
}

}  // namespace

TeamAnswer PythonTeam::ask(const std::vector<Event>& events, const std::vector<Request>& requests) {
  nb::gil_scoped_acquire gil;
  nb::list told_events, told_requests;
  for (const Event& event : events) told_events.append(message(event));
  for (const Request& request : requests) told_requests.append(message(request));
  const nb::object answer = team_.attr("ask")(told_events, told_requests);
  const nb::object from_events = answer.attr("events"), from_requests = answer.attr("requests");
  TeamAnswer out;
  for (std::size_t i = 0; i < events.size(); ++i) out.events.push_back(answer_to(events[i], from_events[i]));
  for (std::size_t i = 0; i < requests.size(); ++i)
    out.requests.push_back(answer_to(requests[i], from_requests[i]));
  return out;
}

}  // namespace hardwood
