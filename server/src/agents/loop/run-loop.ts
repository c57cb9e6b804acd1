/** The loop of an agent: ask the model, call its tools at the gateway, until it answers without a tool call. */
import type { LanguageModelV3Content, LanguageModelV3Prompt, LanguageModelV3ToolCall } from "@ai-sdk/provider";
import { generate, ProviderFailure } from "./generate.ts";
import type { LoopNeeds, LoopResult, Step, ToolOutcome, Usage } from "./ports.ts";
import { ToolNames } from "./tool-names.ts";

/** What the model reads of one result. */
const MAX_RESULT_CHARACTERS = 256 * 1024;

export async function runLoop(needs: LoopNeeds): Promise<LoopResult> {
  return new Loop(needs).run();
}

class Loop {
  readonly #needs: LoopNeeds;
  readonly #prompt: LanguageModelV3Prompt;
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
    const { gateway, limits, signal } = this.#needs;
    const tools = new ToolNames(await gateway.listTools(signal));
    while (true) {
      signal.throwIfAborted();
      if (this.#steps >= limits.maxSteps)
        return this.#exceeded(`The session reached its limit of ${limits.maxSteps} steps`);
      const content = await this.#turn(tools);
      if (content instanceof ProviderFailure) {
        return { status: "failed", code: "provider_error", message: content.message, usage: this.#usage };
      }
      const calls = content.filter((part) => part.type === "tool-call");
      if (calls.length === 0) return { status: "completed", output: textOf(content), usage: this.#usage };
      if (this.#inputTokens + this.#outputTokens >= limits.maxTotalTokens)
        return this.#exceeded(`The session reached its limit of ${limits.maxTotalTokens} tokens`);
      for (const call of calls) await this.#call(call, tools);
    }
  }

  get #usage(): Usage {
    const [steps, toolCalls] = [this.#steps, this.#toolCalls];
    return { steps, toolCalls, inputTokens: this.#inputTokens, outputTokens: this.#outputTokens };
  }

  #record(step: Step): Promise<void> {
    return this.#needs.record(step, this.#usage);
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
      await this.#record({ type: "error", role: "system", text: answer.message, isError: true, startedAt, durationMs });
      return answer;
    }
    const inputTokens = answer.usage.inputTokens.total ?? 0;
    const outputTokens = answer.usage.outputTokens.total ?? 0;
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
    const text = textOf(answer.content);
    await this.#record({ type: "model", role: "assistant", text, inputTokens, outputTokens, startedAt, durationMs });
    this.#prompt.push({ role: "assistant", content: promptContent(answer.content) });
    return answer.content;
  }

  async #call(call: LanguageModelV3ToolCall, tools: ToolNames): Promise<void> {
    const { clock, signal } = this.#needs;
    const { toolCallId, toolName } = call;
    signal.throwIfAborted();
    const name = tools.original(toolName);
    const startedAt = clock.now();
    const since = clock.monotonic();
    this.#toolCalls++;
    await this.#record({
      ...{ type: "tool_call", role: "assistant", toolName: name ?? toolName, arguments: call.input },
      ...{ startedAt, durationMs: 0 },
    });
    const outcome = name === undefined ? unknownTool(toolName) : await this.#outcome(name, call.input);
    const durationMs = Math.round(clock.monotonic() - since);
    const { text, isError, guard } = outcome;
    await this.#record({
      ...{ type: "tool_result", role: "tool", toolName: name ?? toolName, text, isError, guard },
      ...{ startedAt, durationMs },
    });
    const value = text.length > MAX_RESULT_CHARACTERS ? `${text.slice(0, MAX_RESULT_CHARACTERS)}\n[cut]` : text;
    const output = { type: isError ? ("error-text" as const) : ("text" as const), value };
    this.#prompt.push({ role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] });
  }

  /** Repeats a call that waits for an approval after the decision. */
  async #outcome(name: string, input: string): Promise<ToolOutcome> {
    const { gateway, clock, signal, approvalDecided } = this.#needs;
    if (!isObjectText(input)) return { text: "The arguments must be a JSON object", isError: true };
    while (true) {
      const outcome = await gateway.callTool(name, input, signal);
      const { approvalId } = outcome;
      if (approvalId === undefined) return outcome;
      const startedAt = clock.now();
      const since = clock.monotonic();
      const decision = await approvalDecided(approvalId);
      const durationMs = Math.round(clock.monotonic() - since);
      await this.#record({
        ...{ type: "approval", role: "system", toolName: name, text: outcome.text, approvalId },
        ...{ guard: outcome.guard, startedAt, durationMs },
      });
      if (decision !== "approved") return { ...outcome, text: UNAPPROVED[decision], isError: true };
    }
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
