import {
  APICallError,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3Content,
  type LanguageModelV3GenerateResult,
  type LanguageModelV3Prompt,
  UnsupportedFunctionalityError,
} from "@ai-sdk/provider";

/** One turn of the model: a text, a tool call, or a failure of the provider. */
export type ScriptLine =
  | { readonly text: string }
  | { readonly tool: string; readonly arguments?: Readonly<Record<string, unknown>> | undefined }
  | { readonly error: string; readonly status?: number | undefined };

/** Whether a stored value is a line of a script. */
export function isScript(line: Readonly<Record<string, unknown>>): line is ScriptLine {
  return typeof line.text === "string" || typeof line.tool === "string" || typeof line.error === "string";
}

const LAST_RESULT = "{{last_result}}";

/** Answers with the lines of a script, from its start in each session, for tests and demos without a provider. */
export class ScriptedModel implements LanguageModelV3 {
  readonly specificationVersion = "v3";
  readonly provider = "scripted";
  readonly modelId = "scripted";
  readonly supportedUrls = {};
  readonly #script: readonly ScriptLine[];

  constructor(script: readonly ScriptLine[]) {
    this.#script = script;
  }

  async doGenerate({ prompt }: LanguageModelV3CallOptions): Promise<LanguageModelV3GenerateResult> {
    const turn = turnsSinceInput(prompt);
    const line = this.#script[turn] ?? { text: "" };
    if ("error" in line) {
      const request = { url: "script:", requestBodyValues: {}, isRetryable: false };
      throw new APICallError({ ...request, message: line.error, statusCode: line.status ?? 400 });
    }
    const content = contentOf(line, turn, lastResult(prompt));
    const isCall = content.type === "tool-call";
    return {
      content: [content],
      finishReason: { unified: isCall ? "tool-calls" : "stop", raw: undefined },
      usage: {
        inputTokens: { total: tokensOf(prompt), noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: tokensOf(content), text: undefined, reasoning: undefined },
      },
      warnings: [],
    };
  }

  doStream(): never {
    throw new UnsupportedFunctionalityError({ functionality: "streaming" });
  }
}

function contentOf(
  line: Exclude<ScriptLine, { readonly error: string }>,
  turn: number,
  result: string,
): LanguageModelV3Content {
  if ("text" in line) return { type: "text", text: line.text.replaceAll(LAST_RESULT, () => result) };
  const quoted = JSON.stringify(result).slice(1, -1);
  const input = JSON.stringify(line.arguments ?? {}).replaceAll(LAST_RESULT, () => quoted);
  return { type: "tool-call", toolCallId: `call_${turn}`, toolName: line.tool, input };
}

/** A follow-up starts the script again. */
function turnsSinceInput(prompt: LanguageModelV3Prompt): number {
  const input = prompt.findLastIndex(({ role }) => role === "user");
  return prompt.slice(input + 1).filter(({ role }) => role === "assistant").length;
}

function lastResult(prompt: LanguageModelV3Prompt): string {
  const message = prompt.findLast(({ role }) => role === "tool");
  const part = message?.role === "tool" ? message.content.at(-1) : undefined;
  const output = part?.type === "tool-result" ? part.output : undefined;
  return output?.type === "text" || output?.type === "error-text" ? output.value : "";
}

/** About four characters per token. */
function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}
