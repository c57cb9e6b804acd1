import { z } from "zod";
import { read } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { grants, shows } from "#gateway/snapshot/resolve";
import type { ServerEntry, Snapshot, UserEntry } from "#gateway/snapshot/shape";
import { findUser } from "#records/users";
import { appliedLimits } from "./applied-limits.ts";
import { evaluate, stepsOf } from "./explanation.ts";
import { connectionState, type Facts, readFacts } from "./facts.ts";
import { REASON_TEXT, reasonOf, verdictOf } from "./reasons.ts";
import { CHECKS, Explanation } from "./schema.ts";

/** D22, AZ-2: the verdict comes from the function that decides calls. */
export const explainAccess = read({
  id: "explainAccess",
  route: "GET /api/access/explain",
  tag: "Access",
  summary: "Explain why a user can or cannot call a tool",
  description:
    "Returns every step of the gateway's decision, the verdict, how to change it, and the limits that apply. The tool does not have to exist.",
  scope: "admin:read",
  query: {
    email: targetParameter("The user's email", "ada@example.com"),
    tool: targetParameter("The gateway name of the tool", "github__create_issue"),
  },
  answers: { 200: z.object({ data: Explanation }) },
  refusals: [400],
  onCrash: "Failed to explain access",
  async run({ db, query: { email, tool }, context }) {
    const row = await findUser(db, email);
    const snapshot = context.snapshots.current();
    const user = row && snapshot.usersById.get(row.id);
    if (!user) return { status: 200, body: { data: unknownUser(email, tool) } };
    const evaluation = evaluate(snapshot, user, tool);
    const { decision, server } = evaluation;
    const facts = await readFacts(db, server, toolPart(tool), (record) =>
      connectionState(db, context.vault, row, record),
    );
    const reason = reasonOf(decision.kind === "refused" ? decision.reason : undefined, facts);
    const verdict = verdictOf(reason);
    const upstreamName = server?.tools.byKey.get(toolPart(tool))?.upstreamName;
    const groups = server ? groupsWithServer(snapshot, user, server, upstreamName, facts) : [];
    const { says, next } = REASON_TEXT[reason];
    const steps = stepsOf(evaluation, facts);
    const limits = appliedLimits(snapshot, user, decision);
    return {
      status: 200,
      body: { data: { email: user.email, tool, verdict, reason, says, next_step: next, groups, steps, limits } },
    };
  },
});

/** The part of a gateway name after the server's slug. */
function toolPart(name: string): string {
  return name.slice(name.indexOf("__") + "__".length);
}

function unknownUser(email: string, tool: string): z.input<typeof Explanation> {
  const steps = CHECKS.map((check) =>
    check === "user"
      ? { check, passed: false, says: "No user has this email" }
      : { check, passed: null, says: "Not checked, because the user does not exist" },
  );
  const { says, next } = REASON_TEXT.unknown_user;
  return {
    email,
    tool,
    verdict: "refused",
    reason: "unknown_user",
    says,
    next_step: next,
    groups: [],
    steps,
    limits: [],
  };
}

function groupsWithServer(
  snapshot: Snapshot,
  user: UserEntry,
  server: ServerEntry,
  tool: string | undefined,
  { groupNames: names }: Facts,
) {
  const groups = [...server.groupIds].flatMap((id) => {
    const group = snapshot.groups.get(id);
    const name = names.get(id);
    if (!group || name === undefined) return [];
    const isSelected = tool === undefined || grants(group, server, tool);
    const blocked = shows(group, server) ? (isSelected ? null : ("selection" as const)) : ("draft" as const);
    return [{ name, member: user.groupIds.includes(id), gives: blocked === null, blocked_by: blocked }];
  });
  return groups.sort((a, b) => (a.name < b.name ? -1 : 1));
}
