import { isJsonObject, type Json } from "./exact-json.ts";

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/; // RFC 9110
const SCALARS = new Set<unknown>(["string", "integer", "boolean"]);

/** Keywords with subschemas that may not apply, so headers below them are invalid. */
const BRANCHES = [
  "items",
  "prefixItems",
  "contains",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "propertyNames",
  "oneOf",
  "anyOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
];
const NAMED_BRANCHES = ["patternProperties", "dependentSchemas", "$defs", "definitions"];

/**
 * Clients must ignore a tool with an invalid `x-mcp-header` (MCP 2026-07-28). A valid one is a unique token on a scalar
 * property that is nested only in `properties`.
 */
export function hasValidParamHeaders(schema: Json): boolean {
  const names = new Set<string>();
  const isValid = (node: unknown, place: "root" | "property" | "branch"): boolean => {
    if (!isJsonObject(node)) return true;
    if (node["x-mcp-header"] !== undefined && !(place === "property" && isNewHeader(node, names))) return false;
    const below = place === "branch" ? "branch" : "property";
    return (
      valuesOf(node.properties).every((property) => isValid(property, below)) &&
      BRANCHES.every((key) => listOf(node[key]).every((branch) => isValid(branch, "branch"))) &&
      NAMED_BRANCHES.every((key) => valuesOf(node[key]).every((branch) => isValid(branch, "branch")))
    );
  };
  return isValid(schema, "root");
}

function isNewHeader(property: Json, names: Set<string>): boolean {
  const header = property["x-mcp-header"];
  if (typeof header !== "string" || !TOKEN.test(header) || !SCALARS.has(property.type)) return false;
  const name = header.toLowerCase();
  if (names.has(name)) return false;
  names.add(name);
  return true;
}

function valuesOf(value: unknown): unknown[] {
  return isJsonObject(value) ? Object.values(value) : [];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}
