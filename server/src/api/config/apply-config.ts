import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { write } from "#api/kit/operation";
import { Refusal } from "#lib/errors";
import type { MainTransaction } from "#storage/database";
import { applyConfiguration, type Configuration, presentStep, readConfiguration } from "./plan.ts";
import { ApplyConfigBody, CONFIG_BODY_BYTES, ConfigStep } from "./schema.ts";

/** F26: runs the operations of all steps in one transaction, so a failed step leaves nothing changed. */
export const applyConfig = write({
  id: "applyConfig",
  route: "POST /api/config/apply",
  tag: "Configuration",
  summary: "Apply a configuration",
  description:
    "Makes the declared objects equal to the configuration, in one transaction: if one object is rejected, nothing changes. Each step has the same checks and audit entries as the operation that it runs. Objects that are not declared are deleted only with `prune`. With `planned`, nothing changes if other steps than those are necessary (409).",
  scope: "admin:write",
  body: ApplyConfigBody,
  bodyLimitBytes: CONFIG_BODY_BYTES,
  answers: { 200: z.object({ data: z.array(ConfigStep) }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to apply the configuration",
  async run({ tx, trail, invoke, context, actor, body }) {
    const { prune = false, planned } = body;
    const config = readConfiguration(body.config);
    const steps = await applyConfiguration({ db: tx, invoke, context }, config, prune);
    const made = steps.map(presentStep);
    if (planned && !isSame(made, planned)) {
      throw new Refusal("conflict", "The installation changed after the plan, so nothing was applied. Plan again");
    }
    await markManaged(tx, config, { applied_by: actor.name, applied_at: context.clock.now() });
    const counts = Object.groupBy(steps, ({ action }) => action);
    const after = {
      steps: Object.fromEntries(Object.entries(counts).map(([name, list]) => [name, list.length])),
      prune,
    };
    trail.audit({
      operation: "applyConfig",
      target: { kind: "config", id: "organization", name: "configuration" },
      after,
    });
    return { status: 200, body: { data: made } };
  },
});

/** A plan was sent as JSON, which omits what is undefined. */
function isSame(made: readonly object[], planned: readonly object[]): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(made)), planned);
}

/** The declared objects of the given kinds are managed by files from now on, and no others. */
async function markManaged(
  tx: MainTransaction,
  config: Configuration,
  by: { readonly applied_by: string; readonly applied_at: number },
): Promise<void> {
  for (const [kind, objects] of Object.entries(config)) {
    await tx.deleteFrom("managed_objects").where("kind", "=", kind).execute();
    const rows = objects.map((object) => ({
      kind,
      object_key: String(object.slug ?? object.name),
      fields: Object.keys(object).join(),
      ...by,
    }));
    if (rows.length > 0) await tx.insertInto("managed_objects").values(rows).execute();
  }
}
