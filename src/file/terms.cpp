#include "file/terms.hpp"

#include <algorithm>
#include <unordered_set>

#include "file/parts.hpp"
#include "formula/definitions.hpp"
#include "system/grammar.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

using Value = Document::Value;
using Kind = Value::Kind;

// A word of a repeated formula: letters, digits, _ . and braces, from begin to end.
struct Word {
  std::size_t begin, end;
  bool braces;
};

std::vector<Word> words(const std::string& text) {
  std::vector<Word> all;
  for (std::size_t k = 0; k < text.size();) {
    if (!lexical::is_word(text[k]) && text[k] != '{') {
      ++k;
      continue;
    }
    Word word{k, k, false};
    while (k < text.size() && (lexical::is_word(text[k]) || text[k] == '{')) {
      if (text[k] == '{') {
        word.braces = true;
        k = std::min(text.find('}', k), text.size() - 1);
      }
      ++k;
    }
    word.end = k;
    all.push_back(word);
  }
  return all;
}

// A name for a word of braces, as long as itself, so that columns stay as they are.
std::string local_name(std::string word) {
  for (char& c : word) {
    if (lexical::is_word(c)) continue;
    c = c == '+' ? 'p' : c == '-' ? 'm' : c == '*' ? 't' : c == '/' ? 'd' : '_';
  }
  return word;
}

// A term at places that are listed: its own names for coordinates, what they are at each site, and names of these.
struct TermPlaces {
  const Value *names = nullptr, *sites = nullptr, *labels = nullptr;
  static TermPlaces of(Fields& fields) { return {fields.find("names"), fields.find("sites"), fields.find("labels")}; }
};

class TermReader {
 public:
  TermReader(Scope& scope, const System& system, Formulas& formulas)
      : scope_(scope), system_(system), formulas_(formulas) {}

  struct Row {
    const Value* formula;
    const std::string* along = nullptr;  // force, symmetry: of which coordinate
    Place place = {};                    // and where it is named
  };

  void add(Role role, const Value& at, const Value* name, const std::string& usual, const std::vector<Row>& rows,
           const Repetition& repeat, const TermPlaces& places = {}, bool slow = false) {
    // Not before there is a formula: bodies have many coordinates.
    if (known_.empty()) known_.insert(system_.coordinate_names().begin(), system_.coordinate_names().end());
    const auto most = static_cast<std::size_t>(scope_.limits().formulas.rows);
    if (rows.size() > most)
      scope_.refuse(at, "found " + std::to_string(rows.size()) + " formulas; expected at most " + std::to_string(most));
    for (const Value* one : {places.names, places.sites, places.labels})
      if (one != nullptr && (places.names == nullptr || places.sites == nullptr || repeat.given))
        scope_.refuse(*one, "expected names and sites together, and no repeat");
    formulas_.slow(slow);
    Fields::placed_at(scope_, at, [&] {
      if (places.sites != nullptr)
        listed(role, name == nullptr ? usual : scope_.text(*name), rows, places);
      else if (!repeat.given)
        once(role, name == nullptr ? usual : scope_.text(*name), rows);
      // Momenta have names of their own, which sites do not know.
      else if (repeat.first <= repeat.last && (role == Role::hamiltonian || !at_sites(role, name, usual, rows, repeat)))
        one_by_one(role, name, usual, rows, repeat);
    });
  }

 private:
  Value plain(const std::string& text, Place place) const { return {.kind = Kind::text, .place = place, .text = text}; }

  template <class Add>
  void guarded(const std::vector<Row>& rows, const std::vector<Expanded>& texts, Add add) {
    try {
      add();
    } catch (const FormulaError& error) {
      for (std::size_t k = 0; k < rows.size(); ++k)
        if (error.text == texts[k].text)
          scope_.located(*rows[k].formula, texts[k].origin, [&]() -> void { throw error; });
      throw;
    }
  }

  void once(Role role, const std::string& name, const std::vector<Row>& rows) {
    std::vector<Expanded> texts;
    for (const Row& row : rows) texts.push_back(scope_.expanded(*row.formula, true));
    guarded(rows, texts, [&] {
      if (rows.front().along == nullptr) {
        std::vector<std::string> list;
        for (const Expanded& text : texts) list.push_back(text.text);
        formulas_.add(role, name, list);
        return;
      }
      std::vector<Formulas::Definition> entries;
      for (std::size_t k = 0; k < rows.size(); ++k) entries.emplace_back(coordinate(rows[k]), texts[k].text);
      formulas_.along(role, name, entries);
    });
  }

  std::string coordinate(const Row& row) {
    std::string name = scope_.text(plain(*row.along, row.place));
    if (!known_.contains(name)) {
      std::vector<std::string> known(known_.begin(), known_.end());
      std::sort(known.begin(), known.end());
      scope_.document().refuse(row.place, unknown("coordinate", name, known));
    }
    return name;
  }

  void one_by_one(Role role, const Value* name, const std::string& usual, const std::vector<Row>& rows,
                  const Repetition& repeat) {
    for (int i = repeat.first; i <= repeat.last; ++i) {
      scope_.index(i);
      std::string label = name == nullptr ? usual : scope_.text(*name);
      if (role == Role::constraint && (name == nullptr || name->text.find('{') == std::string::npos))
        label += "[" + std::to_string(i - repeat.first) + "]";
      once(role, label, rows);
    }
  }

  std::vector<std::string> texts(const Value& list) {
    if (list.kind != Kind::list) scope_.refuse(list, "found " + list.words() + "; expected a list of names");
    std::vector<std::string> out;
    for (const Value& item : list.items) out.push_back(scope_.text(item));
    return out;
  }

  void listed(Role role, const std::string& name, const std::vector<Row>& rows, const TermPlaces& places) {
    Formulas::Sites sites{texts(*places.names), {}, {}};
    if (places.sites->kind != Kind::list || places.sites->items.empty())
      scope_.refuse(*places.sites, "found " + places.sites->words() + "; expected a list of lists of coordinates");
    for (const Value& site : places.sites->items) sites.coordinates.push_back(texts(site));
    if (places.labels != nullptr) sites.labels = texts(*places.labels);
    if (places.labels != nullptr && sites.labels.size() != sites.coordinates.size())
      scope_.refuse(*places.labels, "found " + std::to_string(sites.labels.size()) +
                                        " labels; expected one per site, " + std::to_string(sites.coordinates.size()));
    std::vector<Expanded> expanded;
    for (const Row& row : rows) expanded.push_back(scope_.expanded(*row.formula));
    std::vector<std::string> formulas;
    if (rows.front().along != nullptr) formulas.assign(sites.names.size(), "0");
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (rows[k].along == nullptr) {
        formulas.push_back(expanded[k].text);
        continue;
      }
      const auto found = std::find(sites.names.begin(), sites.names.end(), *rows[k].along);
      if (found == sites.names.end())
        scope_.document().refuse(rows[k].place, unknown("name", *rows[k].along, sites.names));
      formulas[static_cast<std::size_t>(found - sites.names.begin())] = expanded[k].text;
    }
    guarded(rows, expanded, [&] { formulas_.add(role, name, formulas, sites); });
  }

  // One term for all i, if only coordinates depend on it; false otherwise.
  bool at_sites(Role role, const Value* name, const std::string& usual, const std::vector<Row>& rows,
                const Repetition& repeat) {
    Formulas::Sites sites;
    std::vector<Value> patterns;  // of the names
    const auto local = [&](const std::string& word, Place place) {
      const std::string short_name = local_name(word);
      const auto known = std::find(sites.names.begin(), sites.names.end(), short_name);
      if (known != sites.names.end())
        return patterns[static_cast<std::size_t>(known - sites.names.begin())].text == word;
      if (static_cast<int>(sites.names.size()) >= scope_.limits().formulas.coordinates) return false;
      sites.names.push_back(short_name);
      patterns.push_back(plain(word, place));
      return is_formula_name(short_name);
    };
    scope_.index(repeat.first);
    for (const Row& row : rows)
      if (row.along != nullptr) {
        coordinate(row);
        if (!local(*row.along, row.place)) return false;
      }
    std::vector<std::string> texts;
    for (const Row& row : rows) {
      scope_.expanded(*row.formula);  // refuses braces that are none
      std::string text = row.formula->text;
      for (const Word& word : words(row.formula->text)) {
        const std::string pattern = text.substr(word.begin, word.end - word.begin);
        if (pattern == "i" || pattern[0] == '{') return false;
        if (!lexical::is_letter(pattern[0])) continue;
        const Place place = scope_.document().within(*row.formula, word.begin);
        const bool is_coordinate = known_.contains(scope_.text(plain(pattern, place)));
        if (!is_coordinate && word.braces) return false;
        if (!is_coordinate) continue;
        if (!local(pattern, place)) return false;
        text.replace(word.begin, pattern.size(), local_name(pattern));
      }
      texts.push_back(text);
    }
    const bool names_each = name != nullptr && name->text.find('{') != std::string::npos;
    for (int i = repeat.first; i <= repeat.last; ++i) {
      scope_.index(i);
      std::vector<std::string> site;
      for (const Value& pattern : patterns) {
        site.push_back(scope_.text(pattern));
        if (known_.contains(site.back())) continue;
        std::vector<std::string> known(known_.begin(), known_.end());
        std::sort(known.begin(), known.end());
        scope_.refuse(pattern, unknown("coordinate", site.back(), known) + " (" + pattern.text +
                                   " at i = " + std::to_string(i) + ")");
      }
      sites.coordinates.push_back(std::move(site));
      if (names_each && role == Role::constraint) sites.labels.push_back(scope_.text(*name));
    }
    if (rows.front().along != nullptr) texts.resize(sites.names.size(), "0");
    const std::string label = name == nullptr ? usual : names_each ? name->text : scope_.text(*name);
    try {
      formulas_.add(role, label, texts, sites);
    } catch (const FormulaError&) {
      // Once more for the first i, so that the message speaks of the names that the user knows.
      scope_.index(repeat.first);
      once(role, label, rows);
      throw;
    }
    return true;
  }

  Scope& scope_;
  const System& system_;
  Formulas& formulas_;
  std::unordered_set<std::string> known_;  // coordinates
};

// "formula", a list of them, or tables with a formula and a repetition.
void read_energy(Fields& top, TermReader& reader, const char* key, Role role) {
  const Value* value = top.find(key);
  if (value == nullptr) return;
  Scope& scope = top.scope();
  const auto one = [&](const Value& item) {
    if (item.kind == Kind::table) {
      Fields fields(scope, item, std::string("[[") + key + "]]");
      const Repetition repeat = scope.repeat(fields.find("repeat"));
      const TermPlaces places = TermPlaces::of(fields);
      const Value& formula = fields.need("formula");
      const bool slow = role == Role::potential && fields.flag("slow");
      fields.finish();
      reader.add(role, item, nullptr, key, {{&formula}}, repeat, places, slow);
    } else {
      reader.add(role, item, nullptr, key, {{&item}}, {});
    }
  };
  if (value->kind == Kind::list)
    for (const Value& item : value->items) one(item);
  else
    one(*value);
}

void read_constraints(Fields& top, TermReader& reader) {
  const Value* list = top.find("constraint");
  if (list == nullptr) return;
  Scope& scope = top.scope();
  if (list->kind != Kind::list) scope.refuse(*list, "found " + list->words() + "; expected tables [[constraint]]");
  for (const Value& table : list->items) {
    Fields fields(scope, table, "[[constraint]]");
    const Repetition repeat = scope.repeat(fields.find("repeat"));
    const TermPlaces places = TermPlaces::of(fields);
    const Value& name = fields.need("name");
    const Value& formula = fields.need("formula");
    fields.finish();
    std::vector<TermReader::Row> rows;
    if (formula.kind == Kind::list)
      for (const Value& row : formula.items) rows.push_back({&row});
    else
      rows.push_back({&formula});
    if (rows.empty()) scope.refuse(formula, "found an empty list; expected at least one formula");
    reader.add(Role::constraint, table, &name, "", rows, repeat, places);
  }
}

void read_fields_along(Fields& top, TermReader& reader, const char* key, Role role) {
  const Value* list = top.find(key);
  if (list == nullptr) return;
  Scope& scope = top.scope();
  if (list->kind != Kind::list)
    scope.refuse(*list, "found " + list->words() + "; expected tables [[" + std::string(key) + "]]");
  for (const Value& table : list->items) {
    if (role == Role::force && !is_formula_force(table)) continue;
    Fields fields(scope, table, std::string("[[") + key + "]]");
    const Repetition repeat = scope.repeat(fields.find("repeat"));
    const TermPlaces places = TermPlaces::of(fields);
    const Value& name = fields.need("name");
    const Value& along = fields.need("along");
    fields.finish();
    if (along.kind != Kind::table || along.entries.empty())
      scope.refuse(along, "found " + along.words() + "; expected formulas along coordinates; e.g. { x = \"-c*x'\" }");
    std::vector<TermReader::Row> rows;
    for (const Document::Entry& entry : along.entries) {
      if (entry.value.kind == Kind::table)
        scope.document().refuse(entry.place, "found a table; expected a formula; a name with a dot needs quotes: \"" +
                                                 one_line(entry.key, 40) + ".x\"");
      rows.push_back({&entry.value, &entry.key, entry.place});
    }
    reader.add(role, table, &name, "", rows, repeat, places);
  }
}

}  // namespace

void read_coordinates(Fields& top, System& system, StartValues& start) {
  const Value* value = top.find("coordinates");
  if (value == nullptr) return;
  Scope& scope = top.scope();
  if (value->kind != Kind::list)
    scope.refuse(*value, "found " + value->words() + "; expected a list of names; e.g. [\"x\", \"y\"]");
  const auto name = [&](const Value& item) {
    std::string text = scope.text(item);
    if (!is_formula_name(text))
      scope.refuse(item, "found a coordinate " + extremal::quoted(text) +
                             "; expected letters, digits, _ and ., and neither t, pi nor the name of a function");
    return text;
  };
  const auto group = [&](const Value& items, const Value& at) {
    std::vector<std::string> names;
    for (const Value& item : items.items) {
      names.push_back(name(item));
      if (!start.q.emplace(names.back(), Number(0)).second)
        scope.refuse(item, "found a second coordinate " + extremal::quoted(names.back()) + "; expected distinct names");
    }
    Fields::placed_at(scope, at, [&] { system.coordinates(names); });
    return names;
  };
  const bool flat = std::all_of(value->items.begin(), value->items.end(),
                                [](const Value& item) { return item.kind != Kind::list && item.kind != Kind::table; });
  if (flat) {
    group(*value, *value);
    return;
  }
  for (const Value& item : value->items) {
    if (item.kind == Kind::list) {
      group(item, item);
      continue;
    }
    each_of(scope, item, "coordinates", [&](Fields& fields) {
      const Value& list = fields.need("names");
      if (list.kind != Kind::list) scope.refuse(list, "found " + list.words() + "; expected a list of names");
      const std::vector<std::string> names = group(list, item);
      const auto values = [&](const char* key, std::unordered_map<std::string, Number>& into) {
        const Value* given = fields.find(key);
        if (given == nullptr) return;
        const std::vector<Number> numbers = scope.numbers(*given);
        if (numbers.size() != names.size())
          scope.refuse(*given, "found " + std::to_string(numbers.size()) + " numbers; expected one per name, " +
                                   std::to_string(names.size()));
        for (std::size_t k = 0; k < names.size(); ++k) into[names[k]] = numbers[k];
      };
      values("start", start.q);
      values("velocity", start.v);
      values("momentum", start.p);
    });
  }
}

void read_definitions(Fields& top, Formulas& formulas) {
  const Value* table = top.find("definitions");
  if (table == nullptr) return;
  Scope& scope = top.scope();
  if (table->kind != Kind::table)
    scope.refuse(*table, "found " + table->words() + "; expected a table [definitions] of names and formulas");
  std::vector<Formulas::Definition> list;
  for (const Document::Entry& entry : table->entries) {
    if (entry.value.kind != Kind::text && entry.value.kind != Kind::number)
      scope.refuse(entry.value, "found " + entry.value.words() + "; expected a formula in quotes");
    scope.located(entry.value, {}, [&] { return names_in(entry.value.text); });  // what is no formula
    list.emplace_back(entry.key, entry.value.text);
  }
  Fields::placed_at(scope, *table, [&] { formulas.definitions(list); });
  scope.named_formulas(std::move(list));
}

void read_terms(Fields& top, const System& system, Formulas& formulas) {
  TermReader reader(top.scope(), system, formulas);
  if (top.has("hamiltonian"))
    for (const char* key : {"kinetic", "potential", "lagrangian"})
      if (const Value* other = top.find(key))
        top.scope().refuse(*other, std::string("found ") + key +
                                       " besides a hamiltonian; expected all of the energy in the hamiltonian");
  read_energy(top, reader, "hamiltonian", Role::hamiltonian);
  read_energy(top, reader, "kinetic", Role::kinetic);
  read_energy(top, reader, "potential", Role::potential);
  read_energy(top, reader, "lagrangian", Role::lagrangian);
  read_constraints(top, reader);
  read_fields_along(top, reader, "force", Role::force);
  read_fields_along(top, reader, "symmetry", Role::symmetry);
}

}  // namespace extremal
