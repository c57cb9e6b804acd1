import type { AgentRow, AgentSessionRow } from "#storage/agent-tables";
import type { Step } from "../loop/ports.ts";

/** A definition of an agent, as Gatehouse and a platform compare it. */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  readonly model: string;
  readonly instructions: string;
  /** Where the agent finds its tools. */
  readonly gatewayUrl: string;
}

export interface RemoteAgent extends AgentDefinition {
  readonly id: string;
  readonly version: string;
}

export interface RemoteSession {
  readonly id: string;
  readonly status: "running" | "completed" | "failed";
  readonly input: string;
  readonly output: string | null;
  readonly error: string | null;
  readonly steps: readonly Step[];
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly createdAt: number;
}

export interface SessionToStart {
  readonly agent: AgentRow;
  readonly session: AgentSessionRow;
  /** Calls the gateway until the session ends. */
  readonly token: string;
}

/** What happened when a session was started. */
export type Started =
  | { readonly kind: "started"; readonly platformSessionId: string | null }
  | { readonly kind: "failed"; readonly message: string };

/** Where sessions of agents run, if not in the loop of Gatehouse. */
export interface Platform {
  start(request: SessionToStart, signal: AbortSignal): Promise<Started>;
  /** Best effort: the session has ended here already. */
  cancel(agent: AgentRow, session: AgentSessionRow, signal: AbortSignal): Promise<void>;
}

/** A platform that also stores definitions of agents. */
export interface DefinitionPlatform extends Platform {
  /** Creates or updates the agent there. */
  push(agent: AgentRow, definition: AgentDefinition, signal: AbortSignal): Promise<RemoteAgent>;
  /** Undefined: it does not exist there. */
  pull(agent: AgentRow, signal: AbortSignal): Promise<RemoteAgent | undefined>;
  /** The newest sessions of the agent there, without steps. */
  sessions(agent: AgentRow, signal: AbortSignal): Promise<readonly RemoteSession[]>;
  session(agent: AgentRow, platformSessionId: string, signal: AbortSignal): Promise<RemoteSession | undefined>;
}

/** The platform rejected a request or cannot be reached. The message is for admins and names no credential. */
export class PlatformFailure extends Error {}
