import { invalid } from "#lib/errors";
import {
  type CheckDefinition,
  defaultOnError,
  ENTITY_TYPES,
  type EntityType,
  GUARD_ACTIONS,
  GUARD_DIRECTIONS,
  GUARD_TYPES,
  type GuardAction,
  type GuardDefinition,
  type GuardDirection,
  type GuardScope,
  type GuardType,
  ON_ERROR,
} from "./definition.ts";
import { FieldReader } from "./read-fields.ts";
import { validateCheck } from "./validate-check.ts";

const MAX_CHECKS = 50;
const MAX_SLUG = 64;
const BUILDTIME_ACTIONS: readonly GuardAction[] = ["log", "warn", "block"];

/**
 * Validates a guard and completes it with the defaults. `slug` is the slug to use if the value has none. Unknown members
 * outside of `config` are ignored. Throws a Refusal for the first field that is not valid. `readChecks` replaces the
 * validation of the checks.
 */
export function validateGuard(value: unknown, slug: string, readChecks = validateChecks): GuardDefinition {
  const fields = new FieldReader("", value);
  const name = fields.name("name", 200);
  const type = fields.choice("type", GUARD_TYPES);
  const action = readAction(fields, type);
  return {
    slug: readSlug(fields, slug),
    name,
    description: fields.text("description", 2_000, ""),
    type,
    enabled: fields.flag("enabled", false),
    action,
    threshold: fields.integer("threshold", 1, 10, 7),
    direction: readDirection(fields, type, action),
    entity_types: readEntityTypes(fields, type),
    scope: validateScope(fields.value("scope") ?? {}),
    checks: readChecks(fields.value("checks")),
    priority: fields.integer("priority", 0, 1_000_000, 100),
    on_error: fields.choice("on_error", ON_ERROR, defaultOnError(action)),
    message: fields.text("message", 500, ""),
  };
}

/** Fields that cannot be null, because there is no value to clear. */
const NOT_NULL = ["name", "type", "enabled", "action", "threshold", "direction", "entity_types", "checks", "priority"];

/** Validates changes as far as that is possible without the guard: some actions are not allowed for some types. */
export function validateGuardChanges(value: Readonly<Record<string, unknown>>): void {
  const missing = NOT_NULL.find((field) => value[field] === null);
  if (missing !== undefined) throw invalid(missing, missing === "name" ? "name is required" : "must not be null");
  const { slug: _slug, type: _type, ...given } = value;
  const readChecks = given.checks === undefined ? () => [] : validateChecks;
  validateGuard({ name: "any", action: "log", ...given, type: "runtime" }, "any", readChecks);
  const fields = new FieldReader("", value);
  if (fields.has("type")) fields.choice("type", GUARD_TYPES);
  // An empty list is what a runtime guard has.
  if (!Array.isArray(value.entity_types) || value.entity_types.length > 0) readEntityTypes(fields, "buildtime");
}

export function validateChecks(value: unknown): CheckDefinition[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > MAX_CHECKS) {
    throw invalid("checks", `must be a list of 1 to ${MAX_CHECKS} items`);
  }
  const checks = value.map(validateCheck);
  const ids = new Set<string>();
  for (const [index, { id }] of checks.entries()) {
    if (ids.has(id)) throw invalid(`checks.${index}.id`, `another check of the guard has the id ${id}`);
    ids.add(id);
  }
  return checks;
}

/** Groups, servers and users are not looked up here. */
export function validateScope(value: unknown): GuardScope {
  const scope = new FieldReader("scope", value);
  scope.refuseUnknown(["groups", "servers", "tools", "users", "exclude_servers"]);
  const list = (field: string) => scope.texts(field, { maximum: 1_000, maxLength: 320 });
  return {
    groups: list("groups"),
    servers: list("servers"),
    tools: list("tools"),
    users: list("users"),
    exclude_servers: list("exclude_servers"),
  };
}

function readSlug(fields: FieldReader, fallback: string): string {
  const slug = fields.text("slug", MAX_SLUG, fallback);
  if (!/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/.test(slug)) {
    throw invalid(
      "slug",
      "must contain only lowercase letters, numbers and hyphens, and must not start or end with a hyphen",
    );
  }
  return slug;
}

function readAction(fields: FieldReader, type: GuardType): GuardAction {
  const action = fields.choice("action", GUARD_ACTIONS);
  if (type === "buildtime" && !BUILDTIME_ACTIONS.includes(action)) {
    throw invalid("action", `${action} is not allowed for buildtime guards`);
  }
  return action;
}

/** An approval can only hold a request. */
function readDirection(fields: FieldReader, type: GuardType, action: GuardAction): GuardDirection {
  const direction = fields.choice("direction", GUARD_DIRECTIONS, "both");
  return type === "runtime" && action === "require_approval" ? "request" : direction;
}

function readEntityTypes(fields: FieldReader, type: GuardType): EntityType[] {
  if (type === "runtime") return [];
  if (!fields.has("entity_types")) return [...ENTITY_TYPES];
  const names = fields.texts("entity_types", { minimum: 1, maximum: ENTITY_TYPES.length, maxLength: 40 });
  return names.map((name, index) => {
    const found = ENTITY_TYPES.find((each) => each === name);
    if (found === undefined) throw invalid(`entity_types.${index}`, `must be one of ${ENTITY_TYPES.join(", ")}`);
    return found;
  });
}
