#include "kinds.h"

#include <algorithm>
#include <array>

namespace windlass::manifest {
namespace {

constexpr KindRule kRules[] = {
    {"", "Pod", Shape::kPodSpec, "spec"},
    {"", "PodTemplate", Shape::kPodSpec, "template.spec"},
    {"", "ReplicationController", Shape::kPodSpec, "spec.template.spec"},
    {"", "Deployment", Shape::kPodSpec, "spec.template.spec"},
    {"", "ReplicaSet", Shape::kPodSpec, "spec.template.spec"},
    {"", "StatefulSet", Shape::kPodSpec, "spec.template.spec"},
    {"", "DaemonSet", Shape::kPodSpec, "spec.template.spec"},
    {"", "Job", Shape::kPodSpec, "spec.template.spec"},
    {"", "CronJob", Shape::kPodSpec, "spec.jobTemplate.spec.template.spec"},

    {"serving.knative.dev", "Service", Shape::kPodSpec, "spec.template.spec"},
    {"serving.knative.dev", "Configuration", Shape::kPodSpec, "spec.template.spec"},
    {"serving.knative.dev", "Revision", Shape::kPodSpec, "spec"},
    {"sources.knative.dev", "ContainerSource", Shape::kPodSpec, "spec.template.spec"},

    {"argoproj.io", "Rollout", Shape::kPodSpec, "spec.template.spec"},
    {"argoproj.io", "AnalysisTemplate", Shape::kPodSpec,
     "spec.metrics[*].provider.job.spec.template.spec"},
    {"argoproj.io", "ClusterAnalysisTemplate", Shape::kPodSpec,
     "spec.metrics[*].provider.job.spec.template.spec"},
    {"argoproj.io", "Workflow", Shape::kArgoWorkflow, "spec"},
    {"argoproj.io", "WorkflowTemplate", Shape::kArgoWorkflow, "spec"},
    {"argoproj.io", "ClusterWorkflowTemplate", Shape::kArgoWorkflow, "spec"},
    {"argoproj.io", "CronWorkflow", Shape::kArgoWorkflow, "spec.workflowSpec"},

    {"tekton.dev", "Task", Shape::kTektonTask, "spec"},
    {"tekton.dev", "ClusterTask", Shape::kTektonTask, "spec"},
    {"tekton.dev", "TaskRun", Shape::kTektonTask, "spec.taskSpec"},
    {"tekton.dev", "Pipeline", Shape::kTektonTask, "spec.tasks[*].taskSpec"},
    {"tekton.dev", "Pipeline", Shape::kTektonTask, "spec.finally[*].taskSpec"},
    {"tekton.dev", "PipelineRun", Shape::kTektonTask, "spec.pipelineSpec.tasks[*].taskSpec"},
    {"tekton.dev", "PipelineRun", Shape::kTektonTask, "spec.pipelineSpec.finally[*].taskSpec"},
    {"tekton.dev", "StepAction", Shape::kImage, "spec.image"},

    {"helm.toolkit.fluxcd.io", "HelmRelease", Shape::kHelmValues, "spec.values"},
    {"helm.toolkit.fluxcd.io", "HelmRelease", Shape::kKustomizeImage,
     "spec.postRenderers[*].kustomize.images[*]"},
    {"argoproj.io", "Application", Shape::kHelmValues, "spec.source.helm.valuesObject"},
    {"argoproj.io", "Application", Shape::kHelmValues, "spec.sources[*].helm.valuesObject"},
    {"argoproj.io", "Application", Shape::kKustomizeOption, "spec.source.kustomize.images[*]"},
    {"argoproj.io", "Application", Shape::kKustomizeOption, "spec.sources[*].kustomize.images[*]"},
    {"argoproj.io", "ApplicationSet", Shape::kHelmValues,
     "spec.template.spec.source.helm.valuesObject"},
    {"argoproj.io", "ApplicationSet", Shape::kHelmValues,
     "spec.template.spec.sources[*].helm.valuesObject"},
    {"argoproj.io", "ApplicationSet", Shape::kKustomizeOption,
     "spec.template.spec.source.kustomize.images[*]"},
    {"argoproj.io", "ApplicationSet", Shape::kKustomizeOption,
     "spec.template.spec.sources[*].kustomize.images[*]"},

    {"keda.sh", "ScaledJob", Shape::kPodSpec, "spec.jobTargetRef.template.spec"},
    {"apps.kruise.io", "SidecarSet", Shape::kPodSpec, "spec"},
    {"batch.volcano.sh", "Job", Shape::kPodSpec, "spec.tasks[*].template.spec"},
    {"sparkoperator.k8s.io", "SparkApplication", Shape::kImage, "spec.image"},
    {"sparkoperator.k8s.io", "SparkApplication", Shape::kImage, "spec.driver.image"},
    {"sparkoperator.k8s.io", "SparkApplication", Shape::kImage, "spec.executor.image"},
    {"operators.coreos.com", "ClusterServiceVersion", Shape::kPodSpec,
     "spec.install.spec.deployments[*].spec.template.spec"},
    {"operators.coreos.com", "ClusterServiceVersion", Shape::kImage, "spec.relatedImages[*].image"},
    {"operators.coreos.com", "CatalogSource", Shape::kImage, "spec.image"},
    {"postgresql.cnpg.io", "Cluster", Shape::kImage, "spec.imageName"},
    {"postgresql.cnpg.io", "ImageCatalog", Shape::kImage, "spec.images[*].image"},
    {"postgresql.cnpg.io", "ClusterImageCatalog", Shape::kImage, "spec.images[*].image"},
    {"monitoring.coreos.com", "Prometheus", Shape::kImage, "spec.image"},
    {"monitoring.coreos.com", "Prometheus", Shape::kPodSpec, "spec"},
    {"monitoring.coreos.com", "Alertmanager", Shape::kImage, "spec.image"},
    {"monitoring.coreos.com", "Alertmanager", Shape::kPodSpec, "spec"},
    {"monitoring.coreos.com", "ThanosRuler", Shape::kImage, "spec.image"},
    {"monitoring.coreos.com", "ThanosRuler", Shape::kPodSpec, "spec"},
    {"kubevirt.io", "VirtualMachine", Shape::kImage,
     "spec.template.spec.volumes[*].containerDisk.image"},
    {"kubevirt.io", "VirtualMachineInstance", Shape::kImage, "spec.volumes[*].containerDisk.image"},
    {"cdi.kubevirt.io", "DataVolume", Shape::kDockerUrl, "spec.source.registry.url"},
    {"kubevirt.io", "VirtualMachine", Shape::kDockerUrl,
     "spec.dataVolumeTemplates[*].spec.source.registry.url"},
};

constexpr ImagePlace kImageItself[] = {{""}};

constexpr ImagePlace kPodSpecImages[] = {
    {"initContainers[*].image", true},
    {"containers[*].image", true},
    {"ephemeralContainers[*].image", true},
    {"volumes[*].image.reference"},
};

constexpr ImagePlace kTektonTaskImages[] = {
    {"steps[*].image"},
    {"sidecars[*].image"},
    {"stepTemplate.image"},
};

constexpr ImagePlace kArgoWorkflowImages[] = {
    {"templates[*].container.image"},
    {"templates[*].script.image"},
    {"templates[*].containerSet.containers[*].image"},
    {"templates[*].initContainers[*].image"},
    {"templates[*].sidecars[*].image"},
    {"templates[*].dag.tasks[*].inline.container.image"},
    {"templates[*].dag.tasks[*].inline.script.image"},
    {"templates[*].steps[*][*].inline.container.image"},
    {"templates[*].steps[*][*].inline.script.image"},
    {"templateDefaults.container.image"},
    {"templateDefaults.script.image"},
    {"templateDefaults.containerSet.containers[*].image"},
    {"templateDefaults.initContainers[*].image"},
    {"templateDefaults.sidecars[*].image"},
};

constexpr std::array<std::string_view, 4> kWithoutImages = {"CustomResourceDefinition", "Secret",
                                                            "ConfigMap", "SealedSecret"};

}  // namespace

std::span<const KindRule> kind_rules() { return kRules; }

std::span<const ImagePlace> images_in(Shape shape) {
  switch (shape) {
    case Shape::kImage:
    case Shape::kHelmValues:
    case Shape::kKustomizeImage:
    case Shape::kKustomizeOption:
    case Shape::kDockerUrl: return kImageItself;
    case Shape::kPodSpec: return kPodSpecImages;
    case Shape::kTektonTask: return kTektonTaskImages;
    case Shape::kArgoWorkflow: return kArgoWorkflowImages;
  }
  return {};
}

bool holds_no_images(std::string_view kind) {
  return std::find(kWithoutImages.begin(), kWithoutImages.end(), kind) != kWithoutImages.end();
}

}  // namespace windlass::manifest
