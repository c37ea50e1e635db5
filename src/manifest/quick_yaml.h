// QuickYaml: reads the YAML that most manifests are written in, several times as fast as libyaml.
//
// It knows block mappings and sequences, scalars on one line, block scalars, and collections in
// brackets on one line. Whatever else it meets (anchors, tags, directives, tabs, scalars over
// several lines, any mistake) it does not judge: it gives up, and the full parser reads the
// document. Where it does not give up, its tree is the full parser's, node by node; tests and a
// fuzz target compare the two.
//
// Not thread-safe. The bytes and the TreeWriter must outlive it.
#pragma once

#include <cstddef>
#include <string_view>

#include "event.h"
#include "tree_writer.h"
#include "windlass/manifest/location.h"

namespace windlass::manifest {

class QuickYaml {
 public:
  struct Options {
    std::size_t depth_max = 200;
    bool allow_duplicate_keys = false;
  };
  enum class Outcome { kDocument, kEndOfFile, kGaveUp };

  // `bytes` are those of a SourceText that is_simple().
  QuickYaml(std::string_view bytes, std::size_t begin, TreeWriter& writer, Options options)
      : bytes_(bytes), writer_(writer), options_(options), document_(begin) {}

  // Replaces `tree` with the next document. When it gives up, `tree` means nothing and the
  // writer's count of scalars is as before.
  Outcome read_document(Tree& tree);

  // Where the next document begins; the one that was given up.
  std::size_t position() const { return document_; }

 private:
  // A scalar on one line, found and not yet added.
  struct Token {
    ScalarStyle style = ScalarStyle::kPlain;
    Span span;
    bool has_escapes = false;
  };

  // All return false to give up. at_ moves behind what was read.
  bool document(bool& found);
  bool next_line();
  bool end_line();
  bool block(int parent_column);
  bool sequence(int column, bool indentless);
  bool item(int column);
  bool mapping(int column, Token key);
  bool value_of(const Token& key, int column);
  bool inline_value(int column);
  bool flow_value();
  bool flow_mapping();
  bool flow_sequence();
  bool flow_end(char closing, bool& done);
  bool block_scalar(int column);
  bool token(bool flow, Token& out);
  bool plain(bool flow, Token& out);
  bool quoted(char quote, Token& out);
  bool add_token(const Token& token);
  bool close();
  bool may_open() const { return writer_.depth() < options_.depth_max; }

  char at(std::size_t i) const { return i < bytes_.size() ? bytes_[i] : '\n'; }
  char current() const { return at(at_); }
  bool is_blank_at(std::size_t i) const { return at(i) == ' ' || at(i) == '\n' || at(i) == '\r'; }
  bool is_dash(std::size_t i) const { return at(i) == '-' && is_blank_at(i + 1); }
  bool is_marker(std::size_t i) const;
  bool at_line_end() const { return current() == '\n' || current() == '\r'; }
  void skip_spaces() {
    while (current() == ' ') ++at_;
  }
  int column_here() const { return static_cast<int>(at_ - line_); }

  static constexpr int kNoLine = -1;  // as indent_: the document ends here

  const std::string_view bytes_;
  TreeWriter& writer_;
  const Options options_;

  std::size_t document_;  // where the next one begins
  std::size_t at_ = 0;
  std::size_t line_ = 0;  // where the line that at_ is on begins
  int indent_ = kNoLine;  // of the line, when at_ is at its first character
};

}  // namespace windlass::manifest
