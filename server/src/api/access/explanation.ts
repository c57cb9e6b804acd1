import type { z } from "zod";
import { nextSnapshot } from "#gateway/snapshot/next-snapshot";
import { type Decision, resolve } from "#gateway/snapshot/resolve";
import type { ServerEntry, Snapshot, UserEntry } from "#gateway/snapshot/shape";
import { CHECKS, type Explanation, type REASONS } from "./schema.ts";
import { listed } from "./words.ts";

export type Reason = (typeof REASONS)[number];
type Check = (typeof CHECKS)[number];
type Step = z.input<typeof Explanation>["steps"][number];

/** What the records say beyond the snapshot: only admins may know it. */
export interface Facts {
  readonly groupNames: ReadonlyMap<string, string>;
  /** Why the server could not be read the last time. */
  readonly syncError: string | undefined;
  /** How a tool that callers do not see is known to us; undefined: not at all. */
  readonly hiddenTool: "disabled" | "held" | undefined;
  /** Of this user to this server, where it asks for one of each user. */
  readonly connection: "not_required" | "connected" | "reconnect_needed" | "not_connected";
}

/** The decision itself, and what it would be if only the user were enabled and a group gave them the server. */
export interface Judgement {
  readonly snapshot: Snapshot;
  readonly user: UserEntry;
  readonly decision: Decision;
  readonly beyondReach: Decision;
  readonly server: ServerEntry | undefined;
}

const ANY_GROUP = { id: "", showDrafts: true };

/** Both by the function that decides the call (AZ-2). */
export function judge(snapshot: Snapshot, user: UserEntry, name: string): Judgement {
  const decision = resolve(snapshot, { user }).named("tools", name);
  const server = "server" in decision ? decision.server : undefined;
  if (!server) return { snapshot, user, decision, beyondReach: decision, server };
  const given = nextSnapshot(snapshot, {
    revision: snapshot.revision,
    servers: new Map([[server.id, { ...server, groupIds: new Set([ANY_GROUP.id]) }]]),
    groups: new Map([[ANY_GROUP.id, { ...ANY_GROUP, serverIds: [server.id] }]]),
  });
  const enabled = { ...user, disabled: false, groupIds: [ANY_GROUP.id] };
  return { snapshot, user, decision, beyondReach: resolve(given, { user: enabled }).named("tools", name), server };
}

/** The first check that fails. */
export function reasonOf({ decision }: Judgement, facts: Facts): Reason {
  if (decision.kind !== "refused") return isConnected(facts) ? "allowed" : "not_connected";
  if (decision.reason === "unknown-tool" && facts.hiddenTool) return `tool_${facts.hiddenTool}`;
  return REASON[decision.reason];
}

const REASON = {
  "malformed-name": "malformed_name",
  "unknown-server": "unknown_server",
  "user-disabled": "user_disabled",
  "no-group": "no_group",
  draft: "draft",
  "no-upstream": "no_upstream",
  "not-synced": "not_synced",
  "unknown-tool": "unknown_tool",
} as const satisfies Record<Extract<Decision, { kind: "refused" }>["reason"], Reason>;

function isConnected({ connection }: Facts): boolean {
  return connection === "not_required" || connection === "connected";
}

const step = (check: Check, passed: boolean | null, says: string): Step => ({ check, passed, says });

export function stepsOf(judgement: Judgement, facts: Facts): Step[] {
  const { user, decision, server } = judgement;
  const known = [
    step("user", true, `${user.email} is known${user.isMachine ? " as a machine user" : ""}`),
    step("enabled", !user.disabled, user.disabled ? "The user is disabled" : "The user is not disabled"),
  ];
  if (decision.kind === "refused" && decision.reason === "malformed-name") {
    return [
      ...known,
      step("name", false, "A name has a server's slug, two underscores and the tool"),
      ...after("name"),
    ];
  }
  const named = [...known, step("name", true, "The name has the form {server}__{tool}")];
  if (!server) return [...named, step("server", false, "No server has this slug"), ...after("server")];
  return [
    ...named,
    step("server", true, `The server is ${server.name}`),
    ...reachSteps(judgement, server, facts),
    ...toolSteps(judgement, server, facts),
    connectionStep(facts),
  ];
}

function after(failed: Check): Step[] {
  const later = CHECKS.slice(CHECKS.indexOf(failed) + 1);
  return later.map((check) => step(check, null, "Not looked at: there is no such server"));
}

function reachSteps({ snapshot, user, beyondReach }: Judgement, server: ServerEntry, { groupNames }: Facts): Step[] {
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
          ? `The server is a draft, which ${listed("the group", "the groups", through)} may see`
          : "The server is a draft, which only groups with show_draft_mcps see",
      );
  const group = inGroup
    ? step("group", true, `The server is in ${listed("the user's group", "the user's groups", names(holding))}`)
    : step("group", false, "No group of the user holds the server");
  const bare = beyondReach.kind === "refused" && beyondReach.reason === "no-upstream";
  return [
    group,
    status,
    step("upstream", !bare, bare ? "The server has no upstream yet" : "The server has an upstream"),
  ];
}

function toolSteps({ beyondReach }: Judgement, server: ServerEntry, { hiddenTool, syncError }: Facts): Step[] {
  const failed = syncError === undefined ? "" : `; the last reading failed: ${syncError}`;
  if (beyondReach.kind !== "refused")
    return [step("tool", true, `The server lists it as ${beyondReach.item.upstreamName}`)];
  switch (beyondReach.reason) {
    case "not-synced":
      return [step("tool", false, `The server's tools have not been read yet${failed}`)];
    case "unknown-tool": {
      const says = hiddenTool ? HIDDEN_WORDS[hiddenTool] : "The server lists no tool of this name";
      return [step("tool", false, `${says}${failed}`)];
    }
    default:
      return [step("tool", null, `Not looked at: ${server.slug} has no upstream`)];
  }
}

const HIDDEN_WORDS = {
  disabled: "The tool is switched off",
  held: "The tool is new or has changed, and is held until an admin accepts it",
} as const;

const CONNECTION_WORDS = {
  not_required: "The server asks nothing of its users",
  connected: "The user is connected to the server",
  reconnect_needed: "The user's connection to the server has ended and must be made again",
  not_connected: "The user is not connected to the server, which asks each user to be",
} as const;

function connectionStep(facts: Facts): Step {
  return step("connection", isConnected(facts), CONNECTION_WORDS[facts.connection]);
}
