import type { z } from "zod";
import type { Decision } from "#gateway/snapshot/decision";
import { nextSnapshot } from "#gateway/snapshot/next-snapshot";
import { type Resolution, resolve } from "#gateway/snapshot/resolve";
import type { ServerEntry, Snapshot, UserEntry } from "#gateway/snapshot/shape";
import type { Facts } from "./facts.ts";
import { joinNames } from "./join-names.ts";
import { isConnected } from "./reasons.ts";
import { CHECKS, type Explanation } from "./schema.ts";

type Check = (typeof CHECKS)[number];
type Step = z.input<typeof Explanation>["steps"][number];

/** The decision, and the decision if the user were enabled and a group gave them the server. */
export interface Evaluation {
  readonly snapshot: Snapshot;
  readonly user: UserEntry;
  readonly decision: Decision;
  readonly withAccess: Decision;
  readonly server: ServerEntry | undefined;
}

/** Both decisions come from the function that decides calls (AZ-2). */
export function evaluate(snapshot: Snapshot, user: UserEntry, name: string): Evaluation {
  const decision = resolve(snapshot, { user }).named("tools", name);
  const server = "server" in decision ? decision.server : undefined;
  if (!server) return { snapshot, user, decision, withAccess: decision, server };
  const granted = grantAccess(snapshot, server, user);
  return { snapshot, user, decision, withAccess: granted.named("tools", name), server };
}

const ANY_GROUP = { id: "", showDrafts: true };

/** What the user could access if they were enabled and a group gave them the server. */
export function grantAccess(snapshot: Snapshot, server: ServerEntry, user: UserEntry): Resolution {
  const granted = nextSnapshot(snapshot, {
    revision: snapshot.revision,
    servers: new Map([[server.id, { ...server, groupIds: new Set([ANY_GROUP.id]) }]]),
    groups: new Map([[ANY_GROUP.id, { ...ANY_GROUP, serverIds: [server.id] }]]),
  });
  // The toolkits of the user's groups still apply.
  return resolve(granted, { user: { ...user, disabled: false, groupIds: [...user.groupIds, ANY_GROUP.id] } });
}

const step = (check: Check, passed: boolean | null, says: string): Step => ({ check, passed, says });

export function stepsOf(evaluation: Evaluation, facts: Facts): Step[] {
  const { user, decision, server } = evaluation;
  const known = [
    step("user", true, `${user.email} is a ${user.isMachine ? "machine user" : "user"}`),
    step("enabled", !user.disabled, user.disabled ? "The user is disabled" : "The user is enabled"),
  ];
  if (decision.kind === "refused" && decision.reason === "malformed-name") {
    return [...known, step("name", false, "The name does not have the form {server}__{tool}"), ...after("name")];
  }
  const named = [...known, step("name", true, "The name has the form {server}__{tool}")];
  if (!server) return [...named, step("server", false, "No server has this slug"), ...after("server")];
  return [
    ...named,
    step("server", true, `The server is ${server.name}`),
    ...accessSteps(evaluation, server, facts),
    ...toolSteps(evaluation, server, facts),
    selectionStep(evaluation, server, facts),
    toolkitStep(evaluation, server),
    connectionStep(facts),
  ];
}

function after(failed: Check): Step[] {
  const later = CHECKS.slice(CHECKS.indexOf(failed) + 1);
  return later.map((check) => step(check, null, "Not checked, because the server does not exist"));
}

function accessSteps({ snapshot, user, withAccess }: Evaluation, server: ServerEntry, { groupNames }: Facts): Step[] {
  const resolution = resolve(snapshot, { user: { ...user, disabled: false } });
  const reach = resolution.reach(server);
  const holding = user.groupIds.filter((id) => snapshot.groups.has(id) && server.groupIds.has(id));
  const names = (ids: readonly string[]) => ids.flatMap((id) => groupNames.get(id) ?? []).sort();
  const inGroup = reach.reached || reach.reason !== "no-group";
  const through = names(resolution.groupsThrough(server).map((group) => group.id));
  const status = server.active
    ? step("status", true, "The server is active")
    : step(
        "status",
        inGroup ? reach.reached : null,
        reach.reached
          ? `The server is a draft, visible through ${joinNames("group", "groups", through)}`
          : "The server is a draft, which is only visible to groups with show_draft_mcps",
      );
  const group = inGroup
    ? step("group", true, `The server is in ${joinNames("the user's group", "the user's groups", names(holding))}`)
    : step("group", false, "None of the user's groups contains the server");
  const lacksUpstream = withAccess.kind === "refused" && withAccess.reason === "no-upstream";
  return [
    group,
    status,
    step("upstream", !lacksUpstream, lacksUpstream ? "The server has no upstream yet" : "The server has an upstream"),
  ];
}

function toolSteps(evaluation: Evaluation, server: ServerEntry, { hiddenTool, syncError }: Facts): Step[] {
  const { withAccess } = evaluation;
  const failed = syncError === undefined ? "" : `. The last sync failed: ${syncError}`;
  if (withAccess.kind !== "refused")
    return [step("tool", true, `The server provides it as ${withAccess.item.upstreamName}`)];
  switch (withAccess.reason) {
    case "not-synced":
      return [step("tool", false, `The server's tools have not been synced yet${failed}`)];
    case "not-in-toolkit":
      return [step("tool", null, "Not checked, because a toolkit limits this server")];
    case "unknown-tool": {
      const says = hiddenTool ? HIDDEN_TEXT[hiddenTool] : "The server has no tool with this name";
      return [step("tool", false, `${says}${failed}`)];
    }
    default:
      return [step("tool", null, `Not checked, because ${server.slug} has no upstream`)];
  }
}

function selectionStep({ snapshot, user, withAccess }: Evaluation, server: ServerEntry, { groupNames }: Facts): Step {
  if (withAccess.kind !== "forward") return step("selection", null, "Not checked, because the tool is not available");
  const resolution = resolve(snapshot, { user: { ...user, disabled: false } });
  const names = (ids: readonly { readonly id: string }[]) => ids.flatMap(({ id }) => groupNames.get(id) ?? []).sort();
  const holding = resolution.groupsThrough(server);
  if (holding.length === 0) return step("selection", null, "Not checked, because no group gives access to the server");
  const granting = resolution.groupsThrough(server, withAccess.item.upstreamName);
  return granting.length > 0
    ? step("selection", true, `The tool is granted by ${joinNames("group", "groups", names(granting))}`)
    : step(
        "selection",
        false,
        `${joinNames("Group", "Groups", names(holding))} ${holding.length === 1 ? "grants" : "grant"} this server but not this tool`,
      );
}

function toolkitStep({ snapshot, user, withAccess }: Evaluation, server: ServerEntry): Step {
  const slugs = resolve(snapshot, { user }).exposure(server)?.toolkits ?? [];
  const named = joinNames("Toolkit", "Toolkits", [...slugs]);
  if (withAccess.kind === "forward") {
    const says = slugs.length === 0 ? "No toolkit limits this server" : `${named} exposes this tool`;
    return step("toolkit", true, says);
  }
  if (withAccess.kind !== "refused" || withAccess.reason !== "not-in-toolkit")
    return step("toolkit", null, "Not checked, because the tool is not available");
  if (user.toolkit !== undefined) {
    const usable = resolve(snapshot, { user }).toolkit();
    const lacks = usable ? "does not have this tool" : "does not exist or is not active";
    return step("toolkit", false, `The user is bound to toolkit ${user.toolkit}, which ${lacks}`);
  }
  const verbs = slugs.length === 1 ? ["limits", "does"] : ["limit", "do"];
  return step("toolkit", false, `${named} ${verbs[0]} this server and ${verbs[1]} not have this tool`);
}

const HIDDEN_TEXT = {
  disabled: "The tool is disabled",
  held: "The tool is new or has changed and is held until an admin accepts it",
} as const;

const CONNECTION_TEXT = {
  not_required: "The server does not require users to connect",
  connected: "The user is connected to the server",
  reconnect_needed: "The user's connection to the server needs reconnection",
  not_connected: "The user is not connected to the server, which requires a connection",
} as const;

function connectionStep(facts: Facts): Step {
  return step("connection", isConnected(facts), CONNECTION_TEXT[facts.connection]);
}
