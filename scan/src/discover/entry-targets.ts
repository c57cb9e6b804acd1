/** What an entry can start or connect to, whatever its client calls the fields. */
import type { RawServer } from "#policy/normalize-server";
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
const MOST_TARGETS = 20;

/**
 * All commands and URLs of an entry, because clients differ in the fields that they read, and some ignore the case of names.
 * Empty if it is no server.
 */
export function targetsOf(entry: Fields): Target[] {
  const targets = partsOf(entry).flatMap((fields) => [...commandsIn(fields, entry), ...urlsIn(fields, entry)]);
  return [...new Map(targets.map((target) => [JSON.stringify(target), target])).values()].slice(0, MOST_TARGETS);
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
  return fieldsNamed(fields, COMMAND_KEYS).flatMap((command) => {
    if (Array.isArray(command)) {
      const line = texts(command);
      return [line, ...(line.length === 1 ? given.map((args) => [...line, ...args]) : [])].flatMap(localTarget);
    }
    if (typeof command === "string") return given.flatMap((args) => localTarget([command, ...args]));
    if (!isFields(command)) return [];
    const lists = argumentLists(command, command);
    return fieldsNamed(command, ["path", ...COMMAND_KEYS]).flatMap((program) =>
      typeof program === "string" ? lists.flatMap((args) => localTarget([program, ...args])) : [],
    );
  });
}

/** Arguments of the entry are used if the part has none. One list without arguments if there are none at all. */
function argumentLists(fields: Fields, entry: Fields): string[][] {
  const own = fieldsNamed(fields, ARGUMENT_KEYS);
  const lists = own.length > 0 ? own : fieldsNamed(entry, ARGUMENT_KEYS);
  return lists.length > 0 ? lists.map(argumentsIn) : [[]];
}

/** A list, or what other parsers make a list of. */
function argumentsIn(value: unknown): string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : value.trim().split(/\s+/);
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
  return value.filter((each) => ["string", "number", "boolean"].includes(typeof each)).map(String);
}
