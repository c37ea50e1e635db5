// Reading registries.conf and its drop-in files.
//
// Bad entries are told, each once with file and line, and leave the others as they are; one that
// decides about images (a [[registry]] whose keys make no sense) refuses those images rather than
// ask where it was not meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "windlass/registries_conf/registries.h"

namespace windlass::registries_conf {

struct Paths {
  std::string file;                  // "" for none
  std::vector<std::string> folders;  // of drop-ins: their *.conf by name, after the file
  bool file_must_exist = false;      // someone named it
};

// Where podman looks: the file that `override` names, else the user's (below `config_home`), else
// the system's; then the drop-ins of the system and of the user. Empty arguments are left out.
Paths usual_paths(const std::string& config_home, const std::string& override_file);

// One of `credential-helpers`.
struct CredentialHelper {
  std::string name;   // kFilesOfLogins, or NAME of the program docker-credential-NAME
  std::string place;  // "FILE:LINE:COLUMN"
};

inline constexpr std::string_view kFilesOfLogins = "containers-auth.json";

struct Loaded {
  Registries registries;
  std::vector<CredentialHelper> credential_helpers;  // in the order to ask; none: the files alone
  std::vector<Error> problems;                       // kInvalid, "FILE:LINE:COLUMN: KEY: ..."
};

Loaded load(const Paths& paths);
void load(const Paths& paths, Loaded& into);  // what comes later wins

// Adds what one file says. `name` is for messages.
void read(std::string_view text, const std::string& name, Loaded& into);

}  // namespace windlass::registries_conf
