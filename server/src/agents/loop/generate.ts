import {
  APICallError,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3GenerateResult,
} from "@ai-sdk/provider";
import type { Clock } from "#lib/clock";

const MAX_RETRIES = 3;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;
const MAX_MESSAGE = 500;

/** The provider cannot be used. The message names no credential: providers' texts are cut and shown to admins only. */
export class ProviderFailure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

interface GenerateNeeds {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  random(): number;
}

/** Retries what may succeed later: 429, 5xx and failed connections. Rejects only if the signal aborts. */
export async function generate(
  model: LanguageModelV3,
  request: LanguageModelV3CallOptions,
  needs: GenerateNeeds,
): Promise<LanguageModelV3GenerateResult | ProviderFailure> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await model.doGenerate(request);
    } catch (error) {
      needs.signal.throwIfAborted();
      const isRetryable = APICallError.isInstance(error) && error.isRetryable;
      if (!isRetryable || attempt === MAX_RETRIES) return new ProviderFailure(messageOf(error));
      await pause(delayMs(error, attempt, needs.random()), needs);
    }
  }
}

/** What the provider asks for, or twice as long as before; never longer than a minute. */
function delayMs({ responseHeaders }: APICallError, attempt: number, random: number): number {
  const seconds = Number(responseHeaders?.["retry-after"] ?? Number.NaN);
  if (seconds >= 0) return Math.min(seconds * 1000, MAX_DELAY_MS);
  return FIRST_DELAY_MS * 2 ** attempt * (0.5 + random / 2);
}

function pause(ms: number, { clock, signal }: GenerateNeeds): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => {
      signal.removeEventListener("abort", aborted);
      resolve();
    });
    const aborted = () => {
      timer.cancel();
      reject(signal.reason);
    };
    signal.addEventListener("abort", aborted, { once: true });
  });
}

function messageOf(error: unknown): string {
  if (APICallError.isInstance(error)) {
    const status = error.statusCode === undefined ? "no response" : String(error.statusCode);
    return `The provider failed (${status}): ${error.message}`.slice(0, MAX_MESSAGE);
  }
  return `The provider's response cannot be used: ${error instanceof Error ? error.message : "unknown error"}`.slice(
    0,
    MAX_MESSAGE,
  );
}
