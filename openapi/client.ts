import { type Operations, ROUTES } from "./types.ts";

/** The administration API as one function per operation. */
export type Client = { readonly [Id in keyof Operations]: Call<Operations[Id]> };
type Call<O extends { request: unknown; answer: unknown }> =
  Record<never, never> extends O["request"]
    ? (request?: O["request"] & Options) => Promise<O["answer"]>
    : (request: O["request"] & Options) => Promise<O["answer"]>;

interface Options {
  readonly signal?: AbortSignal | undefined;
}

export interface ClientOptions {
  /** Where the service is; empty in a page that the service itself served. */
  readonly baseUrl: string;
  /** An API token; none where the browser's own session speaks. */
  readonly token?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Every way in which a call can fail, but for the caller's own abort. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** 0: there was no answer. */
  readonly status: number;
  /** What support needs to find the request in the log. */
  readonly requestId: string | undefined;
  readonly code: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly body: unknown;

  constructor(message: string, answer?: { response: Response; body: unknown }, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    const { response, body } = answer ?? {};
    this.status = response?.status ?? 0;
    this.requestId = response?.headers.get("x-request-id") ?? undefined;
    this.retryAfterSeconds = Number(response?.headers.get("retry-after")) || undefined;
    this.code = textOf(body, "code");
    this.body = body;
  }
}

type Values = Readonly<Record<string, string | number | boolean | undefined>>;
interface AnyRequest extends Options {
  readonly path?: Values;
  readonly query?: Values | undefined;
  readonly headers?: Values | undefined;
  readonly body?: unknown;
}

export function createClient(options: ClientOptions): Client {
  const calls = Object.entries(ROUTES).map(([id, route]) => [
    id,
    (request: AnyRequest = {}) => call(options, route, request),
  ]);
  // Routes and types are written from the same document.
  return Object.fromEntries(calls) as Client;
}

/** Operations whose response is a stream. */
export type DownloadId =
  | "exportLogs"
  | "exportAudit"
  | "downloadSkill"
  | "downloadPlugin"
  | "exportCommand"
  | "exportDiscovery"
  | "streamAgentSession";

/** Returns the response as a stream. Reading it fails if the connection breaks. */
export async function openDownload<Id extends DownloadId>(
  options: ClientOptions,
  id: Id,
  request: Operations[Id]["request"] & Options,
): Promise<ReadableStream<Uint8Array>> {
  const response = await ask(options, ROUTES[id], request);
  if (!response.ok || !response.body) answerOf(response, await reached(response.text(), request.signal));
  return response.body ?? new ReadableStream();
}

async function call(options: ClientOptions, route: string, request: AnyRequest): Promise<unknown> {
  const response = await ask(options, route, request);
  return answerOf(response, await reached(response.text(), request.signal));
}

function ask(options: ClientOptions, route: string, request: AnyRequest): Promise<Response> {
  const [method = "", path = ""] = route.split(" ");
  const { fetch = globalThis.fetch, token } = options;
  const url = `${options.baseUrl.replace(/\/+$/, "")}${filledIn(path, request.path ?? {})}${queryText(request.query ?? {})}`;
  const headers = {
    ...options.headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(request.body === undefined ? {} : { "content-type": "application/json" }),
    "service-api-version": "1",
    ...Object.fromEntries(given(request.headers ?? {}).map(([name, value]) => [name, headerText(value)])),
  };
  const body = request.body === undefined ? null : JSON.stringify(request.body);
  // The API never redirects, and a token must not follow where something else does.
  const init = { method, headers, body, redirect: "error", signal: request.signal ?? null } as const;
  return reached(fetch(url, init), request.signal);
}

async function reached<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("The service cannot be reached", undefined, error);
  }
}

function answerOf(response: Response, text: string): unknown {
  const body = parsed(text);
  const answer = { response, body };
  if (!response.ok) {
    const sentence = textOf(body, "message") ?? textOf(body, "error");
    throw new ApiError(sentence ?? `The service answered with status ${response.status}`, answer);
  }
  if (body === undefined && text !== "")
    throw new ApiError("The service answered with something else than JSON", answer);
  return body;
}

/** Undefined for what is not JSON: JSON itself has no undefined. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(body: unknown, member: string): string | undefined {
  if (typeof body !== "object" || body === null || !(member in body)) return undefined;
  const value = (body as Record<string, unknown>)[member]; // an object, as just checked
  return typeof value === "string" ? value : undefined;
}

function filledIn(path: string, values: Values): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? "");
    // However it is encoded, an address takes this for a step upwards, and another operation would be called.
    if (value === "." || value === "..") throw new ApiError(`${name}: "${value}" cannot stand in an address`);
    return encodeURIComponent(value);
  });
}

function queryText(values: Values): string {
  const text = String(new URLSearchParams(given(values)));
  return text === "" ? "" : `?${text}`;
}

function given(values: Values): [name: string, value: string][] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

/** Header values are bytes; ours are UTF-8. */
function headerText(value: string): string {
  return String.fromCharCode(...new TextEncoder().encode(value));
}
