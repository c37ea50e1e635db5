// How fast manifests are read and edited, beside libyaml reading the same bytes with nothing done
// to its events.
#include <benchmark/benchmark.h>
#include <yaml.h>

#include <string>

#include "windlass/manifest/manifest.h"

namespace windlass::manifest {
namespace {

std::string deployment(int number) {
  const std::string name = "app-" + std::to_string(number);
  return "---\n# What the shop runs.\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: " +
         name + "\n  labels: {app.kubernetes.io/name: " + name +
         ", tier: web}\n  annotations:\n    example.test/note: \"a longer text, in quotes\"\n"
         "spec:\n  replicas: 3\n  selector:\n    matchLabels:\n      app: " +
         name +
         "\n  template:\n    spec:\n      serviceAccountName: shop\n      containers:\n"
         "      - name: main\n        image: registry.test/shop/" +
         name +
         ":1.4.2 # pinned by hand\n        ports:\n        - containerPort: 8080\n          name: "
         "http\n"
         "        env:\n        - name: LOG_LEVEL\n          value: \"info\"\n        - name: DB\n"
         "          valueFrom: {secretKeyRef: {name: db, key: url}}\n"
         "        resources:\n          limits: {memory: 128Mi, cpu: 250m}\n"
         "        readinessProbe:\n          httpGet: {path: /ready, port: http}\n"
         "      - name: proxy\n        image: 'registry.test/shop/proxy:2'\n"
         "        args: [\"--listen=:9000\", \"--upstream=127.0.0.1:8080\"]\n";
}

std::string file_of(std::int64_t deployments) {
  std::string text;
  for (int i = 0; i < deployments; ++i) text += deployment(i);
  return text;
}

void count_bytes(benchmark::State& state, const std::string& text) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void BM_Manifest_Parse(benchmark::State& state) {
  const std::string text = file_of(state.range(0));
  for (auto _ : state) {
    auto manifest = Manifest::parse("shop.yaml", text);
    benchmark::DoNotOptimize(manifest);
  }
  count_bytes(state, text);
}
BENCHMARK(BM_Manifest_Parse)->ArgName("deployments")->Arg(1)->Arg(100);

void BM_Manifest_Edited(benchmark::State& state) {
  const std::string text = file_of(state.range(0));
  const auto manifest = Manifest::parse("shop.yaml", text);
  const image::Digest digest = image::Digest::sha256_of("shop");
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < manifest->findings().size(); ++i)
    edits.push_back({.finding = i, .digest = digest});
  for (auto _ : state) {
    auto pinned = manifest->edited(edits);
    benchmark::DoNotOptimize(pinned);
  }
  count_bytes(state, text);
}
BENCHMARK(BM_Manifest_Edited)->ArgName("deployments")->Arg(1)->Arg(100);

void BM_LibYaml_Events(benchmark::State& state) {
  const std::string text = file_of(state.range(0));
  for (auto _ : state) {
    yaml_parser_t parser;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
    for (bool more = true; more;) {
      yaml_event_t event;
      if (yaml_parser_parse(&parser, &event) == 0) break;
      more = event.type != YAML_STREAM_END_EVENT;
      yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
  }
  count_bytes(state, text);
}
BENCHMARK(BM_LibYaml_Events)->ArgName("deployments")->Arg(1)->Arg(100);

}  // namespace
}  // namespace windlass::manifest

BENCHMARK_MAIN();
