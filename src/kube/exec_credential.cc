#include "exec_credential.h"

#include <charconv>

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/credentials/program.h"
#include "windlass/credentials/section.h"

namespace windlass::kube {
namespace {

using credentials::Section;

constexpr std::size_t kOutputBytesMax = std::size_t{256} << 10U;

// Takes `digits` digits, and what has to follow them, off the front of `text`.
bool take_number(std::string_view& text, std::size_t digits, std::string_view then, int& number) {
  if (text.size() < digits + then.size()) return false;
  const std::string_view front = text.substr(0, digits);
  const auto [end, error] = std::from_chars(front.begin(), front.end(), number);
  if (error != std::errc{} || end != front.end() || number < 0) return false;
  text.remove_prefix(digits);
  if (!text.starts_with(then)) return false;
  text.remove_prefix(then.size());
  return true;
}

std::optional<std::chrono::minutes> take_offset(std::string_view text) {
  if (text == "Z" || text == "z") return std::chrono::minutes(0);
  if (!text.starts_with('+') && !text.starts_with('-')) return std::nullopt;
  const int sign = text.front() == '-' ? -1 : 1;
  text.remove_prefix(1);
  int hours = 0;
  int minutes = 0;
  if (!take_number(text, 2, ":", hours) || !take_number(text, 2, "", minutes) || !text.empty())
    return std::nullopt;
  return std::chrono::minutes(sign * (hours * 60 + minutes));
}

std::string shown_program(const ExecPlugin& plugin) {
  return "exec plugin " + printable(plugin.command.front(), 200);
}

}  // namespace

std::optional<std::chrono::sys_seconds> parse_timestamp(std::string_view text) {
  using namespace std::chrono;
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!take_number(text, 4, "-", year) || !take_number(text, 2, "-", month) ||
      !take_number(text, 2, "T", day) || !take_number(text, 2, ":", hour) ||
      !take_number(text, 2, ":", minute) || !take_number(text, 2, "", second))
    return std::nullopt;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    while (!text.empty() && text.front() >= '0' && text.front() <= '9') text.remove_prefix(1);
  }
  const std::optional<minutes> offset = take_offset(text);
  const year_month_day date{std::chrono::year(year),
                            std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day))};
  if (!offset || !date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return sys_seconds(sys_days(date)) + hours(hour) + minutes(minute) + seconds(second) - *offset;
}

std::string exec_info(const ExecPlugin& plugin) {
  const std::string cluster =
      plugin.cluster_json.empty() ? "" : "\"cluster\":" + plugin.cluster_json + ",";
  return R"({"kind":"ExecCredential","apiVersion":)" +
         credentials::json_quoted(plugin.api_version) + ",\"spec\":{" + cluster +
         "\"interactive\":false}}";
}

Result<ExecCredential> read_exec_credential(std::string_view output, const ExecPlugin& plugin) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::kUnauthenticated,
                format("{}: its answer {}", shown_program(plugin), why));
  };
  const Result<credentials::Value> root = credentials::parse_json(output, "output");
  if (!root) return refuse(format("is not JSON ({})", root.error().message));
  Section::Problems problems;
  const Section section(*root, "output", "", problems);
  if (section.text("kind") != "ExecCredential") return refuse("is no ExecCredential");
  if (section.text("apiVersion") != plugin.api_version)
    return refuse(format("has not the apiVersion {}", printable(plugin.api_version, 100)));
  const std::optional<Section> status = section.section("status");
  if (!status) return refuse("has no status");
  ExecCredential credential;
  credential.token = status->secret("token");
  credential.client_certificate_pem = status->secret("clientCertificateData");
  credential.client_key_pem = status->secret("clientKeyData");
  const std::string expires = status->text("expirationTimestamp");
  if (!problems.empty()) return refuse(format("is wrong: {}", problems.front()));
  if (!expires.empty()) {
    credential.expires = parse_timestamp(expires);
    if (!credential.expires) return refuse("has an expirationTimestamp that is no time");
  }
  if (credential.client_certificate_pem.empty() != credential.client_key_pem.empty())
    return refuse("holds only one of clientCertificateData and clientKeyData");
  if (credential.token.empty() && credential.client_certificate_pem.empty())
    return refuse("holds neither a token nor a client certificate");
  return credential;
}

Result<ExecCredential> run_exec_plugin(const ExecPlugin& plugin, Duration timeout, Clock& clock,
                                       const std::stop_token& stop) {
  credentials::Program program{
      .arguments = plugin.command, .input = {}, .environment = plugin.environment};
  program.environment.emplace_back("KUBERNETES_EXEC_INFO", exec_info(plugin));
  Result<credentials::ProgramEnd> end = credentials::run_program(
      program,
      {.deadline = saturating_add(clock.now(), timeout), .output_bytes_max = kOutputBytesMax},
      clock, stop);
  const std::string hint =
      plugin.install_hint.empty() ? "" : ": " + printable(trim(plugin.install_hint), 500);
  if (!end) {
    Error error = std::move(end.error());
    if (error.code == ErrorCode::kNotFound)
      error = {.code = ErrorCode::kInvalid, .message = "there is no such program" + hint};
    if (error.code == ErrorCode::kTimedOut)
      error.message = format("it took longer than {}", to_text(timeout));
    return fail(std::move(error), shown_program(plugin));
  }
  if (end->status != 0) {
    credentials::erase(end->output);
    return fail(ErrorCode::kUnauthenticated,
                format("{}: it ended with status {}; run it by hand to see more{}",
                       shown_program(plugin), end->status, hint));
  }
  Result<ExecCredential> credential = read_exec_credential(end->output, plugin);
  credentials::erase(end->output);
  return credential;
}

}  // namespace windlass::kube
