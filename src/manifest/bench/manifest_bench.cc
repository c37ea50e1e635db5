// How fast manifests are read and edited, beside libyaml reading the same bytes with nothing done
// to its events.
#include <benchmark/benchmark.h>
#include <yaml.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

// What stands beside the workloads of a cluster and names no image.
std::string without_images(int number) {
  const std::string name = "app-" + std::to_string(number);
  return "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: " + name +
         "\n  labels: {app.kubernetes.io/name: " + name +
         "}\nspec:\n  selector:\n    app: " + name +
         "\n  ports:\n  - name: http\n    port: 80\n    targetPort: http\n"
         "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " +
         name +
         "\ndata:\n  LOG_LEVEL: info\n  app.conf: |\n    [server]\n    listen = 0.0.0.0:8080\n"
         "    workers = 4\n\n    [log]\n    format = json # one line for each request\n"
         "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata:\n  name: " +
         name +
         "\nrules:\n- apiGroups: [\"\"]\n  resources: [\"configmaps\", \"secrets\"]\n"
         "  verbs: [\"get\", \"list\", \"watch\"]\n";
}

// The same deployment in a way that only the full parser reads.
std::string with_anchor(int number) {
  std::string text = deployment(number);
  const std::string_view replicas = "replicas: 3";
  return text.replace(text.find(replicas), replicas.size(), "replicas: &count 3");
}

enum Workload : std::int64_t { kDeployments, kWithoutImages, kWithAnchors };

std::string file_of(std::int64_t workload) {
  std::string text;
  for (int i = 0; i < 100; ++i) {
    text += workload == kDeployments     ? deployment(i)
            : workload == kWithoutImages ? without_images(i)
                                         : with_anchor(i);
  }
  return text;
}

void count_bytes(benchmark::State& state, const std::string& text) {
  constexpr std::array<const char*, 3> kNames = {"deployments", "without images", "with anchors"};
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
  state.SetLabel(kNames[static_cast<std::size_t>(state.range(0))]);
}

void all_workloads(benchmark::internal::Benchmark* bench) {
  bench->ArgName("workload")->Arg(kDeployments)->Arg(kWithoutImages)->Arg(kWithAnchors);
}

void BM_Manifest_Parse(benchmark::State& state) {
  const std::string text = file_of(state.range(0));
  for (auto _ : state) {
    auto manifest = Manifest::parse("shop.yaml", text);
    benchmark::DoNotOptimize(manifest);
  }
  count_bytes(state, text);
}
BENCHMARK(BM_Manifest_Parse)->Apply(all_workloads);

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
BENCHMARK(BM_Manifest_Edited)->ArgName("workload")->Arg(kDeployments);

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
BENCHMARK(BM_LibYaml_Events)->Apply(all_workloads);

}  // namespace
}  // namespace windlass::manifest

BENCHMARK_MAIN();
