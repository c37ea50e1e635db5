#include "windlass/telemetry_export/otlp_exporter.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <latch>
#include <thread>

#include "otlp_json.h"
#include "otlp_receiver.h"
#include "windlass/base/testing/fake_clock.h"
#include "windlass/http/curl_client.h"
#include "windlass/http/testing/raw_server.h"
#include "windlass/http/testing/scripted_client.h"
#include "windlass/telemetry/testing/recording_logger.h"
#include "windlass/telemetry/testing/recording_spans.h"
#include "windlass/telemetry_export/span_batcher.h"

namespace windlass::telemetry_export {
namespace {

using namespace std::chrono_literals;
using boost::json::object;
using telemetry::Span;

std::unique_ptr<http::CurlClient> real_client() {
  auto client = http::CurlClient::create(system_clock(), {});
  EXPECT_TRUE(client);
  return std::move(*client);
}

TraceSettings settings_for(const std::string& url) {
  TraceSettings settings;
  settings.endpoint = url + "/v1/traces";
  settings.headers.add("api-key", "canary-hunter2");
  settings.resource = {{"service.name", "pins"}};
  return settings;
}

// name -> span
std::map<std::string, object> spans_in(const OtlpReceiver::Received& received) {
  std::map<std::string, object> spans;
  const auto request = boost::json::parse(received.body);
  for (const auto& resource : request.at("resourceSpans").as_array()) {
    for (const auto& scope : resource.at("scopeSpans").as_array()) {
      for (const auto& span : scope.at("spans").as_array())
        spans[std::string(span.at("name").as_string())] = span.as_object();
    }
  }
  return spans;
}

// The JSON of a field's value: {"stringValue":"x"}.
std::string field(const object& span, std::string_view name) {
  for (const auto& attribute : span.at("attributes").as_array()) {
    if (attribute.at("key").as_string() == name)
      return boost::json::serialize(attribute.at("value"));
  }
  return "none";
}

TEST(OtlpExporter, AReceiverGetsNamesParentsFieldsTimesAndStatus) {
  OtlpReceiver receiver;
  const auto client = real_client();
  auto exporter = OtlpExporter::create(*client, settings_for(receiver.url()));
  ASSERT_TRUE(exporter);
  {
    FakeClock clock;
    SpanBatcher batcher(clock, *exporter, {}, telemetry::null_logger());
    telemetry::Tracer tracer(clock, batcher, {.id_seed = 7});
    const auto remote = *telemetry::parse_traceparent(
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "vendor=1");
    Span parent = tracer.start(telemetry::SpanKind::kServer, "handleQueueItem", remote);
    clock.advance(250ms);
    Span child = tracer.start("handleQueueItemObject", parent.context(),
                              {{"key", "shop/\"web\"\xff"}, {"requeues", 3}, {"share", 0.5}});
    child.set({"addedViaRedirty", true});
    child.add_event("retrying", {{"delay_seconds", 1500ms}});
    child.add_link(
        *telemetry::parse_traceparent("00-1af7651916cd43dd8448eb211c80319c-c7ad6b7169203331-01"));
    child.set_error({.code = ErrorCode::kTimedOut, .message = "timed out after 10 s"});
    std::jthread([task = std::move(child)]() mutable { task.end(); }).join();
    parent.set_ok();
    parent.end();
    batcher.shut_down(TimePoint::max());
    EXPECT_EQ(batcher.stats().exported, 2U);
  }

  ASSERT_EQ(receiver.received().size(), 1U);
  const OtlpReceiver::Received received = receiver.received()[0];
  EXPECT_EQ(received.method, "POST");
  EXPECT_EQ(received.path, "/v1/traces");
  EXPECT_EQ(received.headers.at("content-type"), "application/json");
  EXPECT_EQ(received.headers.at("api-key"), "canary-hunter2");
  EXPECT_NE(received.body.find(R"({"key":"service.name","value":{"stringValue":"pins"}})"),
            std::string::npos);
  auto spans = spans_in(received);
  ASSERT_EQ(spans.size(), 2U);
  const object& parent = spans["handleQueueItem"];
  const object& child = spans["handleQueueItemObject"];
  EXPECT_EQ(parent.at("traceId").as_string(), "0af7651916cd43dd8448eb211c80319c");
  EXPECT_EQ(parent.at("parentSpanId").as_string(), "b7ad6b7169203331");
  EXPECT_EQ(parent.at("traceState").as_string(), "vendor=1");
  EXPECT_EQ(parent.at("kind"), 2);
  EXPECT_EQ(parent.at("status").at("code"), 1);
  EXPECT_EQ(child.at("traceId"), parent.at("traceId"));
  EXPECT_EQ(child.at("parentSpanId"), parent.at("spanId"));
  EXPECT_EQ(child.at("kind"), 1);
  EXPECT_EQ(child.at("status").at("code"), 2);
  EXPECT_EQ(child.at("status").at("message").as_string(), "timed out after 10 s");
  EXPECT_EQ(parent.at("startTimeUnixNano").as_string(), "1767323045000000000");
  EXPECT_EQ(child.at("startTimeUnixNano").as_string(), "1767323045250000000");
  EXPECT_EQ(parent.at("endTimeUnixNano").as_string(), "1767323045250000000");
  EXPECT_EQ(field(child, "key"), "{\"stringValue\":\"shop/\\\"web\\\"\uFFFD\"}");
  EXPECT_EQ(field(child, "requeues"), R"({"intValue":"3"})");
  EXPECT_EQ(field(child, "share"), R"({"doubleValue":5E-1})");
  EXPECT_EQ(field(child, "addedViaRedirty"), R"({"boolValue":true})");
  EXPECT_EQ(field(child, "error.type"), R"({"stringValue":"timed-out"})");
  EXPECT_EQ(child.at("events").at(0).at("name").as_string(), "retrying");
  EXPECT_EQ(child.at("links").as_array().size(), 1U);
  EXPECT_EQ(child.at("links").at(0).at("traceId").as_string(), "1af7651916cd43dd8448eb211c80319c");
  EXPECT_EQ(child.at("links").at(0).at("spanId").as_string(), "c7ad6b7169203331");
}

TEST(OtlpExporter, WithoutAReceiverWorkGoesOnAndSpansAreCounted) {
  std::string nobody;
  {
    const OtlpReceiver gone;
    nobody = gone.url();
  }
  const auto client = real_client();
  auto exporter = OtlpExporter::create(*client, settings_for(nobody));
  ASSERT_TRUE(exporter);
  telemetry::RecordingLogger logger;
  FakeClock clock;
  SpanBatcher batcher(clock, *exporter, {.queue_spans_max = 10}, logger);
  telemetry::Tracer tracer(clock, batcher, {});
  for (int i = 0; i < 100; ++i) tracer.start("work").end();
  batcher.shut_down(TimePoint::max());
  const SpanBatcher::Stats stats = batcher.stats();
  EXPECT_EQ(stats.dropped_full + stats.dropped_failed, 100U);
  ASSERT_EQ(logger.lines().size(), 1U);
  EXPECT_TRUE(logger.holds("send spans to " + nobody)) << logger.lines()[0];
  EXPECT_FALSE(logger.holds("hunter2"));
}

TEST(OtlpExporter, AStopEndsWaitingForAReceiverThatIsSilent) {
  std::latch asked(1);
  const http::RawServer silent([&](const std::string&) {
    asked.count_down();
    return http::RawServer::Reply{.bytes = "", .hang = true};
  });
  const auto client = real_client();
  auto exporter = OtlpExporter::create(*client, settings_for(silent.url("")));
  ASSERT_TRUE(exporter);
  telemetry::RecordingLogger logger;
  SpanBatcher batcher(system_clock(), *exporter, {.batch_spans_max = 1}, logger);
  telemetry::Tracer(system_clock(), batcher, {}).start("work").end();
  asked.wait();
  batcher.shut_down(system_clock().now());
  EXPECT_EQ(batcher.stats().dropped_failed, 1U);
  EXPECT_TRUE(logger.lines().empty());
}

TEST(OtlpExporter, AStatusSaysWhetherToTryAgainAndNoErrorShowsAHeader) {
  struct Row {
    int status;
    ErrorCode code;
  };
  const Row table[] = {{400, ErrorCode::kInvalid},     {401, ErrorCode::kUnauthenticated},
                       {403, ErrorCode::kForbidden},   {404, ErrorCode::kNotFound},
                       {429, ErrorCode::kThrottled},   {500, ErrorCode::kInvalid},
                       {502, ErrorCode::kUnavailable}, {503, ErrorCode::kUnavailable},
                       {504, ErrorCode::kUnavailable}};
  OtlpReceiver receiver;
  const auto client = real_client();
  auto exporter = OtlpExporter::create(*client, settings_for(receiver.url()));
  ASSERT_TRUE(exporter);
  const telemetry::SpanData spans[1];
  for (const Row& row : table) {
    receiver.answer_with(static_cast<unsigned>(row.status), "canary-hunter2 is not welcome");
    const auto result = exporter->export_spans(spans, 10s, {});
    ASSERT_FALSE(result) << row.status;
    EXPECT_EQ(result.error().code, row.code) << row.status;
    EXPECT_EQ(result.error().message.find("hunter2"), std::string::npos);
  }
}

TEST(OtlpExporter, ReadsHowLongToWait) {
  const std::pair<const char*, std::optional<Duration>> table[] = {
      {"7", 7s}, {"99999", 300s}, {"soon", std::nullopt}, {"", std::nullopt}};
  for (const auto& [text, wait] : table) {
    http::ScriptedClient client(
        [&](const http::Request&) { return http::Response{429, {{"Retry-After", text}}, ""}; });
    auto exporter = OtlpExporter::create(client, {});
    ASSERT_TRUE(exporter);
    std::jthread answerer([&] {
      while (client.requests().empty() || !client.answer_next()) std::this_thread::yield();
    });
    const auto result = exporter->export_spans({}, 10s, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().retry_after, wait) << text;
  }
}

TEST(OtlpExporter, WhatIsSentHasOneTypeAndTheShorterTimeout) {
  const std::pair<Duration, Duration> table[] = {{3s, 3s}, {30s, 10s}};
  for (const auto& [at_most, timeout] : table) {
    http::ScriptedClient client([](const http::Request&) { return http::Response{200, {}, "{}"}; });
    TraceSettings settings;
    settings.headers.add("content-type", "text/plain");
    auto exporter = OtlpExporter::create(client, settings);
    ASSERT_TRUE(exporter);
    std::jthread answerer([&] {
      while (client.requests().empty() || !client.answer_next()) std::this_thread::yield();
    });
    ASSERT_TRUE(exporter->export_spans({}, at_most, {}));
    const http::Request request = client.requests()[0];
    EXPECT_EQ(request.timeout, timeout);
    EXPECT_EQ(request.headers.size(), 1U);
    EXPECT_EQ(*request.headers.find("Content-Type"), "application/json");
  }
}

TEST(OtlpExporter, TellsWhatASpanDoesNotHold) {
  telemetry::SpanData span;
  span.links.resize(1);
  span.dropped_fields = 2;
  span.dropped_events = 3;
  span.dropped_links = 4;
  const auto json = boost::json::parse(trace_request_json("{}", {&span, 1}));
  const object& sent =
      json.at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").at(0).as_object();
  EXPECT_EQ(sent.at("droppedAttributesCount"), 2);
  EXPECT_EQ(sent.at("droppedEventsCount"), 3);
  EXPECT_EQ(sent.at("droppedLinksCount"), 4);
}

TEST(OtlpExporter, CountsSpansThatTheReceiverRejects) {
  const std::pair<const char*, std::size_t> table[] = {
      {"", 0},
      {"{}", 0},
      {"[]", 0},
      {"no json", 0},
      {R"({"partialSuccess":{}})", 0},
      {R"({"partialSuccess":{"rejectedSpans":"3"}})", 3},
      {R"({"partialSuccess":{"rejectedSpans":3}})", 3},
      {R"({"partialSuccess":{"rejectedSpans":-3}})", 0},
      {R"({"partialSuccess":{"rejectedSpans":"many"}})", 0},
  };
  for (const auto& [answer, rejected] : table) EXPECT_EQ(rejected_spans(answer), rejected);
}

TEST(OtlpExporter, RefusesAnEndpointThatIsNoUrl) {
  http::ScriptedClient client([](const http::Request&) { return std::nullopt; });
  TraceSettings settings;
  settings.endpoint = "collector:4318";
  const auto exporter = OtlpExporter::create(client, settings);
  ASSERT_FALSE(exporter);
  EXPECT_EQ(exporter.error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace windlass::telemetry_export
