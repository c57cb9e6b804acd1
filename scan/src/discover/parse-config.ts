import { parse, TomlError } from "smol-toml";
import type { ConfigFormat } from "../tables/mcp-configs.ts";
import { type Fields, parseJson } from "./parse-json.ts";
import { parseYaml } from "./parse-yaml.ts";

/** Parsers of these formats are slower than the one of JSON. */
export const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** The value of a configuration file. Throws if it is not valid. */
export function parseConfig(text: string, format: ConfigFormat): unknown {
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (source.trim() === "") return {};
  if (format === "toml") return parseToml(source);
  if (format === "yaml") return parseYaml(source);
  return parseJson(source);
}

/** The parser's message quotes lines of the file, which can contain secrets. */
function parseToml(source: string): unknown {
  try {
    return parse(source, { integersAsBigInt: "asNeeded" });
  } catch (error) {
    throw new SyntaxError(error instanceof TomlError ? `Invalid TOML in line ${error.line}` : "Invalid TOML");
  }
}

export type { Fields };

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
