/** What an entry can start or connect to, whatever its client calls the fields. */
import type { RawServer } from "#policy/normalize-server";
import { redactCommand } from "#policy/redact";
import type { Transport } from "#policy/types";
import { type Fields, isFields } from "./parse-config.ts";
import { allFields } from "./parse-json.ts";

export type Target = Pick<RawServer, "transport" | "command" | "args" | "url">;

const URL_KEYS = ["url", "serverurl", "httpurl", "uri", "endpoint"];
const COMMAND_KEYS = ["command", "cmd"];
const ARGUMENT_KEYS = ["args", "arguments"];
const NESTED_KEYS = ["transport", "server", "config", "mcp_config"];
/** Each of their values replaces fields on one platform. */
const PLATFORM_KEYS = ["platform_overrides", "platforms"];
const MOST_TARGETS = 1001;

/**
 * All commands and URLs of an entry, because clients differ in the fields that they read, and some ignore the case of names.
 * Empty if it is no server.
 */
export function targetsOf(entry: Fields): Target[] {
  const targets = new Map<string, Target>();
  for (const fields of partsOf(entry)) {
    for (const target of [...commandsIn(fields, entry), ...urlsIn(fields, entry)])
      targets.set(JSON.stringify(target), target);
  }
  return [...targets.values()];
}

/** The entry, and objects in it that describe the same server. */
function partsOf(entry: Fields): Fields[] {
  const nested = fieldsNamed(entry, NESTED_KEYS).filter(isFields);
  const ofPlatforms = [entry, ...nested]
    .flatMap((fields) => fieldsNamed(fields, PLATFORM_KEYS))
    .filter(isFields)
    .flatMap((platforms) => Object.values(platforms).filter(isFields));
  return [entry, ...nested, ...ofPlatforms];
}

/** `command` with `args`, Goose's `cmd`, a list, or Zed's `{path, args}`. */
function commandsIn(fields: Fields, entry: Fields): Target[] {
  const given = argumentLists(fields, entry);
  const commands = fieldsNamed(fields, COMMAND_KEYS);
  const objects = commands.filter(isFields).flatMap((command) => {
    return combine(fieldsNamed(command, ["path", ...COMMAND_KEYS]), argumentLists(command, command));
  });
  const lists = commands.filter(Array.isArray).map(texts);
  const alone = lists.filter(({ length }) => length === 1).flat();
  return [...combine(commands, given), ...lists.flatMap(localTarget), ...combine(alone, given), ...objects];
}

/** Each program with each list of arguments. As many as one file can contain, so that more are reported as an error. */
function combine(programs: readonly unknown[], lists: readonly string[][]): Target[] {
  const names = [...new Set(programs.filter((program) => typeof program === "string"))];
  const different = [...new Map(lists.map((args) => [JSON.stringify(args), args])).values()].slice(0, MOST_TARGETS);
  const targets: Target[] = [];
  for (const name of names) {
    if (targets.length >= MOST_TARGETS) break;
    targets.push(...different.flatMap((args) => localTarget([name, ...args])));
  }
  return targets;
}

/** Arguments of the entry are used if the part has none. One list without arguments if there are none at all. */
function argumentLists(fields: Fields, entry: Fields): string[][] {
  const own = fieldsNamed(fields, ARGUMENT_KEYS);
  const lists = own.length > 0 ? own : fieldsNamed(entry, ARGUMENT_KEYS);
  return lists.length > 0 ? lists.map(argumentsIn) : [[]];
}

/** A list, or what other parsers make a list of. */
function argumentsIn(value: unknown): string[] {
  // Secrets are removed before the split, because quotes can keep a value together.
  if (typeof value === "string") return value.trim() === "" ? [] : redactCommand(value.trim()).split(/\s+/);
  return texts(isFields(value) ? Object.values(value) : value);
}

function localTarget([program = "", ...args]: readonly string[]): Target[] {
  const command = program.trim();
  return command === "" ? [] : [{ transport: "stdio", command, args, url: undefined }];
}

function urlsIn(fields: Fields, entry: Fields): Target[] {
  const urls = fieldsNamed(fields, URL_KEYS).flatMap((value) => (Array.isArray(value) ? value : [value]));
  return urls.flatMap((given) => {
    const url = typeof given === "string" ? given.trim() : "";
    return url === "" ? [] : [{ transport: remoteTransport(fields, entry), command: undefined, args: undefined, url }];
  });
}

function remoteTransport(...sources: readonly Fields[]): Transport {
  const declared = sources.flatMap((fields) => fieldsNamed(fields, ["type", "transport"]));
  return declared.some((value) => String(isFields(value) ? value.type : value).toLowerCase() === "sse")
    ? "sse"
    : "http";
}

/** Without regard to case. */
export function fieldsNamed(fields: Fields, names: readonly string[]): unknown[] {
  return allFields(fields).flatMap(([key, value]) => (names.includes(key.toLowerCase()) ? [value] : []));
}

export function texts(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each) => ["string", "number", "bigint", "boolean"].includes(typeof each)).map(String);
}
