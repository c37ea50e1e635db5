#include "windlass/credentials/credential_helpers.h"

#include <utility>

#include "helper_protocol.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::credentials {
namespace {

std::string question_of(const std::string& helper, const std::string& key) {
  return helper + '\n' + key;
}

Result<std::optional<Credential>> run_helper(const std::string& helper, const std::string& key,
                                             const HelperOptions& options, Clock& clock,
                                             const std::stop_token& stop) {
  const Result<std::string> program = helper_program(helper);
  if (!program) return fail(program.error());
  const ProgramLimits limits{.deadline = saturating_add(clock.now(), options.timeout),
                             .output_bytes_max = options.output_bytes_max};
  Result<ProgramEnd> end =
      run_program({.arguments = {*program, "get"}, .input = key}, limits, clock, stop);
  if (!end) {
    Error error = std::move(end.error());
    if (error.code == ErrorCode::kNotFound)
      error = {.code = ErrorCode::kInvalid,
               .message = "there is no such program in PATH; install it, or name another"};
    if (error.code == ErrorCode::kTimedOut)
      error.message = format("it took longer than {}", to_text(options.timeout));
    return fail(std::move(error), format("{} get for {}", *program, printable(key)));
  }
  Result<std::optional<Credential>> answer = read_helper_answer(*end, *program, key);
  erase(end->output);
  return answer;
}

}  // namespace

CredentialHelpers::CredentialHelpers(Clock& clock, HelperOptions options)
    : clock_(clock),
      options_(options),
      answers_(clock, fail(ErrorCode::kCancelled, "cancelled"),
               {.threads_max = options.programs_max, .answers_max = options.answers_max}) {}

void CredentialHelpers::get(const std::string& helper, const std::string& key, Callback done) {
  answers_.get(
      question_of(helper, key),
      [this, helper, key](const std::stop_token& stop) -> AskOnce<Answer>::Kept {
        Answer answer = run_helper(helper, key, options_, clock_, stop);
        const Duration keep = answer ? options_.keep : options_.keep / 10;
        return {.answer = std::move(answer), .keep = keep};
      },
      std::move(done));
}

void CredentialHelpers::drop(const std::string& helper, const std::string& key) {
  answers_.drop(question_of(helper, key), options_.fresh);
}

Found found_by_helper(CredentialHelpers::Answer answer, const std::string& place) {
  Found found;
  if (!answer) {
    found.problems.push_back(std::move(answer.error()).with_context(place));
  } else if (*answer) {
    found.candidates.push_back(**std::move(answer));
  }
  return found;
}

}  // namespace windlass::credentials
