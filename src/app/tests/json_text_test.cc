#include "json_text.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace windlass::app {
namespace {

TEST(JsonText, IsIndentedAndMeansTheSame) {
  const auto value = boost::json::parse(R"({"a":[1,{"b":"x\ny"},[],{}],"c":null,"d":true})");
  EXPECT_EQ(indented(value),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"x\\ny\"\n    },\n    [],\n    {}\n  ],\n"
            "  \"c\": null,\n  \"d\": true\n}\n");
  EXPECT_EQ(boost::json::parse(indented(value)), value);
}

}  // namespace
}  // namespace windlass::app
