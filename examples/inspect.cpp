// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Prints a report of any model: inspect MODEL [--partitioner NAME] [--policy NAME] [--signature NAME] [--dimension NAME=SIZE]...
// [--etrecord FILE] [--etdump FILE] [--format text|json|dot|html] [-o FILE] [--html FILE]. Evaluates at run time the functions that the
// compiler evaluates for firmware.
// Tables are as wide as the terminal. Files with tensors of a model are read from its folder.
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/etdump.hpp>
#include <baton/import/etrecord.hpp>
#include <baton/import/onnx_external_files.hpp>

#include "absent_choice.hpp"
#include "all_kernels.hpp"
#include "choices.hpp"
#include "executorch_memory.hpp"
#include "executorch_times.hpp"
#include "explanation.hpp"
#include "python_lines.hpp"
#include "tools.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using baton::text_buffer;

/// Maps a file into memory, so that only the accessed pages are read. Sets `fault` if that fails.
auto map_file(const char* path, text_buffer& fault) -> baton::span<const char> {
  const int file = open(path, O_RDONLY | O_NONBLOCK);
  struct stat facts = {};
  if (file < 0 || fstat(file, &facts) != 0) {
    fault = baton::join(std::string_view{std::strerror(errno)});
  } else if (!S_ISREG(facts.st_mode)) {
    fault = baton::join("it is not a regular file");
  }
  const auto size = static_cast<std::size_t>(facts.st_size);
  void* bytes = fault.empty() && size != 0 ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
  if (bytes == MAP_FAILED) fault = baton::join(std::string_view{std::strerror(errno)});
  if (file >= 0) close(file);
  if (!fault.empty() || bytes == nullptr) return {};
  return {static_cast<const char*>(bytes), size};
}

/// The subject of a report: the model, the lowered program, and its memory plan.
struct subject {
  const baton::exported_program& model;
  const baton::exported_program& lowered;
  const baton::report::survey& facts;
  const baton::memory_plan* plan;        ///< null if there is no plan
  const baton::text_buffer& partitions;  ///< the table of delegates
  const baton::text_buffer& why_no_plan;
  baton::report::provenance from;     ///< the model's file, the policy and the target
  const baton::text_buffer& entries;  ///< the list of entry points; empty if there is only one
  const baton::text_buffer& planned;  ///< the memory plans of an ExecuTorch program and of this library; empty for other formats
  const baton::text_buffer& lines;    ///< the lines of Python of the nodes; empty if neither the file nor an ETRecord states them
  const baton::text_buffer& times;    ///< the times of an ETDump; empty if none is given
  std::size_t width;                  ///< the width of a line, in characters
};

/// Returns the operators of a quantized model of another file format that compute on integers, and the nodes that compute in float32, with
/// the reasons. Empty if the model is not quantized, or if its operators are those of the kernels.
auto quantized_nodes_text(const subject& of) -> text_buffer {
  const baton::program_view program(of.lowered);
  if (!choices::is_quantized(program) || !baton::legalize::is_needed(of.model)) return {};
  // The first value has at most 16 bits. Operators of a file for Cortex-M have multipliers, and their values no scales.
  const auto has_integers = [&](baton::span<const baton::value_id> values) {
    if (values.empty() || values[0] == baton::none<baton::value_id>) return false;
    const auto type = program[values[0]].type;
    return type == baton::dtype::int8 || type == baton::dtype::uint8 || type == baton::dtype::int16;
  };
  std::map<std::string_view, std::size_t> fused;
  std::size_t fused_count = 0, count = 0;
  text_buffer lines;
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    const auto& record = program.nodes[n];
    const auto& facts = of.facts.nodes[n];
    if (!facts.float_reason.empty()) {
      ++count;
      const auto name = baton::report::printable(program.text(record.name));
      const auto target = baton::report::printable(program.text(record.target));
      baton::append(lines, baton::view(baton::join("  ", baton::view(name), " (", baton::view(target),
                                                   "): ", baton::view(facts.float_reason), "\n")));
    } else if (facts.delegate == baton::npos && facts.within == baton::npos && has_integers(program.inputs(record)) &&
               has_integers(program.outputs_of(record))) {
      ++fused_count;
      ++fused[program.text(record.target)];
    }
  }
  auto text = baton::join("nodes that compute on integers: ", fused_count);
  for (const auto& [target, each] : fused)
    baton::append(text, baton::view(baton::join(&target == &fused.begin()->first ? " (" : ", ", each, " ",
                                                baton::view(baton::report::printable(target)))));
  baton::append(text, fused.empty() ? "\n" : ")\n");
  if (count == 0) return baton::append(text, "nodes that compute in float32: none\n");
  return baton::append(text, baton::view(baton::join("nodes that compute in float32: ", count, "\n", baton::view(lines))));
}

/// Returns the operators and the quantization of all graphs of a model.
auto graphs_text(const baton::exported_program& model, std::size_t width) -> text_buffer {
  text_buffer text;
  for (std::uint32_t g = 0; g < model.graphs.size(); ++g) {
    const auto id = static_cast<baton::graph_id>(g);
    baton::append(baton::append(text, "\n"), baton::view(baton::report::operator_table(model, id, width)));
    baton::append(baton::append(text, "\n"), baton::view(baton::report::quantization_table(model, id, width)));
  }
  return text;
}

auto as_text(const subject& of) -> text_buffer {
  auto text = of.entries;
  baton::append(text, baton::view(baton::report::summary(of.lowered, of.facts, of.width)));
  const auto add = [&text](const text_buffer& table) { baton::append(baton::append(text, "\n"), baton::view(table)); };
  add(baton::report::assignment_table(of.lowered, of.facts, of.width));
  if (const auto lines = quantized_nodes_text(of); !lines.empty()) add(lines);
  add(of.partitions);
  if (of.plan != nullptr) {
    add(baton::report::memory_table(of.lowered, *of.plan, of.width));
    add(baton::join("planned by the policy ", of.from.policy, of.from.target.empty() ? "" : ", for ", of.from.target, "\n"));
  } else {
    add(baton::join("memory plan: none; ", baton::view(of.why_no_plan), "\n"));
  }
  if (!of.planned.empty()) add(of.planned);
  if (!of.lines.empty()) add(of.lines);
  if (!of.times.empty()) add(of.times);
  baton::append(text, baton::view(graphs_text(of.model, of.width)));
  return text;
}

/// Returns the width of the terminal in characters, or the default width of reports if the output is a file.
auto width_of_output(const char* path) -> std::size_t {
  struct winsize window = {};
  if (path != nullptr || ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) return baton::report::line_width;
  return window.ws_col;
}

struct format {
  std::string_view name;
  auto (*print)(const subject&) -> text_buffer;
};
constexpr format formats[] = {
    {"text", as_text},
    {"json", [](const subject& of) { return baton::report::json(of.lowered, of.facts, of.plan, of.from); }},
    {"dot", [](const subject& of) { return baton::report::graphviz(of.lowered, of.facts); }},
    {"html", [](const subject& of) { return baton::report::html(of.lowered, of.facts, of.plan, of.from); }},
};

/// A model in memory, and the files that contain its tensors.
struct model_files {
  baton::span<const char> bytes;
  std::vector<std::string> locations;  ///< of the files, relative to the folder of the model
  baton::vector<baton::onnx::read_options::file> beside;
};

/// Returns the names of the files in the folder of a model that have the extension `ptd`, sorted.
auto data_files_beside(std::string_view path) -> std::vector<std::string> {
  std::vector<std::string> names;
  const std::string folder(path.substr(0, path.rfind('/') + 1));
  DIR* const opened = opendir(folder.empty() ? "." : folder.c_str());
  while (const auto* const entry = opened != nullptr ? readdir(opened) : nullptr) {
    if (std::string_view{entry->d_name}.ends_with(".ptd")) names.emplace_back(entry->d_name);
  }
  if (opened != nullptr) closedir(opened);
  std::sort(names.begin(), names.end());
  return names;
}

/// Returns the locations of the files that contain tensors of a model. An ONNX model states them. An ExecuTorch program does not, so all
/// data files beside it are used. Sets `fault` to a sentence if that fails.
auto locations_of(baton::span<const char> model, std::string_view path, text_buffer& fault) -> std::vector<std::string> {
  if (baton::pte::importer::recognizes(model)) return data_files_beside(path);
  if (baton::tflite::importer::recognizes(model) || !baton::onnx::importer::recognizes(model)) return {};
  const auto stated = baton::onnx::external_files_of(model);
  if (!stated) fault = baton::join(path, ": ", baton::view(message(stated.error)));
  return {stated.value.begin(), stated.value.end()};
}

/// Maps a model and the files that contain its tensors. Sets `fault` to a sentence if that fails.
auto map_model(std::string_view path, text_buffer& fault) -> model_files {
  model_files model;
  const auto map = [&fault](const text_buffer& name, std::string_view user) {
    text_buffer why;
    auto terminated = name;
    terminated.push_back('\0');
    const auto bytes = map_file(terminated.data(), why);
    if (!why.empty()) fault = baton::join("cannot read ", baton::view(name), user, ": ", baton::view(why));
    return bytes;
  };
  model.bytes = map(baton::join(path), "");
  if (!fault.empty()) return model;
  model.locations = locations_of(model.bytes, path, fault);
  for (const std::string_view location : model.locations) {
    const auto file = baton::join(path.substr(0, path.rfind('/') + 1), location);
    model.beside.push_back({location, map(file, ", which contains tensors of the model")});
    if (!fault.empty()) break;
  }
  return model;
}

/// Returns a line that lists the entry points of a model and marks the chosen one; empty if the model has only one.
auto entries_text(baton::span<const char> bytes, std::string_view chosen) -> text_buffer {
  const auto entries = baton::default_importers.entry_points(bytes);
  if (entries.size() < 2) return {};
  auto text = baton::join("entry points:");
  bool is_first = true;
  for (const auto& each : entries) {
    const bool is_shown = chosen.empty() ? each.is_default : each.name == chosen;
    const auto name = baton::report::printable(each.name);
    baton::append(baton::append(baton::append(text, is_first ? " " : ", "), baton::view(name)), is_shown ? " (shown)" : "");
    is_first = false;
  }
  return baton::append(text, "; select one with --signature NAME\n\n");
}

/// Returns the missing headers of the choice of this name, or an empty text if it is available.
template <class... Choices>
auto lack_of(choices::list<Choices...>, std::string_view name) -> std::string_view {
  std::string_view lack;
  const auto look_at = [&]<class Choice>(std::type_identity<Choice>) {
    if constexpr (choices::is_absent<Choice>) {
      if (Choice::name == name) lack = Choice::needs;
    }
  };
  (look_at(std::type_identity<Choices>{}), ...);
  return lack;
}

using policies = choices::list<baton::memory_policies::no_overlap, baton::memory_policies::no_reuse, baton::memory_policies::in_place,
                               baton::memory_policies::row_streaming>;

/// The memory plan of a program.
struct placed {
  baton::result<baton::memory_plan> plan;
  text_buffer target;  ///< the kernels and backends of the plan; empty if their requirements are not included
};

/// Returns `plan_by(baton::planned_by<Policy>{})` of the policy of this name.
template <class PlanBy>
auto plan_with(std::string_view policy, PlanBy plan_by) {
  decltype(plan_by(baton::planned_by<baton::memory_policies::in_place>{})) result;
  [&]<class... Policies>(choices::list<Policies...>) {
    static_cast<void>(((Policies::name == policy && (result = plan_by(baton::planned_by<Policies>{}), true)) || ...));
  }(policies{});
  return result;
}

/// Returns the plan of the values of a program.
template <class Policy>
auto plan_values(const baton::exported_program& program, baton::planned_by<Policy> by) -> baton::result<baton::memory_plan> {
  return baton::plan_memory(program, {}, baton::shared_storage(choices::kernels, program), by);
}

/// Returns the plan of the executor, with the requirements of kernels and, if the choice names them, of backends. If a node has no kernel,
/// returns a plan of the values only.
template <class Choice>
auto plan_for(const baton::exported_program& lowered, std::string_view policy) -> placed {
  return plan_with(policy, [&]<class Policy>(baton::planned_by<Policy> by) -> placed {
    const auto plan_execution = [&] {
      if constexpr (requires { Choice::target; }) {
        return baton::plan_execution(choices::kernels, Choice::target, lowered, {}, by);
      } else {
        return baton::plan_execution(choices::kernels, lowered, {}, by);
      }
    };
    auto planned = plan_execution();
    if (!planned) return {plan_values(lowered, by), {}};
    auto target = baton::join("portable kernels");
    if (!lowered.delegates.empty()) baton::append(baton::append(target, " and "), Choice::name);
    return {std::move(planned.value.memory), std::move(target)};
  });
}

/// Returns the memory of a method that is lowered with the choice. The values alone have the same policy.
template <class Choice>
auto memory_of_method(const baton::exported_program& imported, std::string_view policy) -> choices::method_memory {
  choices::method_memory result{.states = choices::bytes_of_states(imported)};
  const auto arena_of_values = [policy](const baton::exported_program& program) {
    return choices::arena_of(plan_with(policy, [&](auto by) { return plan_values(program, by); }));
  };
  result.imported = arena_of_values(imported);
  try {
    const auto lowered = Choice::lower(imported);
    result.lowered = arena_of_values(lowered);
    if (const auto [plan, target] = plan_for<Choice>(lowered, policy); !target.empty()) result.executed = choices::arena_of(plan);
  } catch (const baton::error&) {  // the method cannot be lowered; the report of this method states why
  }
  return result;
}

/// The facts about the nodes of a model that are in other files, or that only its importer skips.
struct node_facts {
  choices::python_lines lines;
  text_buffer times;  ///< of an ETDump, as a table; empty if none is given
};

template <class Choice>
auto report(const baton::exported_program& program, const model_files& model, const node_facts& known, const text_buffer& entries,
            const format& as, std::size_t width, baton::report::provenance from) -> text_buffer {
  const auto lowered = Choice::lower(program);
  const choices::explanation<Choice> explain(program);
  const auto facts = baton::report::survey_of(lowered, explain);
  const auto [plan, target] = plan_for<Choice>(lowered, from.policy);
  from.target = baton::view(target);
  text_buffer planned;
  if (as.print == as_text) {
    planned = choices::executorch_memory_text(model.bytes, model.beside,
                                              [&](const auto& imported) { return memory_of_method<Choice>(imported, from.policy); });
  }
  return as.print({program, lowered, facts, plan ? &plan.value : nullptr, baton::report::partition_table(lowered, explain, width),
                   message(plan.error), from, entries, planned,
                   choices::python_lines_text(known.lines, known.lines.follow_passes ? lowered : program), known.times, width});
}

/// Returns the report of the program lowered with the choice of this name.
template <class... Choices>
auto report_by(choices::list<Choices...>, std::string_view name, const baton::exported_program& program, const model_files& model,
               const node_facts& known, const text_buffer& entries, const format& as, std::size_t width,
               const baton::report::provenance& from) -> text_buffer {
  text_buffer result;
  const auto try_one = [&]<class Choice>(std::type_identity<Choice>) {
    if constexpr (!choices::is_absent<Choice>) {
      if (Choice::name == name) result = report<Choice>(program, model, known, entries, as, width, from);
    }
  };
  (try_one(std::type_identity<Choices>{}), ...);
  return result;
}

template <class... Choices>
auto has(choices::list<Choices...>, std::string_view name) -> bool {
  return ((Choices::name == name) || ...);
}

template <class... Choices>
auto names(choices::list<Choices...>) -> text_buffer {
  text_buffer text;
  (baton::append(baton::append(text, " "), Choices::name), ...);
  return text;
}

/// Prints `why` as one line to standard error, without control characters. Returns the exit status 1.
auto refuse(const text_buffer& why) -> int {
  auto line = baton::report::printable(baton::view(why), why.size());
  line.push_back('\n');
  std::fwrite(line.data(), 1, line.size(), stderr);
  return 1;
}

/// The arguments of the command line. The value of an option is the next word, or follows `=`.
struct request {
  const char* model = nullptr;
  std::string_view partitioner = "none";
  std::string_view policy = "no_overlap";
  std::string_view signature;  ///< default entry point if empty
  baton::vector<baton::onnx::read_options::bound_dimension> dimensions;
  const char* etrecord = nullptr;
  const char* etdump = nullptr;
  std::string_view format = "text";
  const char* output = nullptr;
  bool wants_help = false;
  text_buffer fault;  ///< empty if the arguments are valid

  request(int count, char** words) {
    for (int i = 1; i < count && fault.empty(); ++i) {
      const std::string_view word = words[i];
      const auto has = [&](std::string_view option) {
        return word.starts_with(option) && (word.size() == option.size() || word[option.size()] == '=');
      };
      const auto take = [&](std::string_view option, auto& value) {
        if (word.size() > option.size()) {
          value = words[i] + option.size() + 1;
        } else if (i + 1 < count) {
          value = words[++i];
        } else {
          fault = baton::join("no value is given for ", option);
        }
      };
      if (has("--partitioner")) {
        take("--partitioner", partitioner);
      } else if (has("--policy")) {
        take("--policy", policy);
      } else if (has("--signature")) {
        take("--signature", signature);
      } else if (has("--dimension")) {
        std::string_view text;
        take("--dimension", text);
        if (fault.empty()) add_dimension(text);
      } else if (has("--etrecord")) {
        take("--etrecord", etrecord);
      } else if (has("--etdump")) {
        take("--etdump", etdump);
      } else if (has("--format")) {
        take("--format", format);
      } else if (has("--html")) {
        format = "html";
        take("--html", output);
      } else if (has("-o")) {
        take("-o", output);
      } else if (word == "--help" || word == "-h") {
        wants_help = true;
      } else if (word.size() > 1 && word.starts_with('-')) {
        fault = baton::join("there is no option ", word);
      } else if (model != nullptr) {
        fault = baton::join("two models are given, but only one is supported: ", std::string_view{model}, " and ", word);
      } else {
        model = words[i];
      }
    }
    if (fault.empty() && model == nullptr && !wants_help) fault = baton::join("no model is given");
  }

 private:
  /// Adds the size of a symbolic dimension: NAME=SIZE.
  void add_dimension(std::string_view text) {
    const auto name = text.substr(0, text.rfind('='));
    const auto digits = text.substr(std::min(text.size(), name.size() + 1));
    std::int64_t size = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (read.ec != std::errc{} || read.ptr != digits.data() + digits.size() || size < 0 || name.empty()) {
      fault = baton::join("write a dimension as NAME=SIZE, not ", text);
    } else {
      dimensions.push_back({name, size});
    }
  }
};

/// Reads a file that ExecuTorch wrote for a program: `read(bytes)` returns a result. Sets `fault` to a sentence if that fails, or if the
/// model or the format does not allow the option.
template <class Read>
auto read_beside(const request& options, std::string_view option, const char* file, baton::span<const char> model, text_buffer& fault,
                 Read read) -> decltype(read(model)) {
  decltype(read(model)) result{};
  if (!baton::pte::importer::recognizes(model)) fault = baton::join(option, " needs a program of ExecuTorch (.pte)");
  if (options.format != "text") fault = baton::join(option, " needs --format text");
  if (!fault.empty()) return result;
  const std::string_view path = file;
  const auto bytes = map_file(file, fault);
  if (!fault.empty()) {
    fault = baton::join("cannot read ", path, ": ", baton::view(text_buffer(fault)));
    return result;
  }
  result = read(bytes);
  if (!result) fault = baton::join(path, ": ", baton::view(message(result.error)));
  return result;
}

/// Returns the lines of Python of the nodes: those of the ETRecord, if one is given, else those of the model. Sets `fault` to a sentence if
/// the record cannot be read.
auto lines_for(const request& options, baton::span<const char> model, text_buffer& fault) -> choices::python_lines {
  if (options.etrecord == nullptr) return choices::lines_of_archive(model, options.signature);
  auto lines = read_beside(options, "--etrecord", options.etrecord, model, fault, [&](baton::span<const char> bytes) {
    auto method = options.signature;
    for (const auto& entry : baton::pte::importer::entry_points(model)) method = method.empty() && entry.is_default ? entry.name : method;
    return baton::pte::source_lines::read(bytes, method);
  });
  return fault.empty() ? choices::lines_of_etrecord(std::move(lines.value)) : choices::python_lines{};
}
/// Returns the table of measured times, if an ETDump is given. Sets `fault` to a sentence if it cannot be read.
auto times_for(const request& options, baton::span<const char> model, const baton::exported_program& program,
               const choices::python_lines& lines, text_buffer& fault) -> text_buffer {
  if (options.etdump == nullptr) return {};
  const auto times = read_beside(options, "--etdump", options.etdump, model, fault, baton::pte::instruction_times::read);
  return fault.empty() ? choices::executorch_times_text(times.value, lines, program) : text_buffer{};
}

auto run(const request& options) -> int {
  if (!has(choices::all{}, options.partitioner)) {
    return refuse(baton::join("there is no partitioner ", options.partitioner, "; there are:", baton::view(names(choices::all{}))));
  }
  if (const auto lack = lack_of(choices::all{}, options.partitioner); !lack.empty()) {
    return refuse(baton::join("the partitioner ", options.partitioner, " is not available; install ", lack));
  }
  if (!has(policies{}, options.policy)) {
    return refuse(baton::join("there is no policy ", options.policy, "; there are:", baton::view(names(policies{}))));
  }
  const format* as = nullptr;
  for (const auto& known : formats) as = known.name == options.format ? &known : as;
  if (as == nullptr) return refuse(baton::join("there is no format ", options.format, "; there are: text json dot html"));
  text_buffer fault;
  const std::string_view path = options.model;
  const auto model = map_model(path, fault);
  if (!fault.empty()) return refuse(fault);
  if (!options.dimensions.empty() && (baton::tflite::importer::recognizes(model.bytes) || baton::pte::importer::recognizes(model.bytes)))
    return refuse(baton::join("a model of TensorFlow Lite or ExecuTorch has no symbolic dimensions: ", options.dimensions[0].symbol));
  const bool has_options = !model.beside.empty() || !options.dimensions.empty();
  const auto read = [&] {
    if (!model.beside.empty() && baton::pte::importer::recognizes(model.bytes))
      return baton::pte::importer::read(model.bytes, {.entry = options.signature, .files = model.beside});
    if (baton::pt2::importer::recognizes(model.bytes))
      return baton::pt2::importer::read(model.bytes, {.entry = options.signature, .dimensions = options.dimensions});
    if (has_options && options.signature.empty())
      return baton::onnx::importer::read(model.bytes, {.files = model.beside, .dimensions = options.dimensions});
    return baton::default_importers.read(model.bytes, options.signature);
  };
  const auto program = read();
  if (!program) return refuse(baton::join(path, ": ", baton::view(message(program.error))));
  node_facts known{.lines = lines_for(options, model.bytes, fault), .times = {}};
  if (fault.empty()) known.times = times_for(options, model.bytes, program.value, known.lines, fault);
  if (!fault.empty()) return refuse(fault);
  const auto width = width_of_output(options.output);
  text_buffer text;
  try {
    text = report_by(choices::all{}, options.partitioner, program.value, model, known, entries_text(model.bytes, options.signature), *as,
                     width, {path.substr(path.rfind('/') + 1), options.policy, {}});
  } catch (const baton::error& why) {
    // The model cannot be lowered, for example because no pass knows an operator. Its operators are printed nevertheless.
    fault =
        baton::join(path, ": ", std::string_view{why.what()}, baton::view(choices::line_of_error(known.lines, program.value, why.why())));
    text = graphs_text(program.value, width);
  }
  if (options.output != nullptr) {
    if (!write_file(options.output, text)) return 1;
  } else {
    show(text);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      return refuse(baton::join("cannot write the report: ", std::string_view{std::strerror(errno)}));
    }
  }
  return fault.empty() ? 0 : refuse(fault);
}

}  // namespace

auto main(int count, char** words) -> int {
  const request options(count, words);
  const auto usage = baton::join(
      "usage: baton inspect MODEL [--partitioner NAME] [--policy NAME] [--signature NAME] [--dimension NAME=SIZE]... "
      "[--etrecord FILE] [--etdump FILE] [--format text|json|dot|html] [-o FILE] [--html FILE]; the partitioners are:",
      baton::view(names(choices::all{})), "; the policies are:", baton::view(names(policies{})));
  if (!options.fault.empty()) {
    refuse(baton::join(baton::view(options.fault), "; ", baton::view(usage)));
    return 2;
  }
  if (options.wants_help) {
    show(baton::join(baton::view(usage), "\n"));
    return 0;
  }
  try {
    return run(options);
  } catch (const std::exception& error) {
    return refuse(baton::join(std::string_view{options.model}, ": ", std::string_view{error.what()}));
  }
}
