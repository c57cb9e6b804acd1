import { ApiError } from "#openapi/client";
import { stringifyExact } from "#openapi/json";
import type { Api } from "./client.ts";

interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** Beside those that every message has. */
  readonly headers?: Record<string, string> | undefined;
}

type Send = (message: object, options?: SendOptions) => Promise<Response>;

/** Renewed this long before its end: a request under way must not meet it. */
const RENEW_MS = 30_000;

/** Sends messages to the gateway with a token of the person, which is asked for when it is needed. */
export function createSender(api: Api, address: string, fetch: typeof globalThis.fetch): Send {
  let token: Promise<{ readonly text: string; readonly endsAt: number }> | undefined;

  async function renewed() {
    const { token: text = "", expires_at: end } = await api.createPlaygroundToken();
    return { text, endsAt: Date.parse(end) };
  }
  async function currentToken(): Promise<string> {
    const known = await token?.catch(() => undefined);
    if (!known || known.endsAt - Date.now() < RENEW_MS) token = renewed();
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
    return fetch(address, { method: "POST", headers, body, signal: signal ?? null, credentials: "omit" });
  }
  return async (message, options = {}) => {
    const body = stringifyExact(message) ?? "";
    const response = await reached(sendOnce(body, options), options.signal);
    if (response.status !== 401) return response;
    // Refused before anything was done: the session was renewed, or clocks differ.
    token = undefined;
    return reached(sendOnce(body, options), options.signal);
  };
}

/** Questions come only to who has a session. In this version no stream is broken off to be taken up again. */
const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: { elicitation: {} },
  clientInfo: { name: "gatehouse-playground", version: "1" },
};

/** An mcp session of ours, opened when it is needed. */
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
    /** None where the gateway gives no session: then nobody asks, and calls work all the same. */
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

export async function reached<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (signal?.aborted || error instanceof ApiError) throw error;
    throw new ApiError("No whole answer came. Whether anything was done is in the log of calls", undefined, error);
  }
}
