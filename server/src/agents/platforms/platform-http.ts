import type { EgressFetch } from "#egress/egress";
import { isObject } from "#lib/is-object";
import { PlatformFailure } from "./platform.ts";

const TIME_LIMIT_MS = 30_000;
const MAX_MESSAGE = 300;

export interface PlatformRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface PlatformAnswer {
  readonly status: number;
  /** Empty if the response is no JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** One request to a platform. Throws `PlatformFailure` if there is no response, or one that reports a failure. */
export async function askPlatform(
  fetch: EgressFetch,
  { method, url, headers, body }: PlatformRequest,
  signal: AbortSignal,
  { accepts404 = false }: { readonly accepts404?: boolean } = {},
): Promise<PlatformAnswer> {
  const response = await sent(fetch, { method, url, headers, body }, signal);
  const answer = { status: response.status, body: await bodyOf(response) };
  if (response.ok || (accepts404 && response.status === 404)) return answer;
  const error = isObject(answer.body.error) ? answer.body.error.message : answer.body.error;
  const reason = typeof error === "string" ? `: ${error}` : "";
  throw new PlatformFailure(`The platform rejected the request (${response.status})${reason}`.slice(0, MAX_MESSAGE));
}

async function sent(fetch: EgressFetch, { url, ...init }: PlatformRequest, signal: AbortSignal): Promise<Response> {
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
    const { method, headers, body } = init;
    return await fetch(url, { method, headers: { ...headers }, signal: limited, ...(body !== undefined && { body }) });
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : "no response";
    throw new PlatformFailure(`The platform cannot be reached: ${reason}`.slice(0, MAX_MESSAGE));
  }
}

async function bodyOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = await response.json();
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
