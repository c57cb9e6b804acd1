import { EgressFailure, type EgressRequest, type EgressResponse } from "#egress/egress";
import type { Clock } from "#lib/clock";

/** The part of egress that this room uses. */
export interface Outside {
  request(request: EgressRequest): Promise<EgressResponse>;
  assertReachableUrl(url: string): URL;
  /** What is left of the time for all of it, where somebody waits for that. */
  leftMs?(): number;
}

/** An answer as far as OAuth looks into it. */
export interface Heard {
  readonly status: number;
  readonly headers: EgressResponse["headers"];
  /** Undefined: the body is no JSON. */
  readonly json: unknown;
  /** In words, for the log of steps: nothing of the body. */
  readonly words: string;
}

export interface NotHeard {
  readonly failure: EgressFailure;
  readonly words: string;
}

/** OA-10: what an authorization server may make us wait for and read. */
export const ANSWER_MS = 10_000;
export const DISCOVERY_MS = 20_000;
export const DOCUMENT_BYTES = 256 * 1024;
export const ANSWER_BYTES = 64 * 1024;
/** OA-7: documents may be moved, and are asked for without any credential; nothing else follows a redirect. */
const DOCUMENT_REDIRECTS = 3;

/** Of many questions in a row, all together: a person looks at an empty window meanwhile. */
export function within(outside: Outside, clock: Clock, ms: number): Outside {
  const endsAt = clock.monotonic() + ms;
  return {
    request: (request) => outside.request(request),
    assertReachableUrl: (url) => outside.assertReachableUrl(url),
    leftMs: () => endsAt - clock.monotonic(),
  };
}

export async function ask(outside: Outside, request: Omit<EgressRequest, "timeouts">): Promise<Heard | NotHeard> {
  try {
    const totalMs = Math.min(ANSWER_MS, outside.leftMs?.() ?? ANSWER_MS);
    if (totalMs <= 0) throw new EgressFailure("timeout", "the servers that were asked before took too long");
    const answer = await outside.request({ ...request, timeouts: { totalMs, idleMs: ANSWER_MS } });
    const type = mediaType(answer.headers["content-type"]);
    const words = `HTTP ${answer.status}${type === "" ? "" : `, ${type}`}`;
    return { status: answer.status, headers: answer.headers, json: parsed(answer.body), words };
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    return { failure: error, words: `no answer: ${error.message}` };
  }
}

export function askForDocument(outside: Outside, url: string): Promise<Heard | NotHeard> {
  return ask(outside, {
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
