import { twoColumns, wrapCommand, wrapText } from "./layout.ts";
import { COMMON, SHORT } from "./read-arguments.ts";
import type { Noun, Option, Options, Verb } from "./verb.ts";

export function nounHelp(path: string, noun: Noun): string {
  const verbs = twoColumns(Object.entries(noun.verbs).map(([name, { description }]) => [name, description] as const));
  const more = `Run "${path} <verb> --help" for the options of a verb.`;
  if (noun.default) return [verbHelp(path, noun.default), "", "Verbs:", ...verbs, "", more].join("\n");
  return [
    `Usage: ${path} <verb> [options]`,
    "",
    ...wrapText(`${noun.description}.`),
    "",
    "Verbs:",
    ...verbs,
    "",
    more,
    "",
    ...example(noun.example),
  ].join("\n");
}

export function verbHelp(path: string, verb: Verb): string {
  const required = (verb.args ?? []).map((name) => ` <${name}>`).join("");
  const rest = verb.rest === undefined ? "" : ` <${verb.rest}>…`;
  const optional = verb.optional === undefined ? "" : ` [${verb.optional}]`;
  const options = verb.options === undefined ? [] : ["Options:", ...optionLines(verb.options), ""];
  return [
    `Usage: ${path}${required}${rest}${optional} [options]`,
    "",
    ...wrapText(`${verb.description}.`),
    "",
    ...options,
    "Common options:",
    ...optionLines(COMMON),
    "",
    ...example(verb.example),
  ].join("\n");
}

function example(line: string): string[] {
  return ["Example:", ...line.split("\n").flatMap(wrapCommand)];
}

function optionLines(options: Options): string[] {
  return twoColumns(
    Object.entries(options).map(([name, option]) => {
      const listed = option.type === "choice" && !fits(option.choices) ? `: ${option.choices.join(", ")}` : "";
      return [spelling(name, option), `${option.description}${listed}`] as const;
    }),
  );
}

/** Longer lists of choices are part of the description. */
function fits(choices: readonly string[]): boolean {
  return choices.join("|").length <= 30;
}

function spelling(name: string, option: Option): string {
  const short = Object.entries(SHORT).find(([, long]) => long === name)?.[0];
  const long = `${short === undefined ? "" : `-${short}, `}--${option.type === "switch" ? "[no-]" : ""}${name}`;
  if (option.type === "choice") return `${long} ${fits(option.choices) ? option.choices.join("|") : `<${name}>`}`;
  if (option.type === "flag" || option.type === "switch") return long;
  return `${long} <${option.hint}>${option.type === "list" ? "…" : ""}`;
}
