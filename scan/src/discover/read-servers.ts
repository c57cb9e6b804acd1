/** Servers in a parsed configuration, whatever its client calls the fields. */
import type { RawServer } from "#policy/normalize-server";
import type { Transport } from "#policy/types";
import { type Fields, isFields } from "./parse-config.ts";

const URL_KEYS = ["url", "serverUrl", "httpUrl", "uri", "endpoint"];
const ENV_KEYS = ["env", "envs", "environment"];
const HEADER_KEYS = ["headers", "http_headers", "env_http_headers", "requestInit", "requestOptions"];
/** Extensions of Goose that are part of it. */
const BUILTIN_TYPES = new Set(["builtin", "platform", "frontend"]);

/** A server and where it is in the file. */
export interface ConfiguredServer {
  /** Keys and indexes from the root of the file. */
  readonly pointer: readonly (string | number)[];
  /** The key that `*` matched, such as the folder of a project. */
  readonly wildcard: string | undefined;
  readonly name: string;
  readonly fields: Fields;
}

/** Tries the keys in their order; the first that leads to a value is used. */
export function findServers(root: unknown, keys: readonly (readonly string[])[], single = false): ConfiguredServer[] {
  for (const key of keys) {
    const found = valuesAt(root, key, [], undefined);
    if (found.length === 0) continue;
    if (single) return found.flatMap(({ pointer, value, wildcard }) => singleServer(root, pointer, value, wildcard));
    return found.flatMap(({ pointer, value, wildcard }) => entriesOf(value, pointer, wildcard));
  }
  return [];
}

interface ValueAt {
  readonly pointer: readonly (string | number)[];
  readonly value: unknown;
  readonly wildcard: string | undefined;
}

function valuesAt(
  value: unknown,
  key: readonly string[],
  pointer: readonly string[],
  wildcard: string | undefined,
): ValueAt[] {
  const [part, ...rest] = key;
  if (part === undefined) return value === undefined ? [] : [{ pointer, value, wildcard }];
  if (!isFields(value)) return [];
  if (part !== "*") return Object.hasOwn(value, part) ? valuesAt(value[part], rest, [...pointer, part], wildcard) : [];
  return Object.keys(value).flatMap((name) => valuesAt(value[name], rest, [...pointer, name], name));
}

function entriesOf(value: unknown, pointer: ValueAt["pointer"], wildcard: string | undefined): ConfiguredServer[] {
  if (Array.isArray(value)) {
    return value.flatMap((fields, index) =>
      isFields(fields) && isServer(fields)
        ? [{ pointer: [...pointer, index], wildcard, name: text(fields.name) ?? `#${index + 1}`, fields }]
        : [],
    );
  }
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, fields]) =>
    isFields(fields) && isServer(fields)
      ? [{ pointer: [...pointer, name], wildcard, name: name.trim() === "" ? "(unnamed)" : name, fields }]
      : [],
  );
}

function singleServer(
  root: unknown,
  pointer: ValueAt["pointer"],
  value: unknown,
  wildcard: string | undefined,
): ConfiguredServer[] {
  if (!isFields(value) || !isFields(root)) return [];
  return [{ pointer, wildcard, name: text(root.display_name) ?? text(root.name) ?? "extension", fields: value }];
}

function isServer(fields: Fields): boolean {
  if (BUILTIN_TYPES.has(String(fields.type))) return false;
  return commandOf(fields).length > 0 || urlOf(fields) !== undefined;
}

/** Everything of the entry except values of variables and headers. */
export function describeServer({
  name,
  fields,
}: ConfiguredServer): Pick<
  RawServer,
  "name" | "transport" | "command" | "args" | "url" | "envKeys" | "headerKeys" | "enabled"
> {
  const [command, ...args] = commandOf(fields);
  const url = urlOf(fields);
  const nested = isFields(fields.command) ? fields.command : {};
  return {
    name,
    transport: transportOf(fields, command),
    command,
    args: command === undefined ? undefined : args,
    url: command === undefined ? url : undefined,
    envKeys: keysOf([fields, nested], ENV_KEYS),
    headerKeys: [
      ...keysOf([fields], HEADER_KEYS),
      ...(fields.bearer_token_env_var === undefined ? [] : ["Authorization"]),
    ],
    enabled: fields.disabled !== true && fields.enabled !== false,
  };
}

/** `command` with `args`, Goose's `cmd`, a list, or Zed's `{path, args}`. */
function commandOf(fields: Fields): string[] {
  const { command, cmd } = fields;
  if (Array.isArray(command)) return texts(command);
  if (isFields(command)) return withProgram(command.path ?? command.command, command.args);
  return withProgram(command ?? cmd, fields.args ?? fields.arguments);
}

function withProgram(program: unknown, args: unknown): string[] {
  const name = text(program)?.trim();
  return name === undefined || name === "" ? [] : [name, ...texts(args)];
}

function urlOf(fields: Fields): string | undefined {
  for (const key of URL_KEYS) {
    const url = text(fields[key])?.trim();
    if (url !== undefined && url !== "") return url;
  }
  return undefined;
}

function transportOf(fields: Fields, command: string | undefined): Transport {
  if (command !== undefined) return "stdio";
  const declared = isFields(fields.transport) ? fields.transport.type : (fields.type ?? fields.transport);
  return String(declared).toLowerCase() === "sse" ? "sse" : "http";
}

function keysOf(sources: readonly Fields[], names: readonly string[]): string[] {
  return sources.flatMap((source) =>
    names.flatMap((name) => {
      const value = source[name];
      if (Array.isArray(value)) return value.flatMap(namesOfEntry);
      if (!isFields(value)) return [];
      return isFields(value.headers) ? Object.keys(value.headers) : Object.keys(value);
    }),
  );
}

/**
 * An entry of a list of variables or headers: `NAME=value`, `Name: value`, `[name, value]` or `{name, value}`. A text without
 * a separator can be a value, unless it is written like a variable.
 */
function namesOfEntry(entry: unknown): string[] {
  if (Array.isArray(entry)) return texts(entry.slice(0, 1));
  if (isFields(entry)) return "value" in entry ? texts([entry.name ?? entry.key]) : Object.keys(entry);
  return texts([entry]).filter((name) => /^[\w-]+\s*[=:]|^[A-Z_][A-Z0-9_]*$/.test(name));
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function texts(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each) => ["string", "number", "boolean"].includes(typeof each)).map(String);
}
