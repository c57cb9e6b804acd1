import { ApiError } from "#openapi/client";
import { parseVerbatim } from "#openapi/json";
import type { Api } from "./client.ts";
import { eventData } from "./event-stream.ts";
import { createSender, createSession, reached } from "./gateway-sender.ts";

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

/** What a server asks the person in the middle of a call. */
export interface Question {
  readonly message: string;
  /** Of what it wants to know, as a JSON schema. */
  readonly schema: unknown;
  answer(reply: Reply): Promise<void>;
}

export type Reply = { readonly action: "accept"; readonly content: unknown } | { readonly action: "decline" };

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
  /** Without it, servers are not told that they may ask. */
  onQuestion?(question: Question): void;
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

/** The token lives in its sender, and nowhere else (WEB-8). */
export function createGateway(
  api: Api,
  address: string,
  fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis),
): Gateway {
  const send = createSender(api, address, fetch);
  const session = createSession(send);
  let lastId = 0;

  async function reply(id: unknown, result: Reply): Promise<void> {
    const response = await send({ jsonrpc: "2.0", id, result }, { headers: await session.headers() });
    if (!response.ok) throw new ApiError("The answer did not arrive", { response, body: null });
  }
  async function request(method: string, params: object, options: CallOptions): Promise<Answer> {
    const { signal, onProgress, onQuestion } = options;
    const id = ++lastId;
    const meta = onProgress ? { _meta: { progressToken: id } } : {};
    const message = { jsonrpc: "2.0", id, method, params: { ...params, ...meta } };
    let response = await send(message, { signal, headers: onQuestion && (await session.headers()) });
    if (response.status === 404 && onQuestion) {
      // Refused before anything was done: the mcp session is over.
      session.forget();
      response = await send(message, { signal, headers: await session.headers() });
    }
    const hear = (told: Message) => {
      if (told.method === "notifications/progress") onProgress?.(asProgress(told.params));
      if (told.method === "elicitation/create") onQuestion?.(asQuestion(told, reply));
    };
    const answer = await reached(answerOf(response, id, hear), signal);
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
  hear: (message: Message) => void,
): Promise<Message | undefined> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream || !response.body) return asMessage(await response.text());
  for await (const data of eventData(response.body)) {
    const message = asMessage(data);
    if (message?.id === id && message.method === undefined) return message;
    if (message?.method !== undefined) hear(message);
  }
  throw new Error("The stream ended without an answer");
}

function asMessage(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Members are looked at one by one, and may be anything.
    if (typeof value !== "object" || value === null || !("jsonrpc" in value)) return undefined;
    const exact = parseVerbatim(text) as { readonly result?: unknown; readonly error?: unknown };
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

function asQuestion({ id, params }: Message, reply: (id: unknown, result: Reply) => Promise<void>): Question {
  const { message, requestedSchema } = (params ?? {}) as Record<string, unknown>; // each is checked where it is used
  return { message: String(message ?? ""), schema: requestedSchema, answer: (result) => reply(id, result) };
}
