import { EgressFailure } from "./failure.ts";
import type { EgressRequest, EgressResponse } from "./request.ts";

/**
 * The part of `fetch` that OAuth and JWT libraries use: small bodies and responses in memory, redirects never followed.
 */
export type EgressFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export function createFetch(
  request: (request: EgressRequest) => Promise<EgressResponse>,
  maxBytes: number,
): EgressFetch {
  return async (input, init) => {
    // The standard class merges `input` and `init`.
    const wanted = new Request(input, { ...init, redirect: "manual" });
    const body = wanted.body ? new Uint8Array(await wanted.arrayBuffer()) : undefined;
    const response = await request({
      method: wanted.method,
      url: wanted.url,
      headers: Object.fromEntries(wanted.headers),
      ...(body ? { body } : {}),
      signal: wanted.signal,
      maxBytes,
    });
    if (init?.redirect === "error" && response.status >= 300 && response.status < 400) {
      throw new EgressFailure("redirect", `host "${new URL(response.url).host}" redirects`);
    }
    return toResponse(response);
  };
}

function toResponse({ status, headers, body, url }: EgressResponse): Response {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    // The body is already decoded, so its original length and encoding no longer apply.
    if (name === "content-encoding" || name === "content-length") continue;
    for (const single of [value ?? []].flat()) copied.append(name, single);
  }
  if (status > 599) throw new EgressFailure("protocol", `host "${new URL(url).host}" sent HTTP status ${status}`);
  const bodyless = status === 204 || status === 205 || status === 304;
  return new Response(bodyless ? null : new Uint8Array(body), { status, headers: copied });
}
