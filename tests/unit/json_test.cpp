#include "words/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "extremal/error.hpp"

namespace extremal::json_test {
namespace {

std::string refusal(const std::string& text) {
  try {
    Json::parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Json, BracedListsOfPairsAreObjectsAndOthersArrays) {
  EXPECT_EQ(Json({{"a", 1}, {"b", {{"c", "d"}}}}).dump(), R"({"a":1,"b":{"c":"d"}})");
  EXPECT_EQ(Json({1, "two", {3, 4}}).dump(), R"([1,"two",[3,4]])");
  EXPECT_EQ(Json({"a", "b"}).dump(), R"(["a","b"])");
  EXPECT_EQ(Json({{"a", 1}, {"b", 2, 3}}).dump(), R"([["a",1],["b",2,3]])");
  EXPECT_EQ(Json({{1, 2}, {3, 4}}).dump(), "[[1,2],[3,4]]");
  EXPECT_EQ(Json::array({{"a", 1}}).dump(), R"([["a",1]])");
  EXPECT_EQ(Json::object({{"a", 1}}).dump(), R"({"a":1})");
  EXPECT_EQ(Json::array().dump(), "[]");
  EXPECT_EQ(Json::object().dump(), "{}");
  EXPECT_EQ(Json().dump(), "null");
  EXPECT_THROW(Json::object({1, 2}), std::logic_error);
}

// What a list is must not depend on the values in it.
TEST(Json, ValuesInAListAreNoPairs) {
  const Json pair = {"a", "b"};
  EXPECT_EQ(Json({pair, pair}).dump(), R"([["a","b"],["a","b"]])");
  const std::vector<std::string> texts = {"a", "b"};
  EXPECT_EQ(Json({texts, texts}).dump(), R"([["a","b"],["a","b"]])");
}

TEST(Json, MembersKeepTheirOrder) {
  Json x;
  x["z"] = 1;
  x["a"]["inner"] = true;
  x["m"].push_back("one");
  x["z"] = 2;
  EXPECT_EQ(x.dump(), R"({"z":2,"a":{"inner":true},"m":["one"]})");
  EXPECT_EQ(Json::parse(x.dump()).keys(), (std::vector<std::string>{"z", "a", "m"}));
  EXPECT_EQ(x.dump(2), "{\n  \"z\": 2,\n  \"a\": {\n    \"inner\": true\n  },\n  \"m\": [\n    \"one\"\n  ]\n}");
}

TEST(Json, WholeNumbersStayWholeAndOthersHaveTheFewestDigits) {
  EXPECT_EQ(Json(std::numeric_limits<std::int64_t>::min()).dump(), "-9223372036854775808");
  EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).dump(), "18446744073709551615");
  EXPECT_EQ(Json({0.1, 1.0, 1e300, -0.0, 1.0 / 3, 5e-324}).dump(), "[0.1,1.0,1e+300,-0.0,0.3333333333333333,5e-324]");
  EXPECT_EQ(Json({std::nan(""), std::numeric_limits<double>::infinity()}).dump(), "[null,null]");
  const Json read = Json::parse("[7, -7, 7.0, 18446744073709551615]");
  EXPECT_EQ(read[0].get<int>(), 7);
  EXPECT_EQ(read[1].get<int>(), -7);
  EXPECT_EQ(read[2].get<double>(), 7);
  EXPECT_EQ(read[3].get<std::uint64_t>(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(read.dump(), "[7,-7,7.0,18446744073709551615]");
  EXPECT_EQ(read[0], Json(7));
  EXPECT_EQ(read[0], read[2]);
  EXPECT_FALSE(read[0] == read[1]);
}

TEST(Json, TextsAreEscaped) {
  const std::string text = "a \"b\" \\ \n\t\x01 é / \u2212";
  EXPECT_EQ(Json(text).dump(), "\"a \\\"b\\\" \\\\ \\n\\t\\u0001 é / \u2212\"");
  EXPECT_EQ(Json::parse(Json(text).dump()).get<std::string>(), text);
  EXPECT_EQ(Json::parse(R"("\u00e9\ud83d\ude00")").get<std::string>(), "\u00e9\U0001F600");
  const std::string zero("a\0b", 3);
  EXPECT_EQ(Json::parse(Json(zero).dump()).get<std::string>(), zero);
}

TEST(Json, GoesThroughTextUnchanged) {
  const Json x = {{"null", nullptr},
                  {"bool", {true, false}},
                  {"numbers", {1, -1, 0.5, 1e-300}},
                  {"texts", std::vector<std::string>{"", "two"}},
                  {"nested", {{"array", Json::array()}, {"object", Json::object()}}}};
  EXPECT_EQ(Json::parse(x.dump()), x);
  EXPECT_EQ(Json::parse(x.dump(2)), x);
  EXPECT_EQ(Json::parse(x.dump(2)).dump(2), x.dump(2));
}

TEST(Json, CopiesAreIndependentAndMovedValuesNull) {
  Json x = {{"a", {1, 2}}};
  Json copy = x;
  copy["a"].push_back(3);
  EXPECT_EQ(x.dump(), R"({"a":[1,2]})");
  const Json list = {{"x", std::move(x)}, {"copy", copy}};
  EXPECT_TRUE(x.is_null());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(list.dump(), R"({"x":{"a":[1,2]},"copy":{"a":[1,2,3]}})");
  copy = copy["a"];
  EXPECT_EQ(copy.dump(), "[1,2,3]");
}

TEST(Json, FindsAndCountsItsElements) {
  Json x = {{"a", 1}, {"b", {"c", "d"}}};
  EXPECT_TRUE(x.contains("a"));
  EXPECT_FALSE(x.contains("c"));
  EXPECT_FALSE(Json(1).contains("a"));
  EXPECT_EQ(x.size(), 2U);
  EXPECT_TRUE(Json().empty());
  EXPECT_TRUE(Json(1).empty());
  EXPECT_TRUE(x["b"][0] == "c");
  EXPECT_EQ(x.at("b").get<std::vector<std::string>>(), (std::vector<std::string>{"c", "d"}));
  int sum = 0;
  for (Json& element : x = {1, 2, 3}) sum += element.get<int>();
  EXPECT_EQ(sum, 6);
  for (const Json& element : Json()) ADD_FAILURE() << element.dump();
}

TEST(Json, RefusesWhatIsNotThere) {
  const Json x = {{"a", "text"}, {"b", {1, "two"}}, {"large", 3000000000}};
  EXPECT_THROW(x.at("c"), InputError);
  EXPECT_THROW(x["c"], InputError);
  EXPECT_THROW(x["b"][2], InputError);
  EXPECT_THROW(x["a"][0], InputError);
  EXPECT_THROW(x["a"].at("b"), InputError);
  EXPECT_THROW(x["a"].keys(), InputError);
  EXPECT_THROW(x["a"].get<int>(), InputError);
  EXPECT_THROW(x["a"].get<bool>(), InputError);
  EXPECT_THROW(x["a"].get<double>(), InputError);
  EXPECT_THROW(x["b"].get<std::string>(), InputError);
  EXPECT_THROW(x["b"].get<std::vector<std::string>>(), InputError);
  EXPECT_THROW(x["large"].get<int>(), InputError);
  EXPECT_THROW(Json(-1).get<std::uint64_t>(), InputError);
  EXPECT_THROW(Json(1).push_back(1), InputError);
  EXPECT_THROW(Json(1)["a"], InputError);
  EXPECT_THROW(Json().back(), InputError);
}

TEST(Json, RefusesTextThatIsNoJson) {
  for (const char* text : {"", "{", "[1,]", "{\"a\":}", "nul", "1 2", "\"\xff\"", "1e999"})
    EXPECT_TRUE(refusal(text).starts_with("JSON: ")) << text << ": " << refusal(text);
  EXPECT_EQ(refusal("[1,").find("json.exception"), std::string::npos);
  // Deeper than the stack.
  EXPECT_NE(refusal(std::string(1000000, '[') + std::string(1000000, ']')).find("levels"), std::string::npos);
}

TEST(Json, BadUtf8IsRefusedOrReplaced) {
  const Json x = {{"text", "a\xff z"}};
  EXPECT_THROW(x.dump(), InputError);
  EXPECT_EQ(x.dump(Json::one_line, Json::BadText::replaced), "{\"text\":\"a\uFFFD z\"}");
}

}  // namespace
}  // namespace extremal::json_test
