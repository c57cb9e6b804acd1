/** Servers in a parsed configuration, whatever its client calls the fields. */
import type { RawServer } from "#policy/normalize-server";
import { fieldsNamed, targetsOf, texts } from "./entry-targets.ts";
import { type Fields, isFields } from "./parse-config.ts";
import { allFields } from "./parse-json.ts";

const ENV_KEYS = ["env", "envs", "environment"];
const HEADER_KEYS = ["headers", "http_headers", "env_http_headers", "requestinit", "requestoptions"];

/** A server and where it is in the file. */
export interface ConfiguredServer {
  /** Keys and indexes from the root of the file. */
  readonly pointer: readonly (string | number)[];
  /** The key that `*` matched, such as the folder of a project. */
  readonly wildcard: string | undefined;
  readonly name: string;
  readonly fields: Fields;
}

/** The servers at all keys, because the client can use any of them. */
export function findServers(root: unknown, keys: readonly (readonly string[])[], single = false): ConfiguredServer[] {
  return keys.flatMap((key) => {
    const found = valuesAt(root, key, [], undefined);
    if (single) return found.flatMap(({ pointer, value, wildcard }) => singleServer(root, pointer, value, wildcard));
    const servers = found.flatMap(({ pointer, value, wildcard }) => entriesOf(value, pointer, wildcard));
    // In the entire file, the lists of other keys are no servers.
    return key.length > 0
      ? servers
      : servers.filter(({ pointer: [name] }) => !keys.some(([list]) => isSame(list, name)));
  });
}

function isSame(key: string | undefined, name: string | number | undefined): boolean {
  return typeof name === "string" && key?.toLowerCase() === name.toLowerCase();
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
  return allFields(value)
    .filter(([name]) => part === "*" || isSame(part, name))
    .flatMap(([name, each]) => valuesAt(each, rest, [...pointer, name], part === "*" ? name : wildcard));
}

function entriesOf(value: unknown, pointer: ValueAt["pointer"], wildcard: string | undefined): ConfiguredServer[] {
  if (Array.isArray(value)) {
    return value.flatMap((fields, index) =>
      isFields(fields)
        ? [{ pointer: [...pointer, index], wildcard, name: text(fields.name) ?? `#${index + 1}`, fields }]
        : [],
    );
  }
  if (!isFields(value)) return [];
  return allFields(value).flatMap(([name, fields]) =>
    isFields(fields)
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

type DescribedServer = Pick<
  RawServer,
  "name" | "transport" | "command" | "args" | "url" | "envKeys" | "headerKeys" | "enabled"
>;

/** Everything of the entry except values of variables and headers, for each command and URL of it. */
export function describeServer({ name, fields }: ConfiguredServer): DescribedServer[] {
  const nested = fieldsNamed(fields, ["command", "transport"]).filter(isFields);
  const described = {
    name,
    envKeys: keysOf([fields, ...nested], ENV_KEYS),
    headerKeys: [
      ...keysOf([fields, ...nested], HEADER_KEYS),
      ...(fields.bearer_token_env_var === undefined ? [] : ["Authorization"]),
    ],
    enabled: fields.disabled !== true && fields.enabled !== false,
  };
  return targetsOf(fields).map((target) => ({ ...described, ...target }));
}

function keysOf(sources: readonly Fields[], names: readonly string[]): string[] {
  return sources.flatMap((source) =>
    fieldsNamed(source, names).flatMap((value) => {
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
