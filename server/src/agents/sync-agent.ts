import { MAX_INSTRUCTIONS_BYTES } from "#lib/agent-limits";
import { firstBytes } from "#lib/first-bytes";
import { insertNewSteps, insertSession, knownPlatformSessions, lockAgent, updateAgent } from "#records/agents";
import type { AgentRow, AgentSessionRow, AgentSync } from "#storage/agent-tables";
import type { MainTransaction } from "#storage/database";
import { type WriteAuthor, type WriteContext, writeTransaction } from "#storage/transaction";
import { endOf, usageOf } from "./platform-sessions.ts";
import {
  type AgentDefinition,
  type DefinitionPlatform,
  PlatformFailure,
  type RemoteAgent,
  type RemoteSession,
} from "./platforms/platform.ts";
import type { StepGuards } from "./step-guards.ts";
import { stepRow } from "./step-row.ts";

export interface SyncNeeds extends WriteContext {
  readonly platform: DefinitionPlatform;
  readonly gatewayUrl: string;
  readonly author: WriteAuthor;
  readonly stepGuards: Pick<StepGuards, "apply">;
}

export interface Drift {
  readonly field: string;
  readonly local: string;
  readonly remote: string;
}

export interface SyncResult {
  readonly sync: AgentSync;
  readonly pushed: boolean;
  readonly drift: Drift[];
  readonly sessions_imported: number;
}

export type Direction = "push" | "pull" | "both";

const COMPARED = ["name", "description", "model", "instructions", "gatewayUrl"] as const;

/** The requests to the platform run before the write that stores their results. */
export async function syncAgent(needs: SyncNeeds, agent: AgentRow, direction: Direction): Promise<SyncResult> {
  const read = await readPlatform(needs, agent, direction);
  const sessions = await sessionsToImport(needs, agent, read.sessions);
  const { result } = await writeTransaction(needs, needs.author, async (tx, trail) => {
    const locked = (await lockAgent(tx, agent.slug)) ?? agent;
    const { taken = {}, sync, pushed, drift } = read;
    const isNew = Object.keys(taken).length > 0;
    const changes = { ...taken, ...(isNew && { version: locked.version + 1 }), updated_at: needs.clock.now() };
    const changed = await updateAgent(tx, locked, { sync, ...(isNew && changes) });
    const imported = await importSessions(needs, tx, changed, sessions);
    const target = { kind: "agent", id: agent.id, name: agent.slug };
    const after = { direction, status: sync.status, pushed, drift: drift.map(({ field }) => field), imported };
    trail.audit({ operation: "syncBackgroundAgent", target, after });
    return { sync, pushed, drift, sessions_imported: imported };
  });
  return result;
}

interface Read {
  readonly sync: AgentSync;
  readonly pushed: boolean;
  readonly drift: Drift[];
  readonly sessions: readonly RemoteSession[];
  /** What the agent takes from the platform. */
  readonly taken?: Partial<Pick<AgentRow, "name" | "description" | "model" | "instructions">>;
}

async function readPlatform(needs: SyncNeeds, agent: AgentRow, direction: Direction): Promise<Read> {
  const { platform, clock } = needs;
  const signal = new AbortController().signal;
  const local = definitionOf(agent, needs.gatewayUrl);
  const last_synced_at = clock.now();
  const none = { platform_agent_id: null, platform_version: null };
  const { platform_agent_id, platform_version } = agent.sync ?? none;
  try {
    const found = await platform.pull(agent, signal);
    const isPushed = mustPush(agent, local, found, direction);
    const remote = isPushed ? await platform.push(agent, local, signal) : found;
    if (!remote) throw new PlatformFailure("The agent does not exist on the platform. Push it first");
    const taken = direction === "pull" ? takenFrom(remote) : undefined;
    const drift = driftOf({ ...local, ...taken }, remote);
    const ids = { platform_agent_id: remote.id, platform_version: remote.version };
    // The version stays if the platform has changes that were not taken, so that the next sync finds them again. After a
    // cut there is none, so that a sync does not push instructions that were cut over the complete ones.
    const isCut = taken !== undefined && taken.instructions !== remote.instructions;
    const kept = isCut ? null : (platform_version ?? remote.version);
    const version = drift.length === 0 ? remote.version : kept;
    const sync: AgentSync = {
      ...{ ...ids, platform_version: version, last_synced_at, error: null },
      status: drift.length === 0 ? "synced" : "drift",
    };
    const sessions = await platform.sessions({ ...agent, sync }, signal);
    return { sync, pushed: isPushed, drift, sessions, ...(taken && { taken }) };
  } catch (error) {
    if (!(error instanceof PlatformFailure)) throw error;
    const ids = { platform_agent_id, platform_version };
    const sync: AgentSync = { status: "error", ...ids, last_synced_at, error: error.message };
    return { sync, pushed: false, drift: [], sessions: [] };
  }
}

/** Changes that somebody made on the platform are only overwritten on request. */
function mustPush(agent: AgentRow, local: AgentDefinition, remote: RemoteAgent | undefined, direction: Direction) {
  if (direction === "pull") return false;
  if (!remote) return true;
  if (driftOf(local, remote).length === 0) return false;
  return direction === "push" || remote.version === agent.sync?.platform_version;
}

function definitionOf(agent: AgentRow, gatewayUrl: string): AgentDefinition {
  const { name, description, model, instructions, toolkit } = agent;
  const query = toolkit === null ? "" : `?toolkit=${encodeURIComponent(toolkit)}`;
  return { name, description, model, instructions, gatewayUrl: `${gatewayUrl}/mcp${query}` };
}

function takenFrom(remote: RemoteAgent): NonNullable<Read["taken"]> {
  const { name, description, model } = remote;
  return { name, description, model, instructions: takenInstructions(remote) };
}

/** Platforms accept longer instructions than an agent here can have. */
export function takenInstructions({ instructions }: Pick<RemoteAgent, "instructions">): string {
  return firstBytes(instructions, MAX_INSTRUCTIONS_BYTES);
}

function driftOf(local: AgentDefinition, remote: AgentDefinition): Drift[] {
  return COMPARED.filter((field) => local[field] !== remote[field]).map((field) => ({
    ...{ field: field === "gatewayUrl" ? "gateway_url" : field, local: local[field], remote: remote[field] },
  }));
}

/** Ended sessions that are not stored yet, after redaction. */
async function sessionsToImport(
  { db, stepGuards }: SyncNeeds,
  agent: AgentRow,
  sessions: readonly RemoteSession[],
): Promise<RemoteSession[]> {
  const known = await knownPlatformSessions(
    db,
    agent.id,
    sessions.map(({ id }) => id),
  );
  const ended = sessions.filter(({ id, status }) => !known.has(id) && status !== "running");
  const guarded: RemoteSession[] = [];
  for (const session of ended) guarded.push(await stepGuards.apply(agent, session));
  return guarded;
}

async function importSessions(
  { newId, clock }: SyncNeeds,
  tx: MainTransaction,
  agent: AgentRow,
  sessions: readonly RemoteSession[],
): Promise<number> {
  // Another sync can have imported some in the meantime.
  const known = await knownPlatformSessions(
    tx,
    agent.id,
    sessions.map(({ id }) => id),
  );
  const unknown = sessions.filter(({ id }) => !known.has(id));
  for (const each of unknown) {
    const row = importedRow(agent, newId("ses"), each, clock.now());
    await insertSession(tx, row);
    await insertNewSteps(
      tx,
      each.steps.map((step, position) => stepRow(row.id, position, step)),
    );
  }
  return unknown.length;
}

function importedRow(agent: AgentRow, id: string, remote: RemoteSession, now: number): AgentSessionRow {
  const { output = null, error_code = null, error_message = null, status } = endOf(remote);
  const at = remote.createdAt || now;
  return {
    ...{ id, agent_id: agent.id, agent_version: agent.version, platform: agent.platform, cause: "api", status },
    ...{ input: remote.input, sealed_input: null, output, error_code, error_message, ...usageOf(remote) },
    ...{ platform_session_id: remote.id, parent_id: null, metadata: {}, requested_by: "Sync", requested_by_id: "sync" },
    ...{ cancel_requested: false, approval_id: null, claimed_by: null, claimed_until: null },
    ...{ created_at: at, started_at: at, ended_at: now },
  };
}
