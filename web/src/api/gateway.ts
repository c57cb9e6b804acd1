import { ApiError } from "#openapi/client";
import { verbatim, writeExact } from "../components/exact-json.ts";
import type { Api } from "./client.ts";
import { eventData } from "./event-stream.ts";

/** A tool as the gateway lists it. Whatever its server wrote into it is taken as it came. */
export interface GatewayTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: { readonly [hint: string]: unknown } | undefined;
}

export interface Progress {
  readonly progress?: number | undefined;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** The end of a request: one of the two, as JSON-RPC has it. */
export interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown } | undefined;
  /** The one that there is, with numbers as they were written: to be shown, not to be worked with. */
  readonly verbatim: unknown;
  /** By which the log finds it. */
  readonly requestId: string | undefined;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  onProgress?(progress: Progress): void;
}

/** `/mcp` for the person who is signed in, as any client of theirs would call it. */
export interface Gateway {
  listTools(signal: AbortSignal): Promise<readonly GatewayTool[]>;
  /** Aborting ends the call at its server too. */
  callTool(name: string, given: unknown, options: CallOptions): Promise<Answer>;
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: Answer["error"];
  readonly verbatim: unknown;
}

/** Renewed this long before its end: a request under way must not meet it. */
const RENEW_MS = 30_000;

/** The token lives in here, and nowhere else (WEB-8). */
export function createGateway(
  api: Api,
  address: string,
  fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis),
): Gateway {
  let token: Promise<{ readonly text: string; readonly endsAt: number }> | undefined;
  let lastId = 0;

  async function renewed() {
    const { token: text = "", expires_at: end } = await api.createPlaygroundToken();
    return { text, endsAt: Date.parse(end) };
  }
  async function currentToken(): Promise<string> {
    const known = await token?.catch(() => undefined);
    if (!known || known.endsAt - Date.now() < RENEW_MS) token = renewed();
    return (await token)?.text ?? "";
  }
  async function send(body: string, signal: AbortSignal | undefined): Promise<Response> {
    const authorization = `Bearer ${await currentToken()}`;
    const headers = {
      authorization,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    return fetch(address, { method: "POST", headers, body, signal: signal ?? null, credentials: "omit" });
  }
  async function request(method: string, params: object, { signal, onProgress }: CallOptions): Promise<Answer> {
    const id = ++lastId;
    const meta = onProgress ? { _meta: { progressToken: id } } : {};
    const body = writeExact({ jsonrpc: "2.0", id, method, params: { ...params, ...meta } }) ?? "";
    let response = await reached(send(body, signal), signal);
    if (response.status === 401) {
      // Refused before anything was done: the session was renewed, or clocks differ.
      token = undefined;
      response = await reached(send(body, signal), signal);
    }
    const answer = await reached(answerOf(response, id, onProgress), signal);
    const requestId = response.headers.get("x-request-id") ?? undefined;
    if (answer) return { result: answer.result, error: answer.error, verbatim: answer.verbatim, requestId };
    throw new ApiError(`The gateway answered with status ${response.status} and no result`, { response, body: null });
  }
  return {
    async listTools(signal) {
      const tools: GatewayTool[] = [];
      let cursor: string | undefined;
      do {
        const { result, error } = await request("tools/list", cursor === undefined ? {} : { cursor }, { signal });
        if (error) throw new ApiError(String(error.message));
        const page = result as { tools?: GatewayTool[]; nextCursor?: string }; // the gateway's own answer
        tools.push(...(page.tools ?? []));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return tools;
    },
    callTool: (name, given, options) => request("tools/call", { name, arguments: given }, options),
  };
}

/** The answer itself, or the one message of the stream that is it. */
async function answerOf(
  response: Response,
  id: number,
  onProgress: CallOptions["onProgress"],
): Promise<Message | undefined> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream || !response.body) return asMessage(await response.text());
  for await (const data of eventData(response.body)) {
    const message = asMessage(data);
    if (message?.id === id && message.method === undefined) return message;
    if (message?.method === "notifications/progress") onProgress?.(asProgress(message.params));
  }
  throw new Error("The stream ended without an answer");
}

function asMessage(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Members are looked at one by one, and may be anything.
    if (typeof value !== "object" || value === null || !("jsonrpc" in value)) return undefined;
    const exact = verbatim(text) as { readonly result?: unknown; readonly error?: unknown };
    return { ...(value as Omit<Message, "verbatim">), verbatim: exact.error ?? exact.result };
  } catch {
    return undefined;
  }
}

function asProgress(params: unknown): Progress {
  const { progress, total, message } = (params ?? {}) as Record<string, unknown>; // each is checked below
  const number = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : undefined);
  return {
    progress: number(progress),
    total: number(total),
    message: typeof message === "string" ? message : undefined,
  };
}

async function reached<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (signal?.aborted || error instanceof ApiError) throw error;
    throw new ApiError("No whole answer came. Whether anything was done is in the log of calls", undefined, error);
  }
}
