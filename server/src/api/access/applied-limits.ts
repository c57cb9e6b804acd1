import type { z } from "zod";
import type { Decision } from "#gateway/snapshot/decision";
import type { CallLimits } from "#gateway/snapshot/limits";
import { resolve } from "#gateway/snapshot/resolve";
import type { Snapshot, UserEntry } from "#gateway/snapshot/shape";
import type { Explanation } from "./schema.ts";

type AppliedLimit = z.input<typeof Explanation>["limits"][number];

/** The limits that the gateway applies to the user's calls of a tool (D36, decision 0077). */
export function appliedLimits(snapshot: Snapshot, user: UserEntry, decision: Decision): AppliedLimit[] {
  if (decision.kind !== "forward") return [];
  const { server, item } = decision;
  const found = [applied("user", user.email, snapshot.limits.user, "Each user is limited to")];
  const groups = resolve(snapshot, { user }).groupsThrough(server, item.upstreamName);
  if (groups.every((group) => group.limits)) {
    for (const { limits } of groups)
      if (limits)
        found.push(applied("group", limits.groupName, limits, `Group ${limits.groupName} limits each member to`));
  }
  if (item.limits) found.push(applied("tool", item.slug, item.limits, "All users of the tool together are limited to"));
  return found;
}

function applied(scope: AppliedLimit["scope"], name: string, limits: CallLimits, subject: string): AppliedLimit {
  const { callsPerMinute, concurrentCalls } = limits;
  const calls = (count: number) => (count === 1 ? "call" : "calls");
  const parts = [
    ...(callsPerMinute > 0 ? [`${callsPerMinute} ${calls(callsPerMinute)} per minute`] : []),
    ...(concurrentCalls > 0 ? [`${concurrentCalls} concurrent ${calls(concurrentCalls)}`] : []),
  ];
  return {
    scope,
    name,
    calls_per_minute: callsPerMinute || null,
    concurrent_calls: concurrentCalls || null,
    says: `${subject} ${parts.join(" and ")}`,
  };
}
