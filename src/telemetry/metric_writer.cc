#include "windlass/telemetry/metric_writer.h"

#include <algorithm>

#include "windlass/base/check.h"
#include "windlass/base/text.h"

namespace windlass::telemetry {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Of sorted ones: each name once.
bool good_labels(const Labels& labels) {
  const auto name = [](const auto& label) -> const std::string& { return label.first; };
  return std::ranges::all_of(labels, is_label_name, name) &&
         std::ranges::adjacent_find(labels, {}, name) == labels.end();
}

bool is_overflow(const Labels& labels) {
  return !labels.empty() && std::ranges::all_of(labels, [](const auto& label) {
    return label.second == kOverflowLabelValue;
  });
}

void add_up(std::variant<double, HistogramValue>& sum,
            const std::variant<double, HistogramValue>& value) {
  if (double* number = std::get_if<double>(&sum)) {
    *number += std::get<double>(value);
    return;
  }
  auto& to = std::get<HistogramValue>(sum);
  const auto& from = std::get<HistogramValue>(value);
  WINDLASS_CHECK(to.bounds == from.bounds);
  for (std::size_t i = 0; i < to.counts.size(); ++i) to.counts[i] += from.counts[i];
  to.sum += from.sum;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t good = std::min(first_invalid_utf8(text), text.size());
    out += text.substr(0, good);
    text.remove_prefix(good);
    if (text.empty()) break;
    out += "\xEF\xBF\xBD";
    text.remove_prefix(1);
  }
  return out;
}

Labels canonical(Labels labels) {
  std::ranges::sort(labels);
  for (auto& [name, value] : labels) {
    if (first_invalid_utf8(value) != std::string_view::npos) value = valid_utf8(value);
  }
  return labels;
}

bool is_metric_name(std::string_view name) {
  return !name.empty() && !is_digit(name[0]) &&
         std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == ':'; });
}

bool is_label_name(std::string_view name) {
  return !name.empty() && !is_digit(name[0]) && !name.starts_with("__") && name != "le" &&
         std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c); });
}

void MetricWriter::counter(std::string_view name, std::string_view help, Labels labels,
                           double value) {
  write(MetricKind::kCounter, name, help, std::move(labels), value);
}

void MetricWriter::gauge(std::string_view name, std::string_view help, Labels labels,
                         double value) {
  write(MetricKind::kGauge, name, help, std::move(labels), value);
}

void MetricWriter::histogram(std::string_view name, std::string_view help, Labels labels,
                             HistogramValue value) {
  WINDLASS_CHECK(value.counts.size() == value.bounds.size() + 1);
  write(MetricKind::kHistogram, name, help, std::move(labels), std::move(value));
}

void MetricWriter::write(MetricKind kind, std::string_view name, std::string_view help,
                         Labels labels, const Value& value) {
  labels = canonical(std::move(labels));
  WINDLASS_CHECK(is_metric_name(name) && good_labels(labels));
  auto found = families_.find(name);
  if (found == families_.end())
    found = families_.emplace(name, Family{std::string(help), kind, false, {}}).first;
  Family& family = found->second;
  WINDLASS_CHECK(family.kind == kind);
  const bool full = family.series.size() >= series_max_ + (family.has_overflow ? 1 : 0);
  if (full && !family.series.contains(labels)) {
    for (auto& [label, text] : labels) text = kOverflowLabelValue;
  }
  if (is_overflow(labels)) family.has_overflow = true;
  const auto [series, is_new] = family.series.try_emplace(std::move(labels), value);
  if (!is_new) add_up(series->second, value);
}

std::vector<MetricFamily> MetricWriter::take() {
  std::vector<MetricFamily> all;
  all.reserve(families_.size());
  for (auto& [name, family] : families_) {
    MetricFamily& out = all.emplace_back(name, std::move(family.help), family.kind);
    out.series.reserve(family.series.size());
    for (auto& [labels, value] : family.series) out.series.push_back({labels, std::move(value)});
  }
  families_.clear();
  return all;
}

}  // namespace windlass::telemetry
