// Interruption: what has to be known to end the process at any moment without leaving traces: which
// temporary files there are, and whether files are being put in place right now.
//
// Thread safety: all members may be called from any thread. Its lock is a leaf, but that
// end_quietly() removes files while it is held: nobody may make or rename one meanwhile.
#pragma once

#include <set>
#include <string>

#include "windlass/base/mutex.h"

namespace windlass::app {

class Interruption {
 public:
  void add_temporary(const std::string& path) EXCLUDES(mutex_);
  void forget_temporary(const std::string& path) EXCLUDES(mutex_);

  // Between these two, files are put in place: the process is not to end. False when it is ending.
  bool begin_commit() EXCLUDES(mutex_);
  void end_commit(bool done) EXCLUDES(mutex_);

  // True for the first caller: whoever tells of the interrupt does so alone.
  bool may_tell() EXCLUDES(mutex_);
  bool has_committed() const EXCLUDES(mutex_);

  // Removes the temporary files, and lets nobody begin to commit any more. False while files are
  // being put in place: then nothing is done.
  bool end_quietly() EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::set<std::string> temporaries_ GUARDED_BY(mutex_);
  bool committing_ GUARDED_BY(mutex_) = false;
  bool committed_ GUARDED_BY(mutex_) = false;
  bool told_ GUARDED_BY(mutex_) = false;
  bool ended_ GUARDED_BY(mutex_) = false;
};

}  // namespace windlass::app
