import { ApiError, type Client, createClient, openDownload } from "#openapi/client";
import { readEvents, type StreamEvent } from "#openapi/event-stream";
import { type DownloadOptions, download } from "./download.ts";

export { ApiError } from "#openapi/client";
export type { Schemas } from "#openapi/types";

/** One function per operation, and downloads. */
export interface Api extends Client {
  download(path: string, options: DownloadOptions): Promise<File>;
  /** The events of a session of an agent until it ends. */
  followSession(slug: string, id: string, after: number, signal: AbortSignal): AsyncGenerator<StreamEvent>;
  /** Cancels all requests and sends no others: the session ends, but the page polls until the browser leaves it. */
  stop(): void;
}

/** Receives session changes that any request can reveal. */
export interface SessionListener {
  /** Called on every 401. */
  onSignedOut(): void;
  /** Another user signed in in this browser: the page still shows the previous user's data. */
  onUserChanged(): void;
}

/** The 403 message after the session was renewed in another tab. The request is retried with a new token. */
const STALE_TOKEN = "CSRF token missing or wrong";

/**
 * The administration API with the browser's session cookie. Writes carry the CSRF token of `GET /api/me`, which is kept
 * in memory only (WEB-6). `basePath`: the path under which a proxy serves the app.
 */
export function createApi(
  { onSignedOut, onUserChanged }: SessionListener,
  basePath: string,
  fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis),
): Api {
  let csrfToken: string | undefined;
  let userId: string | undefined;
  const stopping = new AbortController();

  const send: typeof globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    if (csrfToken !== undefined) headers.set("x-csrf-token", csrfToken);
    const signal = init?.signal ? AbortSignal.any([init.signal, stopping.signal]) : stopping.signal;
    const answer = await fetch(input, { ...init, headers, signal, credentials: "same-origin" }).catch((error) => {
      // The page must not show an error while the browser leaves it.
      if (stopping.signal.aborted) return new Promise<never>(() => {});
      throw error;
    });
    if (answer.status === 401) onSignedOut();
    return answer;
  };
  const sendWithRetry: typeof globalThis.fetch = async (input, init) => {
    const answer = await send(input, init);
    if (answer.status !== 403 || !(await answer.clone().text()).includes(STALE_TOKEN)) return answer;
    await fetchToken();
    return send(input, init);
  };
  const plain = createClient({ baseUrl: basePath, fetch: send });
  const fetchToken = async (signal?: AbortSignal) => {
    const me = await plain.getMe({ signal });
    if (userId !== undefined && userId !== me.data.id) {
      onUserChanged();
      throw new ApiError("Another user signed in. The request was not sent");
    }
    userId = me.data.id;
    csrfToken = me.data.csrf_token;
    return me;
  };
  const client = createClient({ baseUrl: basePath, fetch: sendWithRetry });
  return {
    ...client,
    getMe: (request) => fetchToken(request?.signal),
    async *followSession(slug, id, after, signal) {
      const options = { baseUrl: basePath, fetch: sendWithRetry };
      const request = { path: { slug, id }, query: { after }, signal };
      yield* readEvents(await openDownload(options, "streamAgentSession", request));
    },
    stop: () => stopping.abort(),
    download: (path, options) => download(sendWithRetry, `${basePath}${path}`, options),
  };
}
