import { type AttributePath, parsePath } from "./filter.ts";
import { memberOf } from "./match-filter.ts";
import { ScimError } from "./scim-error.ts";
import type { PatchOp } from "./user-draft.ts";

export interface PatchOperation {
  readonly op: PatchOp;
  readonly path: AttributePath;
  readonly value: unknown;
}

const MAX_OPERATIONS = 1_000;

/**
 * The operations of a PATCH body (RFC 7644, section 3.5.2), each with a path: an operation without one, whose value is
 * an object, becomes one operation for each member. Providers write the names of operations in any case.
 */
export function readPatch(body: object): PatchOperation[] {
  const operations = memberOf(body, "operations");
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimError(400, "Operations: must be a non-empty array", "invalidSyntax");
  }
  if (operations.length > MAX_OPERATIONS) {
    throw new ScimError(400, `Operations: must contain at most ${MAX_OPERATIONS} operations`, "invalidSyntax");
  }
  return operations.flatMap(readOperation);
}

function readOperation(given: unknown): PatchOperation[] {
  if (typeof given !== "object" || given === null) {
    throw new ScimError(400, "Operations: must contain objects", "invalidSyntax");
  }
  const op = readOp(memberOf(given, "op"));
  const path = memberOf(given, "path");
  const value = memberOf(given, "value");
  if (path !== undefined && path !== null && path !== "") {
    if (typeof path !== "string") throw new ScimError(400, "path: must be a string", "invalidPath");
    if (op !== "remove" && value === undefined) throw new ScimError(400, "value: is required", "invalidValue");
    return [{ op, path: parsePath(path), value }];
  }
  if (op === "remove") throw new ScimError(400, "path: is required to remove", "noTarget");
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ScimError(400, "value: must be an object if there is no path", "invalidValue");
  }
  return Object.entries(value).flatMap(([name, each]) => membersOf(op, name, each));
}

/** A member can be a path, or the URN of an extension with an object of its attributes. */
function membersOf(op: PatchOp, name: string, value: unknown): PatchOperation[] {
  if (/^urn:.*:(?:User|Group)$/i.test(name) && typeof value === "object" && value !== null) {
    return Object.entries(value).map(([key, each]) => ({ op, path: parsePath(`${name}:${key}`), value: each }));
  }
  return [{ op, path: parsePath(name), value }];
}

function readOp(op: unknown): PatchOp {
  const name = typeof op === "string" ? op.toLowerCase() : "";
  if (name === "add" || name === "replace" || name === "remove") return name;
  throw new ScimError(400, "op: must be add, replace or remove", "invalidSyntax");
}

/** The attributes of a whole resource, as operations. Names that are no attributes are ignored. */
export function readAttributes(body: object): PatchOperation[] {
  const seen = new Set<string>();
  return Object.entries(body).flatMap(([name, value]) => {
    if (!/^[A-Za-z][\w$-]*$/.test(name)) return [];
    const attribute = name.toLowerCase();
    if (seen.has(attribute)) throw new ScimError(400, `${name}: is given twice`, "invalidSyntax");
    seen.add(attribute);
    return [{ op: "replace" as const, path: { attribute }, value }];
  });
}
