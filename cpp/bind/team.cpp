#include "bind/team.hpp"

#include <nanobind/stl/vector.h>

#include "bind/flat_array.hpp"

namespace hardwood {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

constexpr const char* events_file = "hardwood.distributed.events";
constexpr const char* requests_file = "hardwood.distributed.requests";

template <class... Fields>
nb::object made(const char* file, const char* name, Fields&&... fields) {
  return nb::module_::import_(file).attr(name)(std::forward<Fields>(fields)...);
}

nb::object multiply_message(const MultiplyFactors& e) {
  std::vector<double> same, other;
  std::vector<std::int32_t> label;
  for (const LeafFactors& each : e.by) {
    same.push_back(each.same);
    other.push_back(each.other);
    label.push_back(each.label);
  }
  return made(events_file, "MultiplyFactors", e.booster, e.nodes, to_numpy(std::move(same)),
              to_numpy(std::move(other)), label, e.routed);
}

nb::object message(const Event& event) {
  return std::visit(
      Overloaded{
          [](const StartRows& e) { return made(events_file, "StartRows", e.target, e.least); },
          [](const SplitBatch& e) { return made(events_file, "SplitNodes", e); },
          [](const RoundWeights& e) { return made(events_file, "RoundWeights", e.booster, e.exponent); },
          [](const ScaleFactors& e) { return made(events_file, "ScaleFactors", e.booster, e.by); },
          [](const RouteRows& e) { return made(events_file, "RouteRows", e.tree); },
          [](const MultiplyFactors& e) { return multiply_message(e); },
          [](const SumPairs& e) {
            return made(events_file, "SumPairs", e.nodes, e.leaves, e.tree_nodes, e.routed);
          },
      },
      event);
}

nb::object message(const Request& request) {
  return std::visit(
      Overloaded{
          [](const HistogramsOf& r) { return made(requests_file, "HistogramsOf", r.nodes); },
          [](const QuestionBatch& r) { return made(requests_file, "OpenBuckets", r); },
          [](const RowsOf& r) { return made(requests_file, "RowsOf", r.node); },
          [](const GatherRows& r) { return made(requests_file, "GatherRows", r.nodes); },
          [](const TotalsOf& r) { return made(requests_file, "TotalsOf", r.booster); },
          [](const ExactTotalOf& r) { return made(requests_file, "ExactTotalOf", r.booster); },
          [](const WeightDigits& r) { return made(requests_file, "WeightDigits", r.shift, r.bits, r.prefix); },
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
  if (std::holds_alternative<StartRows>(event) || std::holds_alternative<RouteRows>(event) ||
      std::holds_alternative<SumPairs>(event))
    return numbers<std::int64_t>(answer);
  if (std::holds_alternative<RoundWeights>(event)) return nb::cast<std::int64_t>(answer);
  return std::monostate{};
}

RequestAnswer answer_to(const Request& request, nb::handle answer) {
  return std::visit(Overloaded{
                        [&](const HistogramsOf&) -> RequestAnswer { return nb::cast<HistogramBatch>(answer); },
                        [&](const QuestionBatch&) -> RequestAnswer { return nb::cast<KeySumsBatch>(answer); },
                        [&](const RowsOf&) -> RequestAnswer { return nb::cast<std::int64_t>(answer); },
                        [&](const GatherRows&) -> RequestAnswer { return nb::cast<RowBatch>(answer); },
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
  nb::list sent_events, sent_requests;
  for (const Event& event : events) sent_events.append(message(event));
  for (const Request& request : requests) sent_requests.append(message(request));
  const nb::object answer = team_.attr("ask")(sent_events, sent_requests);
  const nb::object from_events = answer.attr("events"), from_requests = answer.attr("requests");
  TeamAnswer out;
  for (std::size_t i = 0; i < events.size(); ++i) out.events.push_back(answer_to(events[i], from_events[i]));
  for (std::size_t i = 0; i < requests.size(); ++i)
    out.requests.push_back(answer_to(requests[i], from_requests[i]));
  return out;
}

}  // namespace hardwood
