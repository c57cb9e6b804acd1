import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { Clock } from "#lib/clock";

/** A tool as the model sees it. */
export interface AgentTool {
  /** At the gateway. */
  readonly name: string;
  readonly description: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A guard that acted on a call. */
export interface GuardNote {
  readonly slug: string;
  /** `warn`, `redact`, `require_approval` or `block`. */
  readonly action: string;
}

/** A call as it left the gateway. */
export interface SentCall {
  /** JSON text, after redaction by guards. */
  readonly arguments: string;
  /** The texts that guards removed, and their replacements. */
  readonly removed: readonly RemovedText[];
  /** The guard that acted on the request. */
  readonly guard?: GuardNote | undefined;
}

export interface RemovedText {
  readonly text: string;
  readonly replacement: string;
}

export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
  /** The call waits for this approval. It can be repeated after the decision. */
  readonly approvalId?: string | undefined;
  /** The guard that blocked the request, held it, or changed its arguments. */
  readonly requestGuard?: GuardNote | undefined;
  /** The guard that changed the result or blocked the call. */
  readonly resultGuard?: GuardNote | undefined;
}

/** A text after redaction by guards. */
export interface GuardedText {
  readonly text: string;
  /** What guards removed from it. */
  readonly removed: readonly RemovedText[];
  /** Slug of the guard that decided. */
  readonly guard?: string | undefined;
}

/** The gateway, as the agent's machine user. */
export interface AgentGateway {
  listTools(signal: AbortSignal): Promise<readonly AgentTool[]>;
  /** `sent` is called when the call leaves, and not at all if it is refused, blocked or held before. */
  callTool(name: string, input: string, signal: AbortSignal, sent: (call: SentCall) => void): Promise<ToolOutcome>;
}

export type StepType = "model" | "tool_call" | "tool_result" | "approval" | "error";

/** What a session shows of a run. Texts are stored after redaction by guards. */
export interface Step {
  readonly type: StepType;
  readonly role: "assistant" | "tool" | "system";
  readonly text?: string | undefined;
  readonly toolName?: string | undefined;
  /** JSON text. Undefined for a call that did not leave the gateway. */
  readonly arguments?: string | undefined;
  readonly isError?: boolean | undefined;
  readonly guard?: string | undefined;
  /** What the guard did. */
  readonly guardAction?: string | undefined;
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
  /** Resolves when the loop can ask the model next. */
  nextTurn(): Promise<void>;
  /** Stores a step before the next one begins. */
  record(step: Step, usage: Usage): Promise<void>;
  /** Applies guards to a text that is not part of a call, before it is stored. */
  guardText(text: string): Promise<GuardedText>;
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
