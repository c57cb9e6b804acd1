import { EgressFailure, type EgressRequest, type EgressResponse } from "#egress/egress";
import type { Clock } from "#lib/clock";

/** The part of egress that this folder uses. */
export interface OAuthEgress {
  request(request: EgressRequest): Promise<EgressResponse>;
  assertReachableUrl(url: string): URL;
  /** The time left for a sequence of requests; absent: each has its own timeout. */
  remainingMs?(): number;
}

/** The parts of a response that OAuth needs. */
export interface OAuthResponse {
  readonly status: number;
  readonly headers: EgressResponse["headers"];
  /** Undefined: the body is not JSON. */
  readonly json: unknown;
  /** Status and media type for the step log, without the body. */
  readonly summary: string;
}

export interface FailedRequest {
  readonly failure: EgressFailure;
  readonly summary: string;
}

/** OA-10: limits for responses of authorization servers. */
export const ANSWER_MS = 10_000;
export const DISCOVERY_MS = 20_000;
export const DOCUMENT_BYTES = 256 * 1024;
export const ANSWER_BYTES = 64 * 1024;
/** OA-7: documents are requested without a credential, so redirects are followed; for other requests they are not. */
const DOCUMENT_REDIRECTS = 3;

/** One deadline for a sequence of requests, because a person waits for all of them. */
export function withDeadline(outside: OAuthEgress, clock: Clock, ms: number): OAuthEgress {
  const endsAt = clock.monotonic() + ms;
  return {
    request: (request) => outside.request(request),
    assertReachableUrl: (url) => outside.assertReachableUrl(url),
    remainingMs: () => endsAt - clock.monotonic(),
  };
}

export async function sendRequest(
  outside: OAuthEgress,
  request: Omit<EgressRequest, "timeouts">,
): Promise<OAuthResponse | FailedRequest> {
  try {
    const totalMs = Math.min(ANSWER_MS, outside.remainingMs?.() ?? ANSWER_MS);
    if (totalMs <= 0) throw new EgressFailure("timeout", "earlier requests took too long");
    const answer = await outside.request({ ...request, timeouts: { totalMs, idleMs: ANSWER_MS } });
    const type = mediaType(answer.headers["content-type"]);
    const summary = `HTTP ${answer.status}${type === "" ? "" : `, ${type}`}`;
    return { status: answer.status, headers: answer.headers, json: parsed(answer.body), summary };
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    return { failure: error, summary: `no response: ${error.message}` };
  }
}

export function fetchDocument(outside: OAuthEgress, url: string): Promise<OAuthResponse | FailedRequest> {
  return sendRequest(outside, {
    method: "GET",
    url,
    headers: { accept: "application/json" },
    maxBytes: DOCUMENT_BYTES,
    followRedirects: DOCUMENT_REDIRECTS,
  });
}

function mediaType(header: string | string[] | undefined): string {
  const type = [header ?? ""].flat()[0]?.split(";")[0]?.trim().toLowerCase() ?? "";
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) && type.length <= 100 ? type : "";
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
