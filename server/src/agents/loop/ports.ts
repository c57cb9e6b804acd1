import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { Clock } from "#lib/clock";

/** A tool as the model sees it. */
export interface AgentTool {
  /** At the gateway. */
  readonly name: string;
  readonly description: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
  /** The call waits for this approval. It can be repeated after the decision. */
  readonly approvalId?: string | undefined;
  /** The guard that blocked the call or changed what it contains. */
  readonly guard?: string | undefined;
}

/** The gateway, as the agent's machine user. */
export interface AgentGateway {
  listTools(signal: AbortSignal): Promise<readonly AgentTool[]>;
  callTool(name: string, input: string, signal: AbortSignal): Promise<ToolOutcome>;
}

export type StepType = "model" | "tool_call" | "tool_result" | "approval" | "error";

/** What a session shows of a run. Texts are as the gateway passed them on, after redaction. */
export interface Step {
  readonly type: StepType;
  readonly role: "assistant" | "tool" | "system";
  readonly text?: string | undefined;
  readonly toolName?: string | undefined;
  /** JSON text. */
  readonly arguments?: string | undefined;
  readonly isError?: boolean | undefined;
  readonly guard?: string | undefined;
  readonly approvalId?: string | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly startedAt: number;
  readonly durationMs: number;
}

export interface LoopLimits {
  readonly maxSteps: number;
  readonly maxOutputTokens: number;
  readonly maxTotalTokens: number;
}

/** An earlier session, for a follow-up. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly text: string;
}

export interface LoopNeeds {
  readonly model: LanguageModelV3;
  readonly gateway: AgentGateway;
  readonly instructions: string;
  readonly history: readonly Turn[];
  readonly input: string;
  readonly limits: LoopLimits;
  readonly clock: Clock;
  /** Aborted when the session is canceled or its time is over. */
  readonly signal: AbortSignal;
  /** Stores a step before the next one begins. */
  record(step: Step, usage: Usage): Promise<void>;
  /** Resolves when the approval was decided or expired. Rejects when the signal aborts. */
  approvalDecided(id: string): Promise<ApprovalOutcome>;
  /** A number between 0 and 1, for delays before retries. */
  random(): number;
}

export type ApprovalOutcome = "approved" | "denied" | "expired";

export interface Usage {
  readonly steps: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type LoopResult =
  | { readonly status: "completed"; readonly output: string; readonly usage: Usage }
  | { readonly status: "failed"; readonly code: FailureCode; readonly message: string; readonly usage: Usage };

export type FailureCode = "provider_error" | "limit_exceeded" | "gateway_error";
