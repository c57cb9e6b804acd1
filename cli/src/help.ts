import { COMMON, SHORT } from "./read-arguments.ts";
import type { Noun, Option, Options, Verb } from "./verb.ts";

export function nounHelp(path: string, noun: Noun): string {
  const width = Math.max(...Object.keys(noun.verbs).map((name) => name.length));
  const verbs = Object.entries(noun.verbs).map(([name, { says }]) => `  ${name.padEnd(width)}  ${says}`);
  const more = `"${path} <verb> --help" tells more of each.`;
  if (noun.itself) return [verbHelp(path, noun.itself), "", "Verbs:", ...verbs, "", more].join("\n");
  return [
    `Usage: ${path} <verb> [options]`,
    "",
    `${noun.says}.`,
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
  const words = (verb.args ?? []).map((name) => ` <${name}>`).join("");
  const rest = verb.rest === undefined ? "" : ` <${verb.rest}>…`;
  const optional = verb.optional === undefined ? "" : ` [${verb.optional}]`;
  const own = verb.options === undefined ? [] : ["Options:", ...optionLines(verb.options), ""];
  return [
    `Usage: ${path}${words}${rest}${optional} [options]`,
    "",
    `${verb.says}.`,
    "",
    ...own,
    "Options of every command:",
    ...optionLines(COMMON),
    "",
    ...example(verb.example),
  ].join("\n");
}

function example(line: string): string[] {
  return ["Example:", ...line.split("\n").map((each) => `  ${each}`)];
}

function optionLines(options: Options): string[] {
  const entries = Object.entries(options).map(([name, option]) => [spelling(name, option), option.says] as const);
  const width = Math.max(...entries.map(([spelt]) => spelt.length));
  return entries.map(([spelt, says]) => `  ${spelt.padEnd(width)}  ${says}`);
}

function spelling(name: string, option: Option): string {
  const short = Object.entries(SHORT).find(([, long]) => long === name)?.[0];
  const long = `${short === undefined ? "" : `-${short}, `}--${option.type === "switch" ? "[no-]" : ""}${name}`;
  if (option.type === "choice") return `${long} ${option.choices.join("|")}`;
  if (option.type === "flag" || option.type === "switch") return long;
  return `${long} <${option.hint}>${option.type === "list" ? "…" : ""}`;
}
