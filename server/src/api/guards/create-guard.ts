import { z } from "zod";
import { write } from "#api/kit/operation";
import { validateGuard } from "#guards/validate-guard";
import { LONG_SLUG_MAX_LENGTH, slugFromName } from "#lib/slug";
import { insertGuard, resolveScope, sealSecrets, splitSecrets } from "#records/guards";
import type { GuardRow, StoredCheck } from "#storage/guard-tables";
import { readChecks } from "./remote-checks.ts";
import { requirePlainBody } from "./require-plain.ts";
import { AnyBody, CreateGuardBody, Guard, presentGuards } from "./schema.ts";

/** Families 6. */
export const createGuard = write({
  id: "createGuard",
  route: "POST /api/guards",
  tag: "Guards",
  summary: "Create a guard",
  description:
    "A guard runs checks on the arguments and results of calls (`runtime`), or on content when it is published (`buildtime`). It fires if a check is at least as certain as `threshold`. An enabled guard applies immediately.",
  scope: "admin:write",
  body: AnyBody,
  bodyDocument: CreateGuardBody,
  answers: { 201: z.object({ data: Guard }) },
  refusals: [400],
  onCrash: "Failed to create guard",
  async run({ tx, trail, body, context }) {
    requirePlainBody(body);
    const { name } = body;
    const fallback = slugFromName(typeof name === "string" ? name : "", "guard", LONG_SLUG_MAX_LENGTH);
    const guard = validateGuard(body, fallback, (checks) => readChecks(context, checks));
    const scope = await resolveScope(tx, guard.scope);
    const id = context.newId("grd");
    const now = context.clock.now();
    const { checks, secrets } = splitSecrets(guard.checks.map(toStored));
    const row: GuardRow = {
      ...guard,
      ...{
        id,
        builtin_key: null,
        search_text: "",
        scope,
        checks,
        sealed_headers: sealSecrets(context.vault, id, secrets),
      },
      entity_types: [...guard.entity_types],
      on_error: body.on_error == null ? null : guard.on_error,
      ...{ created_at: now, updated_at: now },
    };
    const slug = await insertGuard(tx, trail, row);
    const [data] = await presentGuards(tx, [{ ...row, slug }]);
    if (!data) throw new Error("A new guard could not be presented");
    trail.audit({ operation: "createGuard", target: { kind: "guard", id, name: slug }, after: data });
    return { status: 201, body: { data } };
  },
});

export function toStored({
  id,
  type,
  name,
  certainty,
  config,
}: Omit<StoredCheck, "config"> & { config: object }): StoredCheck {
  return { id, type, name, certainty, config: { ...config } };
}
