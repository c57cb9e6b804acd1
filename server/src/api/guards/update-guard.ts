import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import type { GuardDefinition } from "#guards/definition";
import { validateGuard, validateGuardChanges } from "#guards/validate-guard";
import { invalid, notFound } from "#lib/errors";
import {
  type GuardChanges,
  lockGuard,
  resolveScope,
  sealSecrets,
  splitSecrets,
  updateGuard as updateRow,
} from "#records/guards";
import type { MainTransaction } from "#storage/database";
import type { GuardRow } from "#storage/guard-tables";
import { toStored } from "./create-guard.ts";
import { readChecks, withKeptSecrets } from "./remote-checks.ts";
import { requirePlainBody } from "./require-plain.ts";
import { AnyBody, Guard, type PresentedGuard, presentGuards, UpdateGuardBody } from "./schema.ts";

type Given = Readonly<Record<string, unknown>>;

/** Families 6. */
export const updateGuard = write({
  id: "updateGuard",
  route: "PATCH /api/guards",
  tag: "Guards",
  summary: "Update a guard",
  description:
    "Omitted fields keep their values; `scope` and `checks` are replaced. The slug and the type never change. Of a built-in guard, only `enabled`, `action`, `threshold`, `scope`, `direction` and `priority` can be changed.",
  scope: "admin:write",
  query: { slug: targetParameter("The guard's slug", "secrets") },
  body: AnyBody,
  bodyDocument: UpdateGuardBody,
  answers: { 200: z.object({ data: Guard }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to update guard",
  async run({ tx, trail, query, body, context }) {
    requirePlainBody(body);
    validateGuardChanges(body);
    const row = await lockGuard(tx, query.slug);
    const [before] = row ? await presentGuards(tx, [row]) : [];
    if (!row || !before) throw notFound.guard();
    requireChangeable(row, before, body);
    const { checks: _checks, ...current } = before;
    const guard = validateGuard({ ...current, ...body, type: row.type, slug: row.slug }, row.slug, (checks) =>
      checks === undefined ? [] : readChecks(context, checks),
    );
    const changes = await changesOf(tx, context, row, guard, body);
    const after = await updateRow(tx, trail, row, changes);
    const [data] = await presentGuards(tx, [after]);
    if (!data) throw notFound.guard();
    trail.audit({
      operation: "updateGuard",
      target: { kind: "guard", id: row.id, name: row.slug },
      before,
      after: data,
    });
    return { status: 200, body: { data } };
  },
});

const FIXED_IN_BUILT_INS = ["name", "description", "entity_types", "checks", "on_error", "message"] as const;

/** A client may send back what it read, so only a different value is an error. */
function requireChangeable({ type, builtin_key }: GuardRow, before: PresentedGuard, given: Given): void {
  if (given.type !== undefined && given.type !== type) throw invalid("type", "cannot be changed");
  if (builtin_key === null) return;
  const changed = FIXED_IN_BUILT_INS.find(
    (field) => given[field] !== undefined && !isDeepStrictEqual(given[field], before[field]),
  );
  if (changed !== undefined) throw invalid(changed, "cannot be changed for built-in guards");
}

async function changesOf(
  tx: MainTransaction,
  context: ApiContext,
  row: GuardRow,
  guard: GuardDefinition,
  given: Given,
): Promise<GuardChanges> {
  const { name, description, enabled, action, threshold, direction, entity_types, priority, message } = guard;
  const isBuiltIn = row.builtin_key !== null;
  return {
    ...{ name, description, enabled, action, threshold, direction, priority, message },
    entity_types: [...entity_types],
    ...(given.scope !== undefined && { scope: await resolveScope(tx, guard.scope, row.scope) }),
    ...(given.checks !== undefined && !isBuiltIn && checksOf(context, row, guard, given)),
    ...(given.on_error !== undefined && !isBuiltIn && { on_error: given.on_error === null ? null : guard.on_error }),
    updated_at: context.clock.now(),
  };
}

function checksOf(context: ApiContext, row: GuardRow, guard: GuardDefinition, given: Given): GuardChanges {
  const kept = withKeptSecrets(context, guard.checks, given.checks, row);
  const { checks, secrets } = splitSecrets(kept.map(toStored));
  return { checks, sealed_headers: sealSecrets(context.vault, row.id, secrets) };
}
