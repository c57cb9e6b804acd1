import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { ReadLane } from "#lib/read-pacer";
import type { ApprovalWaits } from "./call/approvals/approval-waits.ts";
import type { CallLimiter } from "./call/call-limiter.ts";
import type { HeldCalls } from "./call/held/held-calls.ts";
import type { LinkedResources } from "./lists/linked-resources.ts";
import type { McpRequest } from "./mcp-request.ts";
import type { SkillFiles } from "./own/skills/skill-files.ts";
import type {
  ApprovalRecords,
  CallSink,
  FirstSync,
  PayloadSink,
  PluginSource,
  SecretVerifier,
  StoredResults,
  UpstreamCredentials,
} from "./ports.ts";
import type { SessionServices } from "./sessions/session-services.ts";
import type { AnswerHere, HereResource } from "./snapshot/decision.ts";
import type { SnapshotHolder } from "./snapshot/holder.ts";
import type { ToolIndexes } from "./tool-search/tool-indexes.ts";
import type { ResponseMemory } from "./upstream/limits/response-memory.ts";
import type { Upstreams } from "./upstream/upstreams.ts";

export type { McpRequest };

/** The dependencies of the protocol's methods. */
export interface GatewayContext {
  readonly holder: SnapshotHolder;
  readonly upstreams: Upstreams;
  readonly credentials: UpstreamCredentials;
  readonly firstSync: FirstSync;
  readonly sessions: SessionServices;
  readonly own: OwnContent;
  readonly calls: CallSink;
  readonly payloads: PayloadSink;
  readonly callLimiter: CallLimiter;
  readonly heldCalls: HeldCalls;
  readonly approvals: ApprovalRecords;
  readonly approvalWaits: ApprovalWaits;
  /** The page of an approval. */
  readonly approvalUrl: (id: string) => string;
  readonly verifier: SecretVerifier;
  readonly responseMemory: ResponseMemory;
  readonly links: LinkedResources;
  readonly storedResults: StoredResults;
  readonly toolIndexes: ToolIndexes;
  readonly skillFiles: SkillFiles;
  readonly plugins: PluginSource;
  /** Where large bodies are read. */
  readonly largeRequests: ReadLane;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The page where a user connects to the server with this slug (D25). */
  readonly connectUrl: (slug: string) => string;
  readonly serverInfo: ServerInfo;
  /** `serverInfo` as JSON text. */
  readonly serverInfoJson: string;
}

export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** Answers a request for content of the gateway itself, and records it if its method is logged. */
export type OwnAnswer = (request: McpRequest, context: GatewayContext, target: AnswerHere | HereResource) => void;

/** By `OwnSource.content`. */
export type OwnContent = ReadonlyMap<string, OwnAnswer>;

export type Method = (request: McpRequest, context: GatewayContext) => void;

/** Names longer than this are truncated in logs and error messages. */
export const MAX_LOGGED_NAME = 256;

export const JSON_HEADERS = ["content-type", "application/json"] as const;
