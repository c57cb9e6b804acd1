import type { ApiContext } from "#api/kit/api-context";
import type { EntityType, GuardDefinition } from "#guards/definition";
import { definitionOf } from "#guards/from-record";
import { type GuardSelection, GuardSet } from "#guards/guard-set";
import { validateGuard } from "#guards/validate-guard";
import { notFound, Refusal, unknownReferences } from "#lib/errors";
import { userLinks } from "#records/groups";
import {
  enabledGuardsOfType,
  findGuard,
  findGuardById,
  joinSecrets,
  openSecrets,
  type PublishedGuard,
} from "#records/guards";
import { findServer } from "#records/mcp-servers";
import { findUser } from "#records/users";
import type { MainDb } from "#storage/database";
import type { EvaluateFields } from "./evaluate-body.ts";
import { readChecks } from "./remote-checks.ts";
import { requirePlain } from "./require-plain.ts";

/** The guard that the body names or contains. `requireWrite` rejects callers that could not save it. */
export async function selectOne(
  db: MainDb,
  context: ApiContext,
  { guard, guard_id, guard_slug }: Pick<EvaluateFields, "guard" | "guard_id" | "guard_slug">,
  requireWrite: () => void,
): Promise<GuardDefinition> {
  if (guard != null) {
    const definition = readInline(context, guard);
    // Otherwise a caller who can only read could send requests to any URL.
    if (definition.checks.some(({ type }) => type === "webhook" || type === "llm")) requireWrite();
    return definition;
  }
  const row = guard_id == null ? await findGuard(db, guard_slug ?? "") : await findGuardById(db, guard_id);
  if (!row) throw notFound.guard();
  return compiled(context, row);
}

function readInline(context: ApiContext, guard: Readonly<Record<string, unknown>>): GuardDefinition {
  requirePlain("guard", guard);
  try {
    return validateGuard(guard, "unsaved", (checks) => readChecks(context, checks));
  } catch (error) {
    if (error instanceof Refusal && error.kind === "invalid") throw new Refusal("invalid", `guard.${error.message}`);
    throw error;
  }
}

/** The enabled guards for the content; undefined if there are none. */
export async function selectAll(
  db: MainDb,
  context: ApiContext,
  body: EvaluateFields,
): Promise<GuardSelection | undefined> {
  const { direction } = body;
  if (direction == null) {
    // The operation requires one of them.
    const type = body.entity_type as EntityType;
    return (await enabledSet(db, context, "buildtime")).selectBuildtime(type);
  }
  const subject = await subjectOf(db, body);
  return (await enabledSet(db, context, "runtime")).select(subject, direction);
}

async function enabledSet(db: MainDb, context: ApiContext, type: PublishedGuard["type"]): Promise<GuardSet> {
  const rows = await enabledGuardsOfType(db, type);
  return new GuardSet(
    rows.map((row) => compiled(context, row)),
    context.clock,
  );
}

function compiled({ vault }: ApiContext, row: PublishedGuard): GuardDefinition {
  return definitionOf({ ...row, checks: joinSecrets(row.checks, openSecrets(vault, row)) });
}

/** Who calls what, by ids, as the gateway identifies them. */
async function subjectOf(db: MainDb, { tool, server, email }: EvaluateFields) {
  const slug = server ?? tool?.split("__", 1)[0];
  const known = slug === undefined ? undefined : await findServer(db, slug);
  if (slug !== undefined && !known) throw unknownReferences("MCP servers", [slug]);
  const user = email == null ? undefined : await findUser(db, email);
  if (email != null && !user) throw unknownReferences("Users", [email]);
  const groups = user ? ((await userLinks.groupsOf(db, [user.id])).get(user.id) ?? []) : [];
  return { server: known?.id ?? "", tool: tool ?? undefined, user: user?.id ?? "", groups };
}
