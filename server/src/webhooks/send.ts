import { type Egress, EgressFailure } from "#egress/egress";
import { redactText } from "#lib/logger";
import { VERSION } from "#lib/version";
import { readRetryAfterMs } from "./retry-schedule.ts";
import { signedHeaders } from "./sign.ts";

export interface SignedRequest {
  readonly url: string;
  /** The ID of the event. */
  readonly id: string;
  readonly body: string;
  readonly at: number;
  readonly secrets: readonly string[];
}

export interface SendResult {
  /** Null: no response. */
  readonly status: number | null;
  /** Null: the receiver accepted it. */
  readonly error: string | null;
  readonly response: string | null;
  readonly retryAfterMs: number;
}

const TIME_LIMIT_MS = 10_000;
const MAX_RESPONSE_BYTES = 4 * 1024;
const SHOWN_CHARACTERS = 1_000;

/** One attempt. Never throws for a failure of the receiver or the network. */
export async function send(
  egress: Pick<Egress, "request">,
  { url, id, body, at, secrets }: SignedRequest,
  signal: AbortSignal,
): Promise<SendResult> {
  try {
    const {
      status,
      headers,
      body: bytes,
    } = await egress.request({
      method: "POST",
      url,
      headers: {
        "content-type": "application/json",
        "user-agent": `Gatehouse/${VERSION}`,
        ...signedHeaders({ id, body, at }, secrets),
      },
      body,
      signal,
      maxBytes: MAX_RESPONSE_BYTES,
      cutsBody: true,
      timeouts: { idleMs: TIME_LIMIT_MS, totalMs: TIME_LIMIT_MS },
    });
    const response = headers["content-encoding"] === undefined ? textOf(bytes) : null;
    return { status, error: errorOf(status), response, retryAfterMs: readRetryAfterMs(headers["retry-after"]) };
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    return { status: null, error: sentence(error.message), response: null, retryAfterMs: 0 };
  }
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The receiver redirects (${status}). Redirects are not followed`;
  return `The receiver responded with status ${status}`;
}

/** Postgres cannot store NUL. A receiver may echo anything, so credentials in it are removed. */
function textOf(bytes: Buffer): string {
  return redactText(bytes.toString("utf8").replaceAll("\0", "\ufffd")).slice(0, SHOWN_CHARACTERS).toWellFormed();
}

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
