import { z } from "zod";
import { read } from "#api/kit/operation";
import { invalid } from "#lib/errors";
import { resolveScope } from "#records/guards";
import { writeTransaction } from "#storage/transaction";
import { dryRun } from "./dry-run.ts";
import { DryRun, DryRunBody, DryRunDocument } from "./dry-run-body.ts";
import { selectOne } from "./select-guards.ts";

/** F18, F38. A pattern of the caller could read payloads, so this needs the scope for payloads and is audited. */
export const dryRunGuard = read({
  id: "dryRunGuard",
  route: "POST /api/guards/dry-run",
  tag: "Guards",
  summary: "Try a runtime guard on logged calls",
  description:
    "Runs a guard over the stored payloads of a period and reports what it would have done, with the current groups of the callers. Matched text is neither stored nor returned. Payloads are stored only if the setting `payload_capture` says so; `warnings` says why the result is incomplete, for example because secrets were removed before they were stored. At most 20 s; then the newest calls were examined.\n\nRequires the scope `logs:payloads` too, and is written to the audit log. Guards with webhook or llm checks cannot be tried, because they would send payloads to other services.",
  scope: "admin:read",
  body: DryRunBody,
  bodyDocument: DryRunDocument,
  answers: {
    200: z.object({
      data: DryRun,
      warnings: z.array(z.string()).optional().describe("Why the result is incomplete; omitted if it is complete"),
    }),
  },
  refusals: [400, 404],
  onCrash: "Failed to try the guard",
  async run({ db, body, context, actor, requestId, address, requireScope }) {
    requireScope("logs:payloads");
    if ((body.guard == null) === (body.guard_slug == null)) {
      throw invalid("guard_slug", "one of guard_slug and guard is required");
    }
    const [from, to] = [Date.parse(body.from), Date.parse(body.to)];
    if (from >= to) throw invalid("to", "must be after from");
    const selected = await selectOne(db, context, body, () => requireScope("admin:write"));
    if (selected.type !== "runtime") throw invalid("guard", "only runtime guards can be tried on calls");
    if (selected.checks.some(({ type }) => type === "webhook" || type === "llm")) {
      throw invalid("guard", "webhook and llm checks cannot be tried on logged calls");
    }
    const guard = body.guard == null ? selected : { ...selected, scope: await resolveScope(db, selected.scope) };
    const target = { kind: "guard", id: guard.slug, name: body.guard == null ? guard.slug : "unsaved guard" };
    const writing = { db: context.databases.main, clock: context.clock, newId: context.newId };
    await writeTransaction(writing, { actor, requestId, address }, async (_tx, trail) => {
      trail.audit({ operation: "dryRunGuard", target, after: { from: body.from, to: body.to } });
    });
    await context.callsStored();
    const report = await dryRun(context, guard, { from, to, limit: body.limit });
    const warnings = report.warnings();
    return { status: 200, body: { data: report.present(), ...(warnings.length > 0 && { warnings }) } };
  },
});
