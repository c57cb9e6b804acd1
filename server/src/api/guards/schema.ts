import { z } from "zod";
import { createdAt, isoTime, recordId, updatedAt } from "#api/kit/answers";
import {
  CHECK_TYPES,
  defaultOnError,
  ENTITY_TYPES,
  GUARD_ACTIONS,
  GUARD_DIRECTIONS,
  GUARD_TYPES,
  ON_ERROR,
} from "#guards/definition";
import { nameScopes } from "#records/guards";
import type { MainDb } from "#storage/database";
import type { GuardRow, StoredCheck, StoredScope } from "#storage/guard-tables";

const list = (description: string) => z.array(z.string()).describe(description);
const config = z.record(z.string(), z.unknown()).meta({
  description: "Settings of the check; `GET /api/guards/check-types` describes them. Unknown fields are rejected",
  example: { pattern: "ACME-[0-9]{6}" },
});

const scopeFields = {
  groups: list("Names of groups; the caller must be a member of one"),
  servers: list("Slugs of MCP servers"),
  tools: list("Names of tools at the gateway, with `*` and `?`, such as `github__*`"),
  users: list("Emails of people and machine users"),
  exclude_servers: list("Slugs of MCP servers that the guard does not cover"),
};

const GuardScope = z.object(scopeFields).meta({
  id: "GuardScope",
  description:
    "Which calls a runtime guard covers. An empty list means any; all other lists must match. A deleted group, server or user is shown by its ID",
});

const checkFields = {
  id: z.string().meta({ description: "Unique in the guard", example: "regex-ticket" }),
  type: z.enum(CHECK_TYPES).describe("What is examined, and how"),
  name: z.string().meta({ description: "Shown in findings", example: "Ticket" }),
  certainty: z.int().meta({ description: "1 to 10. Graded checks report their certainty instead", example: 8 }),
  config,
};

const GuardCheck = z
  .object({
    ...checkFields,
    header_names: z.array(z.string()).optional().describe("Webhooks only: the names of the headers, which are secret"),
    has_api_key: z.boolean().optional().describe("Models only: whether a key is stored, which is secret"),
  })
  .meta({ id: "GuardCheck", description: "A check of a guard" });

const guardFields = {
  name: z.string().meta({ description: "Display name, also in messages to callers", example: "Ticket numbers" }),
  description: z.string().describe("For admins"),
  type: z
    .enum(GUARD_TYPES)
    .describe("`runtime`: examines calls; `buildtime`: examines content when it is published. Never changes"),
  enabled: z.boolean().describe("Takes effect immediately"),
  action: z
    .enum(GUARD_ACTIONS)
    .describe("What happens if the guard fires. Build-time guards allow only `log`, `warn` and `block`"),
  threshold: z.int().meta({ description: "1 to 10: fires if a finding is at least this certain", example: 7 }),
  direction: z.enum(GUARD_DIRECTIONS).describe("Which part of a call is examined; `require_approval`: only `request`"),
  entity_types: z.array(z.enum(ENTITY_TYPES)).describe("Build-time guards only: which content is examined"),
  priority: z.int().meta({ description: "0 to 1,000,000, the lowest first", example: 100 }),
  on_error: z
    .enum(ON_ERROR)
    .describe(
      "What happens if a check fails, takes too long, or cannot see all of the text. Default: `allow` for `log` and `warn`, otherwise `block`",
    ),
  message: z.string().describe("Shown to the caller if the guard blocks"),
};

/** Families 6. */
export const Guard = z
  .object({
    id: recordId("grd"),
    slug: z.string().meta({ description: "Unique, never changes; used in logs", example: "ticket-numbers" }),
    ...guardFields,
    scope: GuardScope,
    checks: z.array(GuardCheck).describe("The guard fires if one of them has a finding"),
    is_builtin: z
      .boolean()
      .describe(
        "Built-in guards cannot be deleted; only `enabled`, `action`, `threshold`, `scope`, `direction` and `priority` can be changed",
      ),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({
    id: "Guard",
    description: "A guard examines calls or content, and blocks, redacts or reports what it finds",
  });

const writtenChecks = z
  .array(
    z.object({
      ...checkFields,
      id: checkFields.id.optional().describe("Default: from the type and the name"),
      certainty: checkFields.certainty.optional().describe("1 to 10; default: 8"),
      config: config.optional().describe("Default: no settings"),
    }),
  )
  .describe(
    "1 to 50 checks; replaces all. `headers` of a webhook and `api_key` of a model are never returned; if they are omitted, a check with the same ID and destination keeps them",
  );

const { name, type, action, ...optional } = guardFields;
const changeable = {
  ...z.object(optional).partial().shape,
  on_error: optional.on_error.nullish(),
  scope: z.object(scopeFields).partial().optional().describe("Which calls it covers. Default: all"),
};

/** For the document only: `#guards/validate-guard` validates, with messages that name the faulty field. */
export const CreateGuardBody = z
  .object({
    name,
    type,
    action,
    slug: z.string().optional().describe("Default: from the name"),
    ...changeable,
    checks: writtenChecks,
  })
  .meta({
    id: "CreateGuard",
    description: "A guard to create. It is disabled unless `enabled` is true",
    example: {
      ...{ name: "Ticket numbers", type: "runtime", action: "redact" },
      checks: [{ type: "regex", name: "Ticket", config: { pattern: "ACME-[0-9]{6}" } }],
    },
  });

export const UpdateGuardBody = z
  .object({
    name: name.optional(),
    type: type.optional(),
    action: action.optional(),
    ...changeable,
    checks: writtenChecks.optional(),
  })
  .meta({
    id: "UpdateGuard",
    description: "Changes to a guard. Omitted fields keep their values; `scope` and `checks` are replaced",
    example: { enabled: true },
  });

/** Any JSON object. */
export const AnyBody = z.record(z.string(), z.unknown());

export type PresentedGuard = z.input<typeof Guard>;

export async function presentGuards(db: MainDb, rows: readonly GuardRow[]): Promise<PresentedGuard[]> {
  const scopes = await nameScopes(
    db,
    rows.map(({ scope }) => scope),
  );
  return rows.map((row, at) => presentGuard(row, scopes[at] ?? row.scope));
}

function presentGuard(row: GuardRow, scope: StoredScope): PresentedGuard {
  const { id, slug, name, description, type, enabled, action, threshold, direction, entity_types } = row;
  return {
    ...{ id, slug, name, description, type, enabled, action, threshold, direction, entity_types },
    priority: row.priority,
    on_error: row.on_error ?? defaultOnError(action),
    message: row.message,
    scope,
    checks: row.checks.map(presentCheck),
    is_builtin: row.builtin_key !== null,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** Headers of webhooks and API keys are not part of the row's checks. */
export function presentCheck({ id, type, name, certainty, config, header_names, has_api_key }: StoredCheck) {
  // The type was validated when the guard was saved.
  const known = type as (typeof CHECK_TYPES)[number];
  return {
    id,
    type: known,
    name,
    certainty,
    config,
    ...(header_names && { header_names }),
    ...(has_api_key && { has_api_key }),
  };
}
