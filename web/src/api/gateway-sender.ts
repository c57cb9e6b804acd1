import { ApiError } from "#openapi/client";
import { stringifyExact } from "#openapi/json";
import type { Api } from "./client.ts";

interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** In addition to the headers of every message. */
  readonly headers?: Record<string, string> | undefined;
}

type Send = (message: object, options?: SendOptions) => Promise<Response>;

/** Tokens are renewed this long before they expire, so that they stay valid during a request. */
const RENEW_MS = 30_000;

/** Sends messages to the gateway with a token of the user, which is created on first use. */
export function createSender(api: Api, url: string, fetch: typeof globalThis.fetch): Send {
  let token: Promise<{ readonly text: string; readonly expiresAt: number }> | undefined;

  async function createToken() {
    const { token: text = "", expires_at: expiresAt } = await api.createPlaygroundToken();
    return { text, expiresAt: Date.parse(expiresAt) };
  }
  async function currentToken(): Promise<string> {
    const known = await token?.catch(() => undefined);
    if (!known || known.expiresAt - Date.now() < RENEW_MS) token = createToken();
    return (await token)?.text ?? "";
  }
  async function sendOnce(body: string, { signal, headers: also }: SendOptions): Promise<Response> {
    const authorization = `Bearer ${await currentToken()}`;
    const headers = {
      ...also,
      authorization,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    return fetch(url, { method: "POST", headers, body, signal: signal ?? null, credentials: "omit" });
  }
  return async (message, options = {}) => {
    const body = stringifyExact(message) ?? "";
    const response = await withApiError(sendOnce(body, options), options.signal);
    if (response.status !== 401) return response;
    // Rejected before execution: the session was renewed, or clocks differ.
    token = undefined;
    return withApiError(sendOnce(body, options), options.signal);
  };
}

/** Elicitation requires an MCP session. This protocol version has no stream resumption to handle. */
const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: { elicitation: {} },
  clientInfo: { name: "gatehouse-playground", version: "1" },
};

/** An MCP session, opened on first use. */
export function createSession(send: Send) {
  let opened: Promise<Record<string, string>> | undefined;

  async function open(): Promise<Record<string, string>> {
    const response = await send({ jsonrpc: "2.0", id: "initialize", method: "initialize", params: INITIALIZE });
    await response.text();
    const id = response.headers.get("mcp-session-id");
    if (id === null) return {};
    const headers = { "mcp-session-id": id, "mcp-protocol-version": INITIALIZE.protocolVersion };
    await send({ jsonrpc: "2.0", method: "notifications/initialized" }, { headers });
    return headers;
  }
  return {
    /** Empty if the gateway creates no session: calls work, without elicitation. */
    headers(): Promise<Record<string, string>> {
      opened ??= open().catch(() => {
        opened = undefined;
        return {};
      });
      return opened;
    },
    forget() {
      opened = undefined;
    },
  };
}

/** Turns network failures into an `ApiError`. */
export async function withApiError<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (signal?.aborted || error instanceof ApiError) throw error;
    throw new ApiError("The connection was lost. Check the logs to see whether the call completed.", undefined, error);
  }
}
