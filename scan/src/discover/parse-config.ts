import { type ParseError, parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { parseDocument } from "yaml";
import type { ConfigFormat } from "../tables/mcp-configs.ts";

/** Parsers of these formats are slower than the one of JSON. */
export const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** The value of a configuration file. Throws if it is not valid. */
export function parseConfig(text: string, format: ConfigFormat): unknown {
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (source.trim() === "") return {};
  if (format === "toml") return parseToml(source);
  if (format === "yaml") return parseYaml(source);
  const errors: ParseError[] = [];
  const value: unknown = parseJsonc(source, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new SyntaxError("Invalid JSON");
  return value;
}

export function parseYaml(source: string): unknown {
  const document = parseDocument(source, { schema: "core", merge: false, uniqueKeys: false, logLevel: "silent" });
  if (document.errors.length > 0) throw new SyntaxError("Invalid YAML");
  return document.toJS({ maxAliasCount: 100 });
}

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
