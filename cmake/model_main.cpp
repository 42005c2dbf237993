// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes the header and the source of a model that one translation unit owns. The CMake function baton_model() builds and runs this
// program:
//   model_files MODEL NAME HEADER SOURCE BYTES [--include FILE]... [--file FILE]... [--backend TYPE]...
//     [--partitioner EXPRESSION] [--kernels LIST] [--importers LIST] [--entry NAME] [--passes LIST | --late-passes LIST]
//     [--policy TYPE] [--arena SECTION] [--language C|CXX] [--weights run_time] [--slices yes|OPERATIONS] [--sizes FILE --probe FILE]
// HEADER contains the interface: in namespace NAME, or for C with names that begin with NAME. SOURCE contains the definitions; it includes
// the header BYTES, which defines the array NAME_bytes. HEADER is not rewritten if its text is unchanged, so that new weights recompile one
// file. If a file cannot be read or written, prints one line and returns 1. Compiled with IMPORTERS_HEADER, a header that defines
// `importers_of_model`, the program reads the model with that list of importers.
// --file is a file that contains tensors of an ONNX model or of an ExecuTorch program. File i is embedded as the array NAME_file_i, in the
// header NAME_file_i.hpp beside BYTES.
// --importers is the same list as an expression. With --sizes and --probe, the program also writes the source PROBE. The object file of
// PROBE contains the size of the arena as text. model_sizes.cmake copies it into the header SIZES, which HEADER includes.
#include "model_c_interface.hpp"
#include "model_facts.hpp"
#include "model_file_io.hpp"

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/default_importers.hpp>
#include <baton/import/importers.hpp>
#include <baton/import/onnx.hpp>
#include <baton/import/onnx_external_files.hpp>
#include <baton/import/onnx_read_options.hpp>
#include <baton/import/pte.hpp>
#include <baton/import/pte_read_options.hpp>
#include <baton/import/tflite.hpp>

#if defined(IMPORTERS_HEADER)
#include IMPORTERS_HEADER
#else
constexpr auto importers_of_model = baton::default_importers;
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <span>
#include <string_view>

namespace {

using namespace model_files;

constexpr auto program_name = "baton_model";  // in messages

/// The options that may occur once.
struct option_of_request {
  std::string_view word;
  std::string_view request::* text;
};
constexpr option_of_request options[] = {{"--partitioner", &request::partitioner},
                                         {"--kernels", &request::kernels},
                                         {"--importers", &request::importers},
                                         {"--entry", &request::entry},
                                         {"--passes", &request::passes},
                                         {"--late-passes", &request::late_passes},
                                         {"--policy", &request::policy},
                                         {"--arena", &request::arena},
                                         {"--language", &request::language},
                                         {"--weights", &request::weights},
                                         {"--slices", &request::slices},
                                         {"--sizes", &request::sizes},
                                         {"--probe", &request::probe}};

auto read_request(int count, char** words, request& to) -> bool {
  if (count < 6 || count % 2 != 0) return false;
  to.model = words[1];
  to.name = words[2];
  to.header = words[3];
  to.source = words[4];
  to.bytes = words[5];
  for (int i = 6; i + 1 < count; i += 2) {
    const std::string_view word = words[i];
    const auto* const option = std::find_if(std::begin(options), std::end(options), [&](const auto& each) { return each.word == word; });
    if (word == "--include") {
      to.includes.push_back(words[i + 1]);
    } else if (word == "--file") {
      to.files.push_back(words[i + 1]);
    } else if (word == "--backend") {
      to.backends.push_back(words[i + 1]);
    } else if (option != std::end(options)) {
      to.*(option->text) = words[i + 1];
    } else {
      return false;
    }
  }
  return to.sizes.empty() == to.probe.empty() && (to.language.empty() || to.language == "C" || to.language == "CXX") &&
         (to.weights.empty() || to.weights == "run_time") &&
         (to.slices.empty() || to.slices == "yes" || to.slices.find_first_not_of("0123456789") == std::string_view::npos);
}

/// Returns the path with which the source includes a file. A file in the folder of the source has only its name, so that build trees in
/// different folders have equal sources.
auto included_path(const request& asked, std::string_view file) -> std::string_view {
  const auto folder = asked.source.substr(0, asked.source.rfind('/') + 1);
  return file.starts_with(folder) ? file.substr(folder.size()) : file;
}

/// Returns the path of an external file as the model states it: relative to the folder of the model, or the name of a file elsewhere.
auto location_of(std::string_view model, std::string_view file) -> std::string_view {
  const auto folder = model.substr(0, model.rfind('/') + 1);
  return file.substr(file.starts_with(folder) ? folder.size() : file.rfind('/') + 1);
}

void add_struct(text_buffer& to, const baton::program_view& program, const tensor& of) {
  const auto& record = program[of.id];
  const auto shape = program.shape(of.id);
  add(to, "struct ", view(of.name), " {\n");
  add(to, "  using type = ", element_of(record.type), ";  // ", baton::facts(record.type).name, "\n");
  add(to, "  static constexpr char name[] = \"", view(escaped(program.text(record.name))), "\";\n");
  add(to, "  static constexpr std::array<std::size_t, ", shape.size(), "> shape{");
  for (std::size_t i = 0; i < shape.size(); ++i) add(to, i == 0 ? "" : ", ", shape[i]);
  add(to, "};\n  static constexpr std::size_t size = ", size_of(program, of), ";\n");
  if (const auto scale = scale_of(program, of); !scale.empty()) {
    add(to, "  static constexpr float scale = ", view(scale), ";\n");
    add(to, "  static constexpr std::int32_t zero_point = ", program.zero_point(record.quant), ";\n");
  }
  add(to, "  static auto data() -> std::span<", of.is_input ? "" : "const ", "type, size>;\n};\n");
}

/// Returns the tensors as the parameters of `run`, or as its arguments if `with_types` is false.
auto parameters(const baton::vector<tensor>& tensors, bool with_types) -> text_buffer {
  text_buffer text;
  for (const auto& each : tensors) {
    if (!text.empty()) add(text, ", ");
    if (with_types) {
      add(text, "std::span<", each.is_input ? "const " : "", view(each.name), "::type, ", view(each.name), "::size> ");
    }
    add(text, each.is_input ? "in_" : "out_", each.number);
  }
  return text;
}

auto header_of(const request& asked, const baton::program_view& program, const baton::vector<tensor>& tensors) -> text_buffer {
  text_buffer text;
  const std::string_view returned = asked.can_fail() ? "baton::status" : "void";
  add(text, "// Generated by baton_model(): the interface of a model that one translation unit owns. Do not edit.\n#pragma once\n\n");
  if (asked.can_fail() || asked.has_slices()) add(text, "#include <baton/run/status.hpp>\n\n");
  add(text, "#include <array>\n#include <cstddef>\n#include <cstdint>\n#include <span>\n\n");
  if (!asked.sizes.empty()) add(text, "#include \"", asked.sizes, "\"\n\n");
  add(text, "namespace ", asked.name, " {\n\n");
  add(text,
      "// One struct per tensor. The real number of an element is scale * (element - zero_point). Fill the inputs before each `run`, "
      "because\n"
      "// `run` may overwrite them. Outputs are valid until the next run.\n");
  for (const auto& each : tensors) {
    add_struct(text, program, each);
    add(text, "\n");
  }
  if (asked.can_fail()) add(text, "/// Initializes the delegates. `run` does so if this was not called.\nauto init() -> baton::status;\n");
  if (asked.has_run_time_weights()) {
    add(text, "/// The size of a file of weights, in bytes.\nauto weight_bytes() -> std::size_t;\n");
    add(text,
        "/// Uses the weights in `file`, which is aligned to 8 bytes and must outlive their use. Required before the first `run`. Returns\n"
        "/// an error if the file belongs to another network; then the previous weights stay in use.\n"
        "auto set_weights(std::span<const char> file) -> baton::status;\n");
  }
  add(text, "/// Runs one inference on the contents of the inputs.\nauto run() -> ", returned, ";\n");
  if (tensors.size() > 1) {
    add(text, "/// Runs one inference. Inputs and outputs are in the caller's memory.\n");
    add(text, "auto run(", view(parameters(tensors, true)), ") -> ", returned, ";\n");
  }
  if (asked.has_slices()) {
    add(text,
        "/// Starts an inference in slices on the contents of the inputs. Do not write the inputs until `step` returns another status than "
        "`ok`.\nauto start() -> ",
        returned, ";\n");
    add(text,
        "/// Runs the next slice. Returns `ok` while slices remain, then `end_of_method`. Any other status is an error, which ends the "
        "inference.\nauto step() -> baton::status;\n");
  }
  add(text, "/// Resets every state of the model to its initial value.\nvoid reset();\n");
  add(text, "/// Returns the size of all states, in bytes.\nconstexpr auto state_bytes() -> std::size_t { return ", state_bytes_of(program),
      "; }\n");
  add(text, "/// Copies the states to the caller's memory.\nvoid save(std::span<char, state_bytes()> to);\n");
  add(text, "/// Restores the states that `save` copied.\nvoid restore(std::span<const char, state_bytes()> from);\n");
  if (asked.sizes.empty()) {
    add(text, "/// Returns the size of the arena, in bytes, without the memory of backends.\nauto arena_bytes() -> std::size_t;\n");
  }
  add(text, "\n}  // namespace ", asked.name, "\n");
  return text;
}

/// Appends the definition of a function that calls the function of the same name of the executor.
void add_step(text_buffer& to, const request& asked, std::string_view name, const baton::vector<tensor>& tensors) {
  add(to, "auto ", name, "(", view(parameters(tensors, true)), ") -> ",
      asked.can_fail() ? "baton::status { return status_of([&] { return " : "void { ");
  add(to, "net.", name, "(", view(parameters(tensors, false)), asked.can_fail() ? "); }); }\n" : "); }\n");
}

/// Appends the importers of the model, or nothing for the default importers.
void add_importers(text_buffer& text, const request& asked) {
  if (asked.files.empty() && (!asked.importers.empty() || !asked.entry.empty()))
    add(text, ", ", asked.importers.empty() ? "baton::default_importers" : asked.importers);
  const std::string_view format = asked.is_executorch ? "baton::pte" : "baton::onnx";
  if (!asked.files.empty()) add(text, ", baton::importers<", format, "::importer_with<");
  for (std::size_t i = 0; i < asked.files.size(); ++i) {
    const auto location = escaped(location_of(asked.model, asked.files[i]));
    add(text, i == 0 ? "" : ", ", format, "::external_file<\"", view(location), "\", ", asked.name, "_file_", i, ">");
  }
  if (!asked.files.empty()) add(text, ">>");
}

/// Appends the model and its executor type, `executor`.
void add_executor(text_buffer& text, const request& asked) {
  add(text, "#include <baton/baton.hpp>\n\n");
  for (const auto file : asked.includes) add(text, "#include \"", file, "\"\n");
  const auto bytes = included_path(asked, asked.bytes);
  for (std::size_t i = 0; i < asked.files.size(); ++i) {
    add(text, "#include \"", bytes.substr(0, bytes.rfind('/') + 1), asked.name, "_file_", i, ".hpp\"\n");
  }
  add(text, "#include \"", bytes, "\"\n\n#include <array>\n#include <cstddef>\n#include <type_traits>\n\nnamespace ", asked.name,
      " {\nnamespace {\n\n");
  add(text, "constexpr auto model = ", asked.has_run_time_weights() ? "baton::transform(" : "");
  add(text, asked.passes.empty() ? "" : "baton::transform(", "baton::read_model<", asked.name, "_bytes");
  add_importers(text, asked);
  if (!asked.entry.empty()) add(text, ", \"", view(escaped(asked.entry)), "\"");
  add(text, ">");
  if (!asked.passes.empty()) add(text, ", ", asked.passes, ")");
  if (asked.has_run_time_weights()) add(text, ", baton::passes<baton::external_weights>)");
  add(text, ";\n");
  if (asked.has_run_time_weights()) add(text, "baton::run_time_weights<model> weights;\n");
  std::string_view program = "model";
  if (!asked.backends.empty()) {
    program = "lowered";
    add(text, "constexpr auto lowered = ", asked.late_passes.empty() ? "" : "baton::transform(", "baton::to_backend(baton::backends<");
    for (std::size_t i = 0; i < asked.backends.size(); ++i) add(text, i == 0 ? "" : ", ", asked.backends[i]);
    add(text, ">, model, ", asked.partitioner, ")");
    if (!asked.late_passes.empty()) add(text, ", ", asked.late_passes, ")");
    add(text, ";\n");
  }
  add(text, "using executor = baton::executor<", program);
  if (!asked.kernels.empty()) add(text, ", baton::with_kernels<", asked.kernels, ">");
  if (!asked.policy.empty()) add(text, ", baton::planned_by<", asked.policy, ">");
  if (asked.has_run_time_weights()) add(text, ", baton::with_weights<weights>");
  if (asked.has_slices()) add(text, ", baton::in_slices");
  if (asked.has_slices() && asked.slices != "yes") add(text, "::of<", asked.slices, ">");
  add(text, ">;\n");
}

/// Returns the source whose object file contains the sizes as text.
auto probe_of(const request& asked) -> text_buffer {
  text_buffer text;
  add(text, "// Generated by baton_model(): compiled to compute the sizes of this model, and not linked. Do not edit.\n");
  add_executor(text, asked);
  add(text,
      "\nconstexpr auto text() -> baton::text_buffer { return baton::join(\"baton_model arena_bytes=\", executor::arena_bytes, \"\\n\"); "
      "}\n"
      "using characters = std::array<char, text().size()>;\n"
      "constexpr auto sizes_as_text() -> characters {\n"
      "  const auto buffer = text();\n"
      "  characters result{};\n"
      "  for (std::size_t i = 0; i < result.size(); ++i) result[i] = buffer[i];\n"
      "  return result;\n}\n\n}  // namespace\n\n"
      "extern const characters sizes;\n"
      "constinit const characters sizes = sizes_as_text();\n\n}  // namespace ",
      asked.name, "\n");
  return text;
}

/// Appends the definitions of the C++ interface.
void add_definitions(text_buffer& text, const request& asked, const baton::vector<tensor>& tensors) {
  for (const auto& each : tensors) {
    const auto type = join(each.is_input ? "" : "const ", "type");
    const auto memory = join("net.", each.is_input ? "input<" : "output<", each.number, ">()");
    add(text, "auto ", view(each.name), "::data() -> std::span<", view(type), ", size> {\n");
    add(text, "  static_assert(decltype(", view(memory), ")::extent == sizeof(type) * size || decltype(", view(memory),
        ")::extent == std::dynamic_extent);  // dynamic if the model was rejected\n");
    add(text, "  return std::span<", view(type), ", size>{reinterpret_cast<", view(type), "*>(", view(memory), ".data()), size};\n}\n");
  }
  if (asked.can_fail()) add_step(text, asked, "init", {});
  if (asked.has_run_time_weights()) {
    add(text, "auto weight_bytes() -> std::size_t { return decltype(weights)::bytes; }\n");
    add(text, "auto set_weights(std::span<const char> file) -> baton::status { return weights.set(file); }\n");
  }
  add_step(text, asked, "run", {});
  if (tensors.size() > 1) add_step(text, asked, "run", tensors);
  if (asked.has_slices()) {
    add_step(text, asked, "start", {});
    add(text, "auto step() -> baton::status { return net.step(); }\n");
  }
  add(text, "void reset() { net.reset(); }\n");
  add(text, "static_assert(executor::state_bytes <= state_bytes());\n");
  add(text, "void save(std::span<char, state_bytes()> to) { net.save(to.first<executor::state_bytes>()); }\n");
  add(text, "void restore(std::span<const char, state_bytes()> from) { net.restore(from.first<executor::state_bytes>()); }\n");
  if (asked.sizes.empty()) add(text, "auto arena_bytes() -> std::size_t { return executor::arena_bytes; }\n");
}

auto source_of(const request& asked, const baton::program_view& program, const baton::vector<tensor>& tensors) -> text_buffer {
  text_buffer text;
  add(text, "// Generated by baton_model(): the only translation unit that compiles this model. Do not edit.\n");
  add(text, "#include \"", included_path(asked, asked.header), "\"\n\n");
  if (asked.is_c()) add(text, "#include <cstdint>\n#include <span>\n\n");
  add_executor(text, asked);
  if (!asked.arena.empty()) add(text, "[[gnu::section(\"", view(escaped(asked.arena)), "\")]] ");
  add(text, "executor net;\n");
  if (asked.can_fail()) {
    add(text,
        "\n// The functions of the executor return void if no backend can fail.\ntemplate <class Step>\nauto status_of(Step step) -> "
        "baton::status "
        "{\n"
        "  if constexpr (std::is_void_v<decltype(step())>) {\n    step();\n    return baton::status::ok;\n  } else {\n    return step();\n "
        " }\n}\n");
  }
  add(text, "\n}  // namespace\n\n");
  const bool is_c = asked.is_c();
  if (is_c) {
    add(text, "}  // namespace ", asked.name, "\n\n");
    add_c_definitions(text, asked, program, tensors);
  } else {
    add_definitions(text, asked, tensors);
  }
  if (!asked.sizes.empty()) {
    add(text, "static_assert(", is_c ? asked.name : "", is_c ? "::" : "", "executor::arena_bytes == ");
    add(text, is_c ? view(capitals(asked.name)) : "", is_c ? "_ARENA_BYTES" : "arena_bytes()",
        ", \"baton_model: the sizes were computed with other flags than those of the target; \"\n"
        "              \"set the flags of the target before the call of baton_model, or omit SIZES\");\n");
  }
  if (!is_c) add(text, "\n}  // namespace ", asked.name, "\n");
  return text;
}

auto read_files(const request& asked, baton::vector<text_buffer>& contents) -> bool {
  contents.resize(asked.files.size());
  for (std::size_t i = 0; i < asked.files.size(); ++i) {
    if (!read_file(program_name, asked.files[i].data(), contents[i])) return false;
  }
  return true;
}

/// Returns how the files of the request differ from those that an ONNX model refers to; empty if they do not, or if the model is damaged.
/// An ExecuTorch program does not name its files, so reading it reports missing tensors.
auto difference_of_files(const request& asked, const text_buffer& bytes) -> text_buffer {
  if (asked.is_executorch) return {};
  if (!asked.importers.empty() || baton::tflite::importer::recognizes(bytes) || !baton::onnx::importer::recognizes(bytes)) {
    if (asked.files.empty()) return {};
    return join("FILES names ", asked.files[0], ", but only ONNX models and ExecuTorch programs have tensors in other files; omit FILES");
  }
  const auto locations = baton::onnx::external_files_of(bytes);
  for (const auto location : locations.value) {
    const auto is_this = [&](std::string_view file) { return location_of(asked.model, file) == location; };
    if (std::none_of(asked.files.begin(), asked.files.end(), is_this)) {
      return join("a tensor is in ", location, "; add this file to the call: FILES ", location);
    }
  }
  for (const auto file : asked.files) {
    const auto is_this = [&](std::string_view location) { return location_of(asked.model, file) == location; };
    if (locations && std::none_of(locations.value.begin(), locations.value.end(), is_this)) {
      return join("FILES names ", file, ", but no tensor of the model is in ", location_of(asked.model, file));
    }
  }
  return {};
}

/// Reads the model like the generated source does.
auto read_model(const request& asked, const text_buffer& bytes, const baton::vector<text_buffer>& contents)
    -> baton::result<baton::exported_program> {
  // An ONNX model has no named entry points, so this fails if one is given with files.
  if (contents.empty() || (!asked.is_executorch && !asked.entry.empty()))
    return importers_of_model.read({bytes.data(), bytes.size()}, asked.entry);
  if (asked.is_executorch) {
    baton::vector<baton::pte::read_options::file> files;
    for (std::size_t i = 0; i < contents.size(); ++i) files.push_back({location_of(asked.model, asked.files[i]), contents[i]});
    return baton::pte::importer::read(bytes, {.entry = asked.entry, .files = files});
  }
  baton::vector<baton::onnx::read_options::file> files;
  for (std::size_t i = 0; i < contents.size(); ++i) files.push_back({location_of(asked.model, asked.files[i]), contents[i]});
  return baton::onnx::importer::read(bytes, {.files = files});
}

/// True if the file exists and its text is `text`.
auto has_text(const char* path, const text_buffer& text) -> bool {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  std::fclose(file);
  text_buffer bytes;
  return read_file(program_name, path, bytes) && view(bytes) == view(text);
}

}  // namespace

auto main(int count, char** words) -> int {
  request asked;
  if (!read_request(count, words, asked)) {
    std::fprintf(
        stderr,
        "usage: %s MODEL NAME HEADER SOURCE BYTES [--include FILE]... [--file FILE]... [--backend TYPE]... [--partitioner EXPRESSION] "
        "[--kernels LIST] [--importers LIST] [--entry NAME] [--passes LIST | --late-passes LIST] [--policy TYPE] [--arena SECTION] "
        "[--language C|CXX] [--weights run_time] [--slices yes|OPERATIONS] [--sizes FILE --probe FILE]\n",
        words[0]);
    return 2;
  }
  text_buffer bytes;
  if (!read_file(program_name, words[1], bytes)) return 1;
  asked.is_executorch = asked.importers.empty() && baton::pte::importer::recognizes(bytes);
  const auto refuse = [&](const text_buffer& why) {
    std::fprintf(stderr, "baton_model: %s: %.*s\n", words[1], static_cast<int>(why.size()), why.data());
    return 1;
  };
  baton::vector<text_buffer> contents;
  if (!read_files(asked, contents)) return 1;
  if (const auto why = difference_of_files(asked, bytes); !why.empty()) return refuse(why);
  const auto read = read_model(asked, bytes, contents);
  if (!read) return refuse(baton::message(read.error));
  const auto tensors = tensors_of(read.value);
  for (const auto& each : tensors) {
    if (size_of(read.value, each) < 0)
      return refuse(join(view(each.name), " has no fixed size, which a span needs; export the model with fixed shapes"));
  }
  if (state_bytes_of(read.value) < 0) return refuse(join("a state has no fixed size; export the model with fixed shapes"));
  if (!asked.probe.empty() && !write_file(program_name, asked.probe.data(), probe_of(asked))) return 1;
  const auto header = asked.is_c() ? c_header_of(asked, read.value, tensors) : header_of(asked, read.value, tensors);
  return (has_text(words[3], header) || write_file(program_name, words[3], header)) &&
                 write_file(program_name, words[4], source_of(asked, read.value, tensors))
             ? 0
             : 1;
}
