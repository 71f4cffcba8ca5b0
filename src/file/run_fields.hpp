// What a table of a file says of a run, by the keys of [run] (run/keys.hpp).
#pragma once

#include <optional>
#include <string>

#include "file/fields.hpp"
#include "run/keys.hpp"

namespace extremal {

// As RunKey::take takes it; nothing if the table does not have the key. A file of a sweep has numbers only where a word
// would be possible in a single run.
std::optional<std::string> said_in(Fields& fields, const RunKey& key, bool sweep);
// What RunKey::text tells, as TOML.
std::string said_as(const RunKey& key, const std::string& text);

}  // namespace extremal
