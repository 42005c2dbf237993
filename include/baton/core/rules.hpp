// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The catalogue: every rule with the sentence that a person reads when it is broken, the same in the compiler and at run time.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>

#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace baton {

/// False, and names its argument in the compiler's output: the facts of a broken rule.
template <class>
inline constexpr bool always_false = false;

// Text stands in pieces: Clang shortens what has more than about 36 characters.
template <fixed_string... Method>
struct in_method;
template <std::int64_t Index, fixed_string... Name>
struct at_node;
template <fixed_string... Operator>
struct of_operator;
template <fixed_string... Tag>
struct with_tag;
template <fixed_string... Backend>
struct for_backend;
template <fixed_string... Reason>
struct because;
template <class Type>
struct of_type;

/// The facts of a broken rule; only what is known is named.
template <class... Known>
struct found {
  template <bool IsKnown, class Fact>
  using with = std::conditional_t<IsKnown, found<Known..., Fact>, found>;
};

// A `static_assert` takes only a literal, so the table is a macro, undefined below: a sentence is written once for both times.
// Form: what must hold; what was found in general; what to do.
#define BATON_RULES(RULE)                                                                                                                \
  RULE(damaged_model, "a model file must lie whole within its bounds; this one is cut short or damaged; fetch or export it again")       \
  RULE(foreign_file, "a TensorFlow Lite model carries the file identifier TFL3; this file does not; check the path and the format")      \
  RULE(unsupported_model, "a model may use only what the importer knows of its format; this one uses more; see the reason")              \
  RULE(misplaced_index, "every index in a program must name a record of it; one does not; rebuild the program")                          \
  RULE(undefined_value, "an operand must be a graph input or an output of an earlier node; this one is not; order the nodes")            \
  RULE(value_defined_twice, "a value must be defined once; this one is defined again; give the second definition its own value")         \
  RULE(foreign_value, "a node may use only values of its own graph; this one is of another; pass it in as a graph input")                \
  RULE(malformed_shape, "a shape must have sizes that are not negative and a count of bytes that fits; this one does not; mend it")      \
  RULE(malformed_data, "constant data must fill its shape exactly; this has another count of bytes; mend the shape or the data")         \
  RULE(malformed_quantization, "quantization needs a scale and a zero point a channel and an axis of that size; mend them")              \
  RULE(malformed_signature, "a graph signature must match the kinds of its values; this one does not; mend the kind or the list")        \
  RULE(recursive_graph, "a subgraph must not contain itself, through however many nodes; one here does; call a copy of it instead")      \
  RULE(nested_too_deep, "graphs may lie in one another up to 64 deep; these lie deeper; call fewer subgraphs from subgraphs")            \
  RULE(malformed_operator, "operands and attributes must fit the operator; these do not; see the reason")                                \
  RULE(unknown_operator, "an operator in the namespace tfl must be one that TensorFlow Lite has; this one is not; correct its name")      \
  RULE(modified_program, "a partitioner should not modify the program but for its tags; this one did; tag the program it was given")     \
  RULE(tagged_output, "an output should not be tagged; this partitioner tagged the output; tag compute nodes and owned data only")       \
  RULE(tagged_user_input, "only parameters, buffers and constants may be tagged among the inputs; this is a user input; untag it")       \
  RULE(shared_constant, "a constant that one part owns must have no user with another tag; one has; let parts share it or untag it")     \
  RULE(shared_mutable_buffer, "a tagged mutable buffer and its users must have one tag; one has another; tag them alike or untag it")    \
  RULE(foreign_mutation, "a part that owns a mutable buffer must make its new value; another node makes this one; tag both or neither")  \
  RULE(shared_mutation, "a new value of a buffer that a part owns must have no other role; this one has; untag the buffer")              \
  RULE(dependency_cycle,                                                                                                                 \
       "a part must not depend on itself through nodes outside it; this tag forms a cycle; split the tag, or wrap the partitioner in "   \
       "split_cycles")                                                                                                                   \
  RULE(part_without_outputs, "a part must produce something that is used outside it; this one is dead code; untag it")                   \
  RULE(unsupported_node, "a backend may be given only nodes that it supports; this it does not; untag the node or support it")           \
  RULE(undelegated_node,                                                                                                                 \
       "this program must be delegated whole; a node stays; extend a backend or its partitioner, or take back the demand")               \
  RULE(too_many_boundary_bytes, "fewer bytes must cross the borders of delegates; these are more; partition anew or raise the limit")    \
  RULE(malformed_cost, "a cost must be a number from 0 to below 10^9; this one is not; mend the cost table")                             \
  RULE(costs_overflow, "all costs of a program must add up to less than 10^12; these add up to more; state them in a larger unit")       \
  RULE(malformed_capacity, "a capacity must be a count of bytes, 0 or more; this one is not; mend it, or leave it out for no limit")     \
  RULE(capacity_too_small, "a backend's capacity must hold the constants of some node it supports; this holds none; raise it")           \
  RULE(unknown_backend, "the backend was not found in the list of backends; add it to baton::backends<...> or correct the id")           \
  RULE(duplicate_backend, "every backend in the list must have an id of its own; two have the same; rename one or remove it")            \
  RULE(duplicate_method, "every method must have a name of its own; two have the same; rename one or remove it")                         \
  RULE(unknown_method, "a method must be among the programs given; this one is not; add its program or correct the name")                \
  RULE(unmatched_specs, "every part of a batch needs compile specs, if empty ones; a method has another number; give each part its own") \
  RULE(unmatched_results, "a backend must return one result for each part of a batch; it did not; return as many, method by method")     \
  RULE(nested_backend, "a backend must not derive from another of the list: nesting is unsupported; share a base that is no backend")    \
  RULE(large_blob,                                                                                                                       \
       "a blob made in the compiler must not be larger than a constant may be; this one is; make parts smaller or blobs leaner")         \
  RULE(refused_part, "a backend must be able to preprocess the part it is given; it refused; see the reason and the partitioner")        \
  RULE(generated_identifier, "a delegate mapping that generates its identifiers takes none; one was given; leave it out")                \
  RULE(duplicate_identifier, "a delegate debug identifier may be inserted once; this one is there already; choose another")              \
  RULE(nodes_or_handles, "a delegate mapping entry takes either nodes or debug handles; both or neither were given; give one")           \
  RULE(missing_identifier, "a delegate mapping that generates no identifiers needs one in every insert; give one")                       \
  RULE(no_debug_handle, "a delegate mapping entry needs at least one debug handle; none is valid; give nodes that have handles")         \
  RULE(foreign_debug_handle, "a debug handle map may name only handles of nodes of its part; this names another; map what the part has") \
  RULE(incomplete_mapping, "a complete debug handle map names the handle of every node; this leaves one out; insert that node")          \
  RULE(unsupported_named_data, "named data is bytes, text or a tensor; this is neither; give a span of char or a string_view")           \
  RULE(malformed_alignment, "named data needs an alignment from 1 to 2^31; this is another; give the one that its reader needs")         \
  RULE(misaligned_image, "named data in an image must lie at a power of two; these alignments together are none; mend one")              \
  RULE(conflicting_named_data, "a key of named data must mean the same bytes everywhere; here it has others; make keys from content")    \
  RULE(conflicting_layout, "a layout given with a tensor of named data must be the tensor's; this is another; leave it out")             \
  RULE(malformed_layout, "a tensor of named data must be dense in some order of dimensions; this one is not; make it contiguous")        \
  RULE(malformed_shard_cap, "the cap of external data shards must be a positive integer; this is none; give a count of bytes")           \
  RULE(empty_shard_prefix, "the prefix of external data shards must be nonempty; this one is empty; give it a name")                     \
  RULE(oversize_named_data, "a buffer must fit into a shard; this one exceeds external data shard cap; raise the cap or split it")       \
  RULE(external_tag_collision, "a shard needs a tag of its own; this is an external data tag collision; choose another prefix")          \
  RULE(dynamic_shape, "memory is planned for fixed shapes only; this value has an unknown size; export the model with fixed shapes")     \
  RULE(shared_state,                                                                                                                     \
       "a graph that keeps mutable buffers may be called from one place only; this one has several callers; copy it per caller")         \
  RULE(unknown_device, "a target device is a kind and a number, as in cuda:0; this kind or number is unknown; correct the compile spec") \
  RULE(overlapping_memory, "two values that live at the same time must not share memory; these do; plan again")                          \
  RULE(missing_kernel, "every node needs a kernel or a backend that takes it; this one has neither; add a kernel or delegate it")        \
  RULE(backend_without_execute,                                                                                                          \
       "a delegate that runs here needs a backend with an execute; this one has none of that form; write: static void execute(const "    \
       "baton::delegate_call&)")                                                                                                         \
  RULE(node_in_two_groups, "a node may be in one group; this one is in two; take it out of one or make them one group")                  \
  RULE(cycle_of_groups, "groups must not need one another in a cycle, nor one itself; these do; split them along the path")              \
  RULE(nothing_to_partition, "a partition needs lists of nodes or an operator support; there is neither; give one of them")              \
  RULE(node_tagged_twice, "a node may have one tag; this one would get a second; leave out what is tagged, or untag it first")           \
  RULE(tag_without_spec, "a tag that a partitioner puts on a node must have a delegation spec; this one has none; add it with its spec") \
  RULE(conflicting_tag,                                                                                                                  \
       "a tag stands for one backend with its compile specs; this one was added for others, too; give those a tag of their own")         \
  RULE(unnamed_tag, "a tag must have a name, for no name says that there is no tag; this one has none; name it")                         \
  RULE(empty_pattern, "a pattern needs a node; this one has none; write down the nodes that it shall find")                              \
  RULE(dead_pattern, "every node of a pattern must lead to an output of it; this one does not; return it or leave it out")               \
  RULE(unmatchable_pattern, "every node and output of a pattern must be one that can be found; this one cannot; see the reason")         \
  RULE(duplicate_pattern, "every pattern of a list must find something of its own; one finds only what another does; remove it")         \
  RULE(ambiguous_pattern, "where patterns overlap, one must hold all of the other; these two here do not; make them one or drop one")    \
  RULE(duplicate_config, "every operator may have one config; two are for the same; make them one or remove one")                        \
  RULE(kept_operator,                                                                                                                    \
       "an operator that a partitioner asks to keep whole must be delegated by it; this node is not; tag it or ask for less")            \
  RULE(nameless_delegate, "a delegate must name its backend; this one has no backend id; lower the part with a backend of the list")     \
  RULE(unavailable_backend, "a delegate needs a backend that is available; this one is not; bring it up or lower for another")           \
  RULE(unloaded_blob, "a blob must be brought by its loader, whole and aligned; this one was not; see the status and the loader")        \
  RULE(ambiguous_named_data, "a key of named data must lie in the program or outside it; one lies in both; rename it")                   \
  RULE(failed_init, "a backend must be able to take up its blob; its init failed; see the status")                                       \
  RULE(failed_execute, "a backend must be able to execute its call; its execute failed; see the status")                                 \
  RULE(unknown_tensor, "an input or output is looked up by its one name; this is none; take one of those that there are")                 \
  RULE(unquantized_tensor, "quantize and dequantize need a tensor with a scale; this one has none; use its elements as they are")        \
  RULE(unfit_elements, "what is quantized must have the tensor's count, and its type beside float; this has not; see the reason")        \
  RULE(unordered_rule, "a rule was broken that the catalogue does not name; add it to core/rules.hpp")

namespace rule {

#define BATON_DEFINE_RULE(identifier, text)                                      \
  struct identifier {                                                            \
    static constexpr std::string_view sentence = "baton " #identifier ": " text; \
    template <class Facts>                                                       \
    static consteval void report() {                                             \
      static_assert(always_false<Facts>, "baton " #identifier ": " text);        \
    }                                                                            \
  };
BATON_RULES(BATON_DEFINE_RULE)
#undef BATON_DEFINE_RULE

#define BATON_LIST_RULE(identifier, text) , boost::hana::type<identifier>
template <class, class... Rules>
using rules_after = boost::hana::tuple<Rules...>;
using catalogue_types = rules_after<void BATON_RULES(BATON_LIST_RULE)>;
#undef BATON_LIST_RULE

/// Every rule of the catalogue, as a Hana tuple of types.
inline constexpr catalogue_types catalogue{};

}  // namespace rule
#undef BATON_RULES

/// A failure of a rule, with its facts filled in by the caller.
template <class Rule>
constexpr auto broken() -> failure {
  failure why;
  why.rule = Rule::sentence;
  return why;
}

/// A failure of a rule, with a reason made of text and numbers.
template <class Rule, class... Parts>
constexpr auto broken(const Parts&... reason) -> failure {
  auto why = broken<Rule>();
  why.reason = join(reason...);
  return why;
}

/// A failure in a form that a template argument can hold; texts beyond the capacity are cut.
struct static_failure {
  static constexpr std::size_t capacity = 120;
  static constexpr std::size_t reason_capacity = 240;
  template <std::size_t Capacity>
  struct text {
    std::size_t size = 0;
    char characters[Capacity] = {};

    constexpr text() = default;
    constexpr explicit text(const text_buffer& buffer) : size(buffer.size() < Capacity ? buffer.size() : Capacity) {
      for (std::size_t i = 0; i < size; ++i) characters[i] = buffer[i];
    }
  };
  std::size_t rule = 0;  ///< index in the catalogue
  bool broken = false;
  std::int64_t node = -1;
  text<capacity> method, node_name, op, tag, backend;
  text<reason_capacity> reason;

  constexpr static_failure() = default;
  constexpr explicit static_failure(const failure& why)
      : broken(static_cast<bool>(why)),
        node(why.node),
        method(why.method),
        node_name(why.node_name),
        op(why.op),
        tag(why.tag),
        backend(why.backend),
        reason(why.reason) {
    std::size_t index = 0;
    bool found = false;
    boost::hana::for_each(rule::catalogue, [&](auto candidate) {
      using candidate_rule = typename decltype(candidate)::type;
      if (!found) rule = index++;
      found = found || candidate_rule::sentence == why.rule;
    });
  }
};

namespace detail {

/// Where the piece of a text that begins here ends: behind a blank where there is one.
template <std::size_t Capacity>
constexpr auto end_of_piece(const static_failure::text<Capacity>& text, std::size_t begin) -> std::size_t {
  constexpr std::size_t most = 32;
  if (text.size - begin <= most) return text.size;
  for (auto end = begin + most; end > begin; --end) {
    if (text.characters[end - 1] == ' ') return end;
  }
  return begin + most;
}

template <auto Text, std::size_t Begin, std::size_t End>
consteval auto piece() -> fixed_string<End - Begin + 1> {
  fixed_string<End - Begin + 1> fixed;
  for (std::size_t i = Begin; i < End; ++i) fixed.characters[i - Begin] = Text.characters[i];
  fixed.characters[End - Begin] = '\0';  // written, so that Clang prints text, not numbers
  return fixed;
}

/// What `f` makes of the pieces of a text.
template <auto Text, std::size_t Begin = 0, fixed_string... Pieces, class F>
consteval auto with_pieces(F f) {
  if constexpr (Begin >= Text.size) {
    return f.template operator()<Pieces...>();
  } else {
    constexpr auto end = end_of_piece(Text, Begin);
    return with_pieces<Text, end, Pieces..., piece<Text, Begin, end>()>(f);
  }
}

}  // namespace detail

/// Stops the compiler with the sentence of a broken rule and its facts; does nothing where no rule is broken.
template <static_failure Why>
consteval void require_unbroken() {
  if constexpr (Why.broken) {
    using broken_rule = typename std::remove_cvref_t<decltype(boost::hana::at_c<Why.rule>(rule::catalogue))>::type;
    using boost::hana::type_c;
    constexpr auto in = detail::with_pieces<Why.method>([]<fixed_string... P>() { return type_c<in_method<P...>>; });
    constexpr auto at = detail::with_pieces<Why.node_name>([]<fixed_string... P>() { return type_c<at_node<Why.node, P...>>; });
    constexpr auto of = detail::with_pieces<Why.op>([]<fixed_string... P>() { return type_c<of_operator<P...>>; });
    constexpr auto tagged = detail::with_pieces<Why.tag>([]<fixed_string... P>() { return type_c<with_tag<P...>>; });
    constexpr auto by = detail::with_pieces<Why.backend>([]<fixed_string... P>() { return type_c<for_backend<P...>>; });
    constexpr auto reason = detail::with_pieces<Why.reason>([]<fixed_string... P>() { return type_c<because<P...>>; });
    using method = typename found<>::template with<(Why.method.size != 0), typename decltype(in)::type>;
    using place = typename method::template with<(Why.node >= 0), typename decltype(at)::type>::template with<(Why.op.size != 0),
                                                                                                              typename decltype(of)::type>;
    using known =
        typename place::template with<(Why.tag.size != 0), typename decltype(tagged)::type>::template with<(Why.backend.size != 0),
                                                                                                           typename decltype(by)::type>;
    broken_rule::template report<typename known::template with<(Why.reason.size != 0), typename decltype(reason)::type>>();
  }
}

}  // namespace baton
