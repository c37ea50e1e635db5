#include "line_index.h"

#include <algorithm>
#include <cstdint>

#include "byte_words.h"

namespace windlass::manifest {
namespace {

constexpr std::size_t kBlock = 512;

bool has_lone_return(std::string_view text) {
  for (std::size_t at = text.find('\r'); at != std::string_view::npos;
       at = text.find('\r', at + 1)) {
    if (!text.substr(at + 1).starts_with('\n')) return true;
  }
  return false;
}

std::size_t count_feeds(std::string_view text) {
  std::size_t feeds = 0;
  for_each_word(text, [&](std::uint64_t word) { feeds += count_bytes(equal_bytes(word, '\n')); });
  return feeds;
}

}  // namespace

LineIndex::LineIndex(std::string_view bytes, std::size_t begin)
    : bytes_(bytes), begin_(begin), has_lone_returns_(has_lone_return(bytes)) {
  blocks_.reserve((bytes.size() - begin) / kBlock + 1);
  Block block{.line = 0, .line_begin = begin};
  for (std::size_t at = begin;; at += kBlock) {
    blocks_.push_back(block);
    if (bytes.size() - at <= kBlock) break;
    const std::size_t lines = count_lines(at, at + kBlock);
    if (lines == 0) continue;
    std::size_t last = at + kBlock;
    while (!ends_line(last - 1)) --last;
    block = {.line = block.line + lines, .line_begin = last};
  }
}

std::size_t LineIndex::count_lines(std::size_t begin, std::size_t end) const {
  if (!has_lone_returns_) return count_feeds(bytes_.substr(begin, end - begin));
  std::size_t lines = 0;
  for (std::size_t i = begin; i < end; ++i) lines += ends_line(i) ? 1 : 0;
  return lines;
}

const LineIndex::Block& LineIndex::block_of(std::size_t byte) const {
  return blocks_[std::min((std::max(byte, begin_) - begin_) / kBlock, blocks_.size() - 1)];
}

std::size_t LineIndex::line_number(std::size_t byte) const {
  if (byte <= begin_) return 0;
  const Block& block = block_of(byte);
  const std::size_t block_begin = begin_ + static_cast<std::size_t>(&block - &blocks_[0]) * kBlock;
  return block.line + count_lines(block_begin, byte);
}

std::size_t LineIndex::line_begin(std::size_t byte) const {
  if (byte <= begin_) return begin_;
  const Block& block = block_of(byte);
  const std::size_t block_begin = begin_ + static_cast<std::size_t>(&block - &blocks_[0]) * kBlock;
  while (byte > block_begin && !ends_line(byte - 1)) --byte;
  return byte > block_begin ? byte : block.line_begin;
}

std::size_t LineIndex::line_end(std::size_t byte) const {
  const std::size_t line = line_number(byte);
  const Block& block = block_of(byte);
  // The first block that begins on another line; the end is in the one before.
  const auto other = std::upper_bound(
      blocks_.begin() + (&block - &blocks_[0]), blocks_.end(), line,
      [](std::size_t number, const Block& candidate) { return number < candidate.line; });
  const auto blocks = static_cast<std::size_t>(other - blocks_.begin());
  const std::size_t from = begin_ + (blocks - 1) * kBlock;
  std::size_t end = std::max(byte, from);
  while (end < bytes_.size() && !ends_line(end)) ++end;
  return end;
}

Span LineIndex::line_at(std::size_t byte) const {
  return {.begin = line_begin(byte), .end = line_end(byte)};
}

}  // namespace windlass::manifest
