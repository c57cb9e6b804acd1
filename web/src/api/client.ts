import { ApiError, type Client, createClient } from "#openapi/client";
import { type DownloadOptions, download } from "./download.ts";

export { ApiError } from "#openapi/client";
export type { Schemas } from "#openapi/types";

/** One function per operation, and answers that are too large for one. */
export interface Api extends Client {
  download(path: string, options: DownloadOptions): Promise<File>;
}

/** What the page must hear of, whoever asked. */
export interface SessionListener {
  /** With every 401. */
  onSignedOut(): void;
  /** Another person signed in in this browser: what is shown and typed here belongs to the one before. */
  onUserChanged(): void;
}

/** The words of the one refusal that is worth a second try: the session was renewed in another tab. */
const STALE_TOKEN = "CSRF token missing or wrong";

/**
 * The administration API with the browser's own session. Whatever changes something carries the session's token (WEB-6),
 * which the API itself tells; it stands in memory only. `basePath` is the path below which a proxy serves us.
 */
export function createApi(
  { onSignedOut, onUserChanged }: SessionListener,
  basePath: string,
  fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis),
): Api {
  let csrfToken: string | undefined;
  let personId: string | undefined;

  const send: typeof globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    if (csrfToken !== undefined) headers.set("x-csrf-token", csrfToken);
    const answer = await fetch(input, { ...init, headers, credentials: "same-origin" });
    if (answer.status === 401) onSignedOut();
    return answer;
  };
  const sendTwiceIfStale: typeof globalThis.fetch = async (input, init) => {
    const answer = await send(input, init);
    if (answer.status !== 403 || !(await answer.clone().text()).includes(STALE_TOKEN)) return answer;
    await learnToken();
    return send(input, init);
  };
  const plain = createClient({ baseUrl: basePath, fetch: send });
  const learnToken = async (signal?: AbortSignal) => {
    const me = await plain.getMe({ signal });
    if (personId !== undefined && personId !== me.data.id) {
      onUserChanged();
      throw new ApiError("Somebody else has signed in. Nothing was done in their name");
    }
    personId = me.data.id;
    csrfToken = me.data.csrf_token;
    return me;
  };
  const client = createClient({ baseUrl: basePath, fetch: sendTwiceIfStale });
  return {
    ...client,
    getMe: (request) => learnToken(request?.signal),
    download: (path, options) => download(sendTwiceIfStale, `${basePath}${path}`, options),
  };
}
