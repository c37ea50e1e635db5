#include "windlass/telemetry_export/trace_settings.h"

#include <gtest/gtest.h>

#include <map>

namespace windlass::telemetry_export {
namespace {

using namespace std::chrono_literals;
using Variables = std::map<std::string, std::string>;

TraceSettings settings_of(const Variables& variables) {
  return trace_settings(
      [&](const std::string& name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        if (found == variables.end()) return std::nullopt;
        return found->second;
      },
      "windlass");
}

TEST(TraceSettings, NothingIsSentUnlessAsked) {
  const std::pair<Variables, bool> table[] = {
      {{}, false},
      {{{"OTEL_SERVICE_NAME", "pins"}}, false},
      {{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318"}}, true},
      {{{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://collector:4318"}}, true},
      {{{"OTEL_TRACES_EXPORTER", "otlp"}}, true},
      {{{"OTEL_TRACES_EXPORTER", "otlp"}, {"OTEL_SDK_DISABLED", "TRUE"}}, false},
      {{{"OTEL_TRACES_EXPORTER", "none"}, {"OTEL_EXPORTER_OTLP_ENDPOINT", "http://c"}}, false},
      {{{"OTEL_TRACES_EXPORTER", ""}, {"OTEL_EXPORTER_OTLP_ENDPOINT", ""}}, false},
      {{{"OTEL_TRACES_EXPORTER", "OTLP"}, {"OTEL_SDK_DISABLED", "false"}}, true},
      {{{"OTEL_TRACES_EXPORTER", "otlp, none"}}, true},
      // What is wrong with the rest does not matter then.
      {{{"OTEL_SDK_DISABLED", "true"}, {"OTEL_EXPORTER_OTLP_ENDPOINT", "collector"}}, false},
  };
  for (const auto& [variables, wanted] : table) {
    const TraceSettings settings = settings_of(variables);
    EXPECT_EQ(settings.wanted, wanted);
    EXPECT_TRUE(settings.problems.empty());
  }
}

TEST(TraceSettings, TheGeneralEndpointGetsAPathAndTheSpecialOneStays) {
  EXPECT_EQ(settings_of({}).endpoint, "http://localhost:4318/v1/traces");
  EXPECT_EQ(settings_of({{"OTEL_EXPORTER_OTLP_ENDPOINT", "https://c:4318/base/"}}).endpoint,
            "https://c:4318/base/v1/traces");
  EXPECT_EQ(settings_of({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a"},
                         {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://b/x"}})
                .endpoint,
            "http://b/x");
  EXPECT_EQ(settings_of({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://c/base/?key=a/b"}}).endpoint,
            "http://c/base/v1/traces?key=a/b");
}

TEST(TraceSettings, AnUnknownValueOfASwitchIsToldAndCountsAsNotSet) {
  const Variables on = {{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://c"}};
  const std::pair<const char*, const char*> table[] = {
      {"OTEL_TRACES_EXPORTER", "zipkin"},
      {"OTEL_TRACES_EXPORTER", "otlp,console"},
      {"OTEL_SDK_DISABLED", "yes"},
      {"OTEL_EXPORTER_OTLP_COMPRESSION", "gzip"},
      {"OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", "gzip"},
      {"OTEL_PROPAGATORS", "tracecontext,baggage,b3"},
  };
  for (const auto& [name, value] : table) {
    Variables variables = on;
    variables[name] = value;
    const TraceSettings settings = settings_of(variables);
    EXPECT_TRUE(settings.wanted) << name;
    ASSERT_EQ(settings.problems.size(), 1U) << name;
    EXPECT_TRUE(settings.problems[0].starts_with(std::string(name) + ": ")) << settings.problems[0];
  }
  Variables usual = on;
  usual["OTEL_EXPORTER_OTLP_COMPRESSION"] = "none";
  usual["OTEL_PROPAGATORS"] = "tracecontext,baggage";
  EXPECT_TRUE(settings_of(usual).problems.empty());
}

TEST(TraceSettings, HeadersThatWouldBreakARequestAreLeftOut) {
  for (const char* name : {"Content-Length", "host", "TRANSFER-ENCODING", "Content-Type"}) {
    const TraceSettings settings =
        settings_of({{"OTEL_EXPORTER_OTLP_HEADERS", std::string(name) + "=hunter2,x=y"}});
    EXPECT_EQ(settings.headers.size(), 1U) << name;
    ASSERT_EQ(settings.problems.size(), 1U) << name;
    EXPECT_EQ(settings.problems[0], "OTEL_EXPORTER_OTLP_HEADERS: " + std::string(name) +
                                        " is not for others to set; it is left out");
  }
}

TEST(TraceSettings, ReadsHeadersTimeoutAndCertificates) {
  const TraceSettings settings =
      settings_of({{"OTEL_EXPORTER_OTLP_HEADERS", "api-key=s%20cret,X-Tenant = a "},
                   {"OTEL_EXPORTER_OTLP_TIMEOUT", "1500"},
                   {"OTEL_EXPORTER_OTLP_CERTIFICATE", "/ca.pem"},
                   {"OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", "/client.pem"},
                   {"OTEL_EXPORTER_OTLP_CLIENT_KEY", "/client.key"}});
  EXPECT_EQ(*settings.headers.find("api-key"), "s cret");
  EXPECT_EQ(*settings.headers.find("x-tenant"), "a");
  EXPECT_EQ(settings.timeout, 1500ms);
  EXPECT_EQ(settings.tls.ca_files, std::vector<std::string>{"/ca.pem"});
  EXPECT_EQ(settings.tls.client_certificate_file, "/client.pem");
  EXPECT_EQ(settings.tls.client_key_file, "/client.key");
  EXPECT_TRUE(settings.problems.empty());
}

TEST(TraceSettings, ReadsTheResource) {
  using Resource = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(settings_of({}).resource, (Resource{{"service.name", "windlass"}}));
  const Variables attributes = {
      {"OTEL_RESOURCE_ATTRIBUTES", "service.name=pins,deployment.environment=a%2Cb"}};
  EXPECT_EQ(settings_of(attributes).resource,
            (Resource{{"service.name", "pins"}, {"deployment.environment", "a,b"}}));
  Variables both = attributes;
  both["OTEL_SERVICE_NAME"] = "other";
  EXPECT_EQ(settings_of(both).resource.front().second, "other");
}

TEST(TraceSettings, ReadsTheSampler) {
  struct Row {
    const char* sampler;
    const char* argument;
    double ratio;
    bool parent_based;
    bool problem = false;
  };
  const Row table[] = {
      {"", "", 1, true},
      {"always_on", "", 1, false},
      {"always_off", "", 0, false},
      {"traceidratio", "0.25", 0.25, false},
      {"traceidratio", "", 1, false},
      {"parentbased_always_on", "", 1, true},
      {"parentbased_always_off", "", 0, true},
      {"parentbased_traceidratio", "0.5", 0.5, true},
      {"parentbased_traceidratio", "2", 1, true, true},
      {"traceidratio", "nan", 1, false, true},
      {"traceidratio", "0.5x", 1, false, true},
      {"xray", "", 1, true, true},
  };
  for (const Row& row : table) {
    const TraceSettings settings = settings_of(
        {{"OTEL_TRACES_SAMPLER", row.sampler}, {"OTEL_TRACES_SAMPLER_ARG", row.argument}});
    EXPECT_EQ(settings.tracer.sampling.ratio, row.ratio) << row.sampler;
    EXPECT_EQ(settings.tracer.sampling.parent_based, row.parent_based) << row.sampler;
    EXPECT_EQ(settings.problems.size(), row.problem ? 1U : 0U) << row.sampler;
  }
}

TEST(TraceSettings, ReadsTheBounds) {
  const TraceSettings settings = settings_of({{"OTEL_BSP_MAX_QUEUE_SIZE", "100"},
                                              {"OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "200"},
                                              {"OTEL_BSP_SCHEDULE_DELAY", "250"},
                                              {"OTEL_BSP_EXPORT_TIMEOUT", "1250"},
                                              {"OTEL_SPAN_LINK_COUNT_LIMIT", "5"},
                                              {"OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "7"},
                                              {"OTEL_SPAN_EVENT_COUNT_LIMIT", "0"},
                                              {"OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", "9"}});
  EXPECT_EQ(settings.queue_spans_max, 100U);
  EXPECT_EQ(settings.batch_spans_max, 100U);
  EXPECT_EQ(settings.batch_delay, 250ms);
  EXPECT_EQ(settings.export_timeout, 1250ms);
  EXPECT_EQ(settings.tracer.links_max, 5U);
  EXPECT_EQ(settings.tracer.fields_max, 7U);
  EXPECT_EQ(settings.tracer.events_max, 0U);
  EXPECT_EQ(settings.tracer.text_bytes_max, 9U);
}

TEST(TraceSettings, ABoundForSpansOrEventsGoesBeforeTheOneForBoth) {
  Variables variables = {{"OTEL_ATTRIBUTE_COUNT_LIMIT", "9"}};
  EXPECT_EQ(settings_of(variables).tracer.fields_max, 9U);
  EXPECT_EQ(settings_of(variables).tracer.event_fields_max, 9U);
  variables["OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT"] = "7";
  variables["OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT"] = "3";
  EXPECT_EQ(settings_of(variables).tracer.fields_max, 7U);
  EXPECT_EQ(settings_of(variables).tracer.event_fields_max, 3U);
}

TEST(TraceSettings, NamesWhatItCannotUseAndNeverAHeadersValue) {
  const std::pair<std::string, std::string> table[] = {
      {"OTEL_TRACES_EXPORTER", "zipkin"},
      {"OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"},
      {"OTEL_EXPORTER_OTLP_ENDPOINT", "http://user:hunter2@collector:4318"},
      {"OTEL_EXPORTER_OTLP_ENDPOINT", "ht://user:hunter2@"},
      {"OTEL_EXPORTER_OTLP_ENDPOINT", "user:hunter2@collector:4318"},
      {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://user:hunt?er2:hunter2@collector:99999"},
      {"OTEL_EXPORTER_OTLP_HEADERS", "api-key hunter2"},
      {"OTEL_EXPORTER_OTLP_HEADERS", "api-key=hunter2%0d%0aX-Evil: 1"},
      {"OTEL_EXPORTER_OTLP_TRACES_HEADERS", "api-key=hunter2%zz"},
      {"OTEL_EXPORTER_OTLP_TIMEOUT", "soon"},
      {"OTEL_EXPORTER_OTLP_TIMEOUT", "0"},
      {"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"},
      {"OTEL_RESOURCE_ATTRIBUTES", "a"},
      {"OTEL_BSP_MAX_QUEUE_SIZE", "-1"},
      {"OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "99999999999999999999"},
  };
  for (const auto& [name, value] : table) {
    const TraceSettings settings = settings_of({{name, value}});
    ASSERT_EQ(settings.problems.size(), 1U) << name << '=' << value;
    EXPECT_TRUE(settings.problems[0].starts_with(name + ": ")) << settings.problems[0];
    EXPECT_EQ(settings.problems[0].find("hunter2"), std::string::npos) << settings.problems[0];
    EXPECT_EQ(settings.headers.size(), 0U);
    EXPECT_EQ(settings.timeout, 10s);
  }
}

}  // namespace
}  // namespace windlass::telemetry_export
