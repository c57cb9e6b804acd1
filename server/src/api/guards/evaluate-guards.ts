import { z } from "zod";
import { read } from "#api/kit/operation";
import { invalid } from "#lib/errors";
import { EvaluateBody, EvaluateDocument } from "./evaluate-body.ts";
import { evaluateAll, evaluateOne, GuardCheckResult, GuardDecision } from "./evaluation.ts";
import { requirePlain } from "./require-plain.ts";
import { selectAll, selectOne } from "./select-guards.ts";

/** Families 6. */
export const evaluateGuards = read({
  id: "evaluateGuards",
  route: "POST /api/guards/evaluate",
  tag: "Guards",
  summary: "Evaluate content with guards",
  description:
    "With `guard_id`, `guard_slug` or `guard`, returns the result of one guard. With `entity_type` or `direction`, evaluates all enabled guards that apply and returns their combined decision, which is the decision about a call with the same content. Nothing is stored or counted. Findings contain only the first two characters of the matched text.\n\nWebhook and llm checks send the content to their URL or provider. An unsaved guard with webhook or llm checks needs `admin:write`.",
  scope: "admin:read",
  body: EvaluateBody,
  bodyDocument: EvaluateDocument,
  answers: { 200: z.object({ data: z.union([GuardDecision, GuardCheckResult]) }) },
  refusals: [400, 404],
  onCrash: "Failed to evaluate guards",
  async run({ db, body, context, requireScope }) {
    requirePlain("content", body.content, true);
    const single = [body.guard_id, body.guard_slug, body.guard].filter((given) => given != null);
    if (single.length > 1) throw invalid("guard", "only one of guard_id, guard_slug and guard can be given");
    if (single.length === 1) {
      const guard = await selectOne(db, context, body, () => requireScope("admin:write"));
      return { status: 200, body: { data: await evaluateOne(context, guard, body) } };
    }
    if (body.entity_type == null && body.direction == null) {
      throw invalid("entity_type", "entity_type, direction or a guard is required");
    }
    const selection = await selectAll(db, context, body);
    return { status: 200, body: { data: await evaluateAll(context, selection, body) } };
  },
});
