#include "windlass/resolver/status_text.h"

#include <gtest/gtest.h>

namespace windlass::resolver {
namespace {

using std::chrono::seconds;

Status busy() {
  return {
      .owners = {.pending = 2, .resolved = 1, .failed = 1},
      .images = {.pending = 28, .resolved = 9, .skipped = 1, .failed = 2},
      .lookups = 3,
      .lookups_running = 2,
      .tries = 17,
      .oldest_lookup = seconds(9),
      .registries = {{.host = "registry.test",
                      .lookups = 3,
                      .under_way = 2,
                      .waiting = 0,
                      .opens_in = seconds(3),
                      .cause = "slow down"}},
      .details = {{.image = "registry.test/app:v1",
                   .identity = "alice",
                   .state = LookupStatus::State::kDelayed,
                   .tries = 4,
                   .next_try_in = seconds(8),
                   .last_cause = "connection\n\"refused\"",
                   .waiters = 1000},
                  {.image = "registry.test/b:v1",
                   .state = LookupStatus::State::kDelayed,
                   .next_try_in = seconds(2),
                   .platform = "linux/arm64"}},
      .pending = {{.owner = "shop/web", .images = 3, .pending = 2, .answered_within = seconds(60)}},
      .failed = {{.owner = "shop/cart",
                  .images = 3,
                  .failed = 2,
                  .image = "cart:v2",
                  .cause = "no such\ntag",
                  .tries = 1}}};
}

TEST(StatusText, ALineForProgress) {
  EXPECT_EQ(to_line(busy()), "12 of 40 images, 2 failed; 2 running; next try in 2 s");
  EXPECT_EQ(to_line({}), "0 of 0 images");
}

TEST(StatusText, JsonHoldsEverything) {
  EXPECT_EQ(
      to_json(busy()),
      R"({"owners":{"pending":2,"resolved":1,"failed":1},)"
      R"("images":{"pending":28,"resolved":9,"skipped":1,"failed":2},)"
      R"("lookups":{"total":3,"running":2},"tries":17,"oldest_lookup_ms":9000,)"
      R"("registries":[{"host":"registry.test","lookups":3,"under_way":2,"waiting":0,)"
      R"("tripped":false,"opens_in_ms":3000,"cause":"slow down"}],)"
      R"("details":[{"image":"registry.test/app:v1","identity":"alice","state":"delayed",)"
      R"("tries":4,"next_try_in_ms":8000,"last_cause":"connection\n\"refused\"",)"
      R"("waiters":1000,"platform":""},{"image":"registry.test/b:v1","identity":"",)"
      R"("state":"delayed",)"
      R"("tries":0,"next_try_in_ms":2000,"last_cause":"","waiters":0,"platform":"linux/arm64"}],)"
      R"("pending_owners":[{"owner":"shop/web","images":3,"pending":2,)"
      R"("answered_within_ms":60000}],)"
      R"("failed_owners":[{"owner":"shop/cart","images":3,"failed":2,"image":"cart:v2",)"
      R"("cause":"no such\ntag","tries":1}]})");
}

TEST(StatusText, TheTableAlignsAndShowsForeignTextSafely) {
  EXPECT_EQ(to_table(busy()),
            "owners   2 pending, 1 resolved, 1 failed\n"
            "images   28 pending, 9 resolved, 1 skipped, 2 failed\n"
            "lookups  3 in all, 2 running, 17 tries so far\n"
            "\n"
            "REGISTRY       STATE   LOOKUPS  UNDER WAY  WAITING  OPENS IN  CAUSE\n"
            "registry.test  parked  3        2          0        3 s       slow down\n"
            "\n"
            "IMAGE                               STATE    TRIES  NEXT TRY IN  WAITERS  "
            "LAST CAUSE\n"
            "registry.test/app:v1                delayed  4      8 s          1000     "
            "connection\\n\\\"refused\\\"\n"
            "registry.test/b:v1 for linux/arm64  delayed  0      2 s          0\n"
            "\n"
            "PENDING OWNER  IMAGES  PENDING  TIME LEFT\n"
            "shop/web       3       2        1 min 0 s\n"
            "\n"
            "FAILED OWNER  IMAGES  FAILED  IMAGE    TRIES  CAUSE\n"
            "shop/cart     3       2       cart:v2  1      no such\\ntag\n");
}

TEST(StatusText, NoEmptyTables) {
  EXPECT_EQ(to_table({}),
            "owners   0 pending, 0 resolved, 0 failed\n"
            "images   0 pending, 0 resolved, 0 skipped, 0 failed\n"
            "lookups  0 in all, 0 running, 0 tries so far\n");
}

}  // namespace
}  // namespace windlass::resolver
