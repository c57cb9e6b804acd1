/** The loop of an agent: ask the model, call its tools at the gateway, until it answers without a tool call. */
import type { LanguageModelV3Content, LanguageModelV3Prompt, LanguageModelV3ToolCall } from "@ai-sdk/provider";
import { generate, ProviderFailure } from "./generate.ts";
import type { LoopNeeds, LoopResult, SentCall, Step, ToolOutcome, Usage } from "./ports.ts";
import { RemovedTexts } from "./removed-texts.ts";
import { ToolNames } from "./tool-names.ts";

/** What the model reads of one result. */
const MAX_RESULT_CHARACTERS = 256 * 1024;

export async function runLoop(needs: LoopNeeds): Promise<LoopResult> {
  return new Loop(needs).run();
}

class Loop {
  readonly #needs: LoopNeeds;
  readonly #prompt: LanguageModelV3Prompt;
  readonly #removed = new RemovedTexts();
  /** An answer with tool calls, which is stored after the guards have seen the first of them. */
  #unstored: Step | undefined;
  #steps = 0;
  #toolCalls = 0;
  #inputTokens = 0;
  #outputTokens = 0;

  constructor(needs: LoopNeeds) {
    this.#needs = needs;
    const turns: LanguageModelV3Prompt = needs.history.map(({ role, text }) => {
      return { role, content: [{ type: "text", text }] };
    });
    this.#prompt = [
      { role: "system", content: needs.instructions },
      ...turns,
      { role: "user", content: [{ type: "text", text: needs.input }] },
    ];
  }

  async run(): Promise<LoopResult> {
    const { gateway, limits, signal, input, nextTurn } = this.#needs;
    await this.#guarded(input);
    const tools = new ToolNames(await gateway.listTools(signal));
    while (true) {
      await nextTurn();
      signal.throwIfAborted();
      if (this.#steps >= limits.maxSteps)
        return this.#exceeded(`The session reached its limit of ${limits.maxSteps} steps`);
      const content = await this.#turn(tools);
      if (content instanceof ProviderFailure)
        return { status: "failed", code: "provider_error", message: content.message, usage: this.#usage };
      const calls = content.filter((part) => part.type === "tool-call");
      const hasTokens = this.#inputTokens + this.#outputTokens < limits.maxTotalTokens;
      const answer = this.#unstored?.text ?? "";
      if (calls.length === 0 || !hasTokens) await this.#storeAnswer();
      if (calls.length === 0)
        return { status: "completed", output: this.#removed.replaceIn(answer), usage: this.#usage };
      if (!hasTokens) return this.#exceeded(`The session reached its limit of ${limits.maxTotalTokens} tokens`);
      for (const call of calls) await this.#call(call, tools);
    }
  }

  get #usage(): Usage {
    const [steps, toolCalls] = [this.#steps, this.#toolCalls];
    return { steps, toolCalls, inputTokens: this.#inputTokens, outputTokens: this.#outputTokens };
  }

  #record(step: Step): Promise<void> {
    return this.#needs.record(this.#removed.replaceInStep(step), this.#usage);
  }

  /** The text as it is stored. What guards remove from it is not stored later either. */
  async #guarded(text: string): Promise<string> {
    const { text: shown, removed } = await this.#needs.guardText(text);
    this.#removed.add(removed);
    return this.#removed.replaceIn(shown);
  }

  async #storeAnswer(): Promise<void> {
    const step = this.#unstored;
    this.#unstored = undefined;
    if (step) await this.#record(step);
  }

  #exceeded(message: string): LoopResult {
    return { status: "failed", code: "limit_exceeded", message, usage: this.#usage };
  }

  /** One answer of the model, which is also added to the prompt. */
  async #turn(tools: ToolNames): Promise<readonly LanguageModelV3Content[] | ProviderFailure> {
    const { model, limits, clock, signal } = this.#needs;
    const startedAt = clock.now();
    const since = clock.monotonic();
    const request = {
      prompt: this.#prompt,
      tools: tools.definitions,
      maxOutputTokens: limits.maxOutputTokens,
      abortSignal: signal,
    };
    const answer = await generate(model, request, this.#needs);
    const durationMs = Math.round(clock.monotonic() - since);
    this.#steps++;
    if (answer instanceof ProviderFailure) {
      const text = await this.#guarded(answer.message);
      await this.#record({ type: "error", role: "system", text, isError: true, startedAt, durationMs });
      return new ProviderFailure(text);
    }
    const inputTokens = answer.usage.inputTokens.total ?? 0;
    const outputTokens = answer.usage.outputTokens.total ?? 0;
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
    const text = await this.#guarded(textOf(answer.content));
    this.#unstored = { type: "model", role: "assistant", text, inputTokens, outputTokens, startedAt, durationMs };
    this.#prompt.push({ role: "assistant", content: promptContent(answer.content) });
    return answer.content;
  }

  async #call(call: LanguageModelV3ToolCall, tools: ToolNames): Promise<void> {
    const { clock } = this.#needs;
    const { toolCallId, toolName } = call;
    const name = tools.original(toolName);
    const startedAt = clock.now();
    const since = clock.monotonic();
    this.#toolCalls++;
    const shown = { toolName: name ?? toolName, startedAt };
    const recording = new CallRecording((sent) => this.#recordCall(shown, sent));
    let outcome: ToolOutcome;
    try {
      outcome = name === undefined ? unknownTool(toolName) : await this.#outcome(name, call.input, recording);
      await recording.store({ guard: outcome.requestGuard });
    } finally {
      // Also if the session was stopped while the call ran.
      await recording.store({});
    }
    const durationMs = Math.round(clock.monotonic() - since);
    const { text, isError, resultGuard } = outcome;
    await this.#record({
      ...{ type: "tool_result", role: "tool", ...shown, text, isError, durationMs },
      ...{ guard: resultGuard?.slug, guardAction: resultGuard?.action },
    });
    const value = text.length > MAX_RESULT_CHARACTERS ? `${text.slice(0, MAX_RESULT_CHARACTERS)}\n[cut]` : text;
    const output = { type: isError ? ("error-text" as const) : ("text" as const), value };
    this.#prompt.push({ role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] });
  }

  /** The answer that contains the call comes first. Both are stored together. */
  async #recordCall(shown: Pick<Step, "toolName" | "startedAt">, sent: Partial<SentCall>): Promise<void> {
    this.#removed.add(sent.removed ?? []);
    const { arguments: input, guard } = sent;
    await Promise.all([
      this.#storeAnswer(),
      this.#record({
        ...{ type: "tool_call", role: "assistant", ...shown, arguments: input, durationMs: 0 },
        ...{ guard: guard?.slug, guardAction: guard?.action },
      }),
    ]);
  }

  /** Repeats a call that waits for an approval after the decision. */
  async #outcome(name: string, input: string, recording: CallRecording): Promise<ToolOutcome> {
    const { gateway, clock, signal, approvalDecided } = this.#needs;
    signal.throwIfAborted();
    if (!isObjectText(input)) return { text: "The arguments must be a JSON object", isError: true };
    while (true) {
      const outcome = await gateway.callTool(name, input, signal, (call) => recording.start(call));
      const { approvalId, requestGuard: guard } = outcome;
      if (approvalId === undefined) return outcome;
      await recording.store({ guard });
      const startedAt = clock.now();
      const since = clock.monotonic();
      const decision = await approvalDecided(approvalId);
      const durationMs = Math.round(clock.monotonic() - since);
      await this.#record({
        ...{ type: "approval", role: "system", toolName: name, text: outcome.text, approvalId },
        ...{ guard: guard?.slug, guardAction: guard?.action, startedAt, durationMs },
      });
      if (decision !== "approved") return { ...outcome, text: UNAPPROVED[decision], isError: true };
    }
  }
}

/** Stores a tool call once: when it leaves the gateway, or without its arguments when it turned out not to leave. */
class CallRecording {
  readonly #record: (sent: Partial<SentCall>) => Promise<void>;
  #stored: Promise<void> | undefined;

  constructor(record: (sent: Partial<SentCall>) => Promise<void>) {
    this.#record = record;
  }

  /** The call does not wait for the database. Failures are reported by `store`. */
  start(sent: SentCall): void {
    this.store(sent).catch(() => undefined);
  }

  store(sent: Partial<SentCall>): Promise<void> {
    this.#stored ??= this.#record(sent);
    return this.#stored;
  }
}

const UNAPPROVED = {
  denied: "Denied: an owner or admin denied this call",
  expired: "The approval expired before anyone decided",
} as const;

function unknownTool(name: string): ToolOutcome {
  return { text: `Unknown tool: ${name}`, isError: true };
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function textOf(content: readonly LanguageModelV3Content[]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

type AssistantContent = Extract<LanguageModelV3Prompt[number], { role: "assistant" }>["content"];

/** Models that reason need their reasoning back, with the provider's signature. */
function promptContent(content: readonly LanguageModelV3Content[]): AssistantContent {
  return content.flatMap((part): AssistantContent => {
    const options =
      "providerMetadata" in part && part.providerMetadata ? { providerOptions: part.providerMetadata } : {};
    switch (part.type) {
      case "text":
      case "reasoning":
        return [{ type: part.type, text: part.text, ...options }];
      case "tool-call": {
        const { toolCallId, toolName } = part;
        const input: unknown = isObjectText(part.input) ? JSON.parse(part.input) : {};
        return [{ type: "tool-call", toolCallId, toolName, input, ...options }];
      }
      default:
        return [];
    }
  });
}
