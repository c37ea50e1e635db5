#include "output_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include "pin_plan.h"
#include "windlass/base/format.h"
#include "windlass/base/testing/temporary_folder.h"

namespace windlass::app {
namespace {

namespace fs = std::filesystem;

class OutputFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string write(const std::string& name, const std::string& bytes = "kind: Pod\n") const {
    return folder_.write(name, bytes);
  }

  static PinCommand plan_to(const std::string& plan, std::vector<std::string> paths) {
    PinCommand command;
    command.mode = PinMode::kPlan;
    command.plan = plan;
    command.paths = std::move(paths);
    return command;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(OutputFiles, MayBeNewOrEmptyOrOfTheirOwnKind) {
  const std::string manifest = write("pod.yaml");
  EXPECT_EQ(misuse_of_outputs(plan_to(path("new.json"), {manifest})), "");
  EXPECT_EQ(misuse_of_outputs(plan_to(write("empty.json", ""), {manifest})), "");
  EXPECT_EQ(misuse_of_outputs(plan_to(write("old.json", PinPlan().to_text()), {manifest})), "");
  EXPECT_EQ(misuse_of_outputs(plan_to("-", {"-"})), "");
  PinCommand command = plan_to(path("new.json"), {manifest});
  command.common.metrics_file = write("run.prom", "# HELP windlass_x X.\n");
  EXPECT_EQ(misuse_of_outputs(command), "");
}

TEST_F(OutputFiles, AreNoFilesToBePinned) {
  const std::string manifest = write("pod.yaml", "");
  fs::create_symlink(manifest, path("link.yaml"));
  fs::create_hard_link(manifest, path("hard.yaml"));
  const std::string ending = ": is also an input, which it would overwrite; name another file";
  for (const std::string name : {"pod.yaml", "link.yaml", "hard.yaml", "./pod.yaml"}) {
    const std::string file = path(name);
    EXPECT_EQ(misuse_of_outputs(plan_to(file, {manifest})), format("--plan {}{}", file, ending));
    PinCommand command;
    command.paths = {manifest};
    command.lock = file;
    EXPECT_EQ(misuse_of_outputs(command), format("--lock {}{}", file, ending));
    command.lock.clear();
    command.common.metrics_file = file;
    EXPECT_EQ(misuse_of_outputs(command), format("--metrics-file {}{}", file, ending));
  }
}

TEST_F(OutputFiles, AreNotWhatAnotherOptionNames) {
  const std::string file = path("new");
  PinCommand command = plan_to(file, {});
  command.common.metrics_file = file;
  EXPECT_EQ(misuse_of_outputs(command),
            "--metrics-file " + file +
                ": is also the file of --plan, which it would overwrite; name another file");
  ResolveCommand resolve;
  resolve.file = resolve.common.metrics_file = write("list.txt", "");
  EXPECT_TRUE(misuse_of_outputs(resolve).contains("the file of --file")) << "a list";
  KrmCommand krm;
  krm.common.authfile = krm.common.metrics_file = write("auth.json", "");
  EXPECT_TRUE(misuse_of_outputs(krm).contains("the file of --authfile")) << "logins";
}

TEST_F(OutputFiles, DoNotReplaceWhatIsOfAnotherKind) {
  const std::string file = write("notes.txt", "mine\n");
  const std::string ending = "; remove it, or name another file";
  EXPECT_EQ(misuse_of_outputs(plan_to(file, {})),
            "--plan " + file + ": the file is there and holds no plan of this windlass" + ending);
  KrmCommand krm;
  krm.common.metrics_file = file;
  EXPECT_EQ(misuse_of_outputs(krm),
            "--metrics-file " + file + ": the file is there and holds no metrics" + ending);
}

}  // namespace
}  // namespace windlass::app
