import { fold } from "#lib/fold";
import type { AttributePath, Filter, FilterValue, Operator } from "./filter.ts";

/** Attributes that are compared exactly. All others ignore case (RFC 7643, `caseExact`), such as emails. */
const CASE_EXACT: ReadonlySet<string> = new Set(["id", "externalid", "$ref"]);

/** Whether a resource, or one value of a complex attribute, matches a filter. Attribute names are case-insensitive. */
export function matchesFilter(filter: Filter, resource: object): boolean {
  switch (filter.kind) {
    case "and":
      return filter.filters.every((each) => matchesFilter(each, resource));
    case "or":
      return filter.filters.some((each) => matchesFilter(each, resource));
    case "not":
      return !matchesFilter(filter.filter, resource);
    case "values":
      return valuesAt(resource, filter.path).length > 0;
    case "compare":
      return compareAny(filter, resource);
  }
}

/** The values that a path selects; those of a multi-valued attribute each. */
export function valuesAt(resource: object, { attribute, filter, sub }: AttributePath): unknown[] {
  const values = listOf(memberOf(resource, attribute)).filter(
    (value) => filter === undefined || matchesFilter(filter, asObject(value)),
  );
  return sub === undefined ? values : values.flatMap((value) => listOf(memberOf(asObject(value), sub)));
}

function compareAny({ path, operator, value }: Filter & { kind: "compare" }, resource: object): boolean {
  const values = valuesAt(resource, path).map((each) => simpleValue(each));
  if (operator === "pr") return values.some((each) => each !== null && each !== "");
  const attribute = path.sub ?? path.attribute;
  // An attribute without a value equals null, and is not equal to anything else.
  if (values.length === 0) return operator === "ne" ? value !== null : operator === "eq" && value === null;
  if (operator === "ne") return values.every((each) => !compare(attribute, each, "eq", value));
  return values.some((each) => compare(attribute, each, operator, value));
}

/** A comparison with a complex attribute compares its `value`. */
function simpleValue(value: unknown): FilterValue {
  const simple = typeof value === "object" && value !== null ? memberOf(value, "value") : value;
  return typeof simple === "string" || typeof simple === "number" || typeof simple === "boolean" ? simple : null;
}

function compare(attribute: string, actual: FilterValue, operator: Operator, wanted: FilterValue): boolean {
  if (typeof actual === "boolean") return operator === "eq" && actual === asBoolean(wanted);
  if (typeof actual === "number" && typeof wanted === "number") return order(actual - wanted, operator);
  if (typeof actual !== "string" || typeof wanted !== "string") return operator === "eq" && actual === wanted;
  const key = CASE_EXACT.has(attribute) ? (text: string) => text : fold;
  return compareTexts(key(actual), key(wanted), operator);
}

function compareTexts(actual: string, wanted: string, operator: Operator): boolean {
  switch (operator) {
    case "co":
      return actual.includes(wanted);
    case "sw":
      return actual.startsWith(wanted);
    case "ew":
      return actual.endsWith(wanted);
    default:
      return order(actual < wanted ? -1 : Number(actual > wanted), operator);
  }
}

function order(difference: number, operator: Operator): boolean {
  switch (operator) {
    case "eq":
      return difference === 0;
    case "gt":
      return difference > 0;
    case "ge":
      return difference >= 0;
    case "lt":
      return difference < 0;
    case "le":
      return difference <= 0;
    default:
      return false;
  }
}

/** Entra sends booleans as text. */
export function asBoolean(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.toLowerCase() : "";
  return text === "true" ? true : text === "false" ? false : undefined;
}

function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** A simple value counts as the `value` of a complex one. */
function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : { value };
}

/** The member with this lower-case name, whatever its case. */
export function memberOf(object: object, name: string): unknown {
  const key = Object.keys(object).find((each) => each.toLowerCase() === name);
  return key === undefined ? undefined : Reflect.get(object, key);
}
