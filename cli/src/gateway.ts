import { isObject, parseVerbatim } from "#openapi/json";
import { EXIT, exitCodeOf, Failure, unreachable } from "./failure.ts";
import { readEvents } from "./read-events.ts";

export type Json = Readonly<Record<string, unknown>>;
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Sends single JSON-RPC requests to the gateway (Spec 4.5), without a handshake. */
export class Gateway {
  readonly #url: string;
  readonly #key: string;
  readonly #send: Send;

  constructor(url: string, key: string, send: Send) {
    this.#url = `${url}/mcp`;
    this.#key = key;
    this.#send = send;
  }

  /** `params` is JSON text that is sent unchanged, so numbers that a double cannot hold stay exact. */
  async request(method: string, params: string, onNotification: (message: Json) => void = () => {}): Promise<Json> {
    const body = `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`;
    const headers = {
      authorization: `Bearer ${this.#key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const response = await this.#reached(this.#send(this.#url, { method: "POST", headers, body, redirect: "error" }));
    const message = await this.#reached(this.#readResponse(response, onNotification));
    if (isObject(message.result)) return message.result;
    throw this.#failure(response, message);
  }

  async #readResponse(response: Response, onNotification: (message: Json) => void): Promise<Json> {
    if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return parsed(await response.text());
    for await (const data of readEvents(response)) {
      const message = parsed(data);
      if (message.id === 1 && !("method" in message)) return message;
      if ("method" in message && !("id" in message)) onNotification(message);
    }
    throw new Failure(EXIT.unreachable, `${this.#url} closed the connection before the response was complete`);
  }

  async #reached<Value>(work: Promise<Value>): Promise<Value> {
    try {
      return await work;
    } catch (error) {
      throw error instanceof Failure ? error : unreachable(this.#url, error);
    }
  }

  #failure(response: Response, message: Json): Failure {
    if (response.status === 401) {
      return new Failure(EXIT.refused, `${this.#url} rejected the access key. Check GATEHOUSE_ACCESS_KEY.`);
    }
    const { error } = message;
    if (isObject(error) && typeof error.message === "string") {
      return new Failure(exitCodeOf(response.status), error.message);
    }
    if (response.ok) return new Failure(EXIT.failed, `The response of ${this.#url} is not JSON-RPC`);
    const text = typeof error === "string" ? error : `${this.#url} responded with status ${response.status}`;
    return new Failure(exitCodeOf(response.status), text);
  }
}

/** An empty object if the text is not a JSON object, so that the caller finds no result. */
function parsed(text: string): Json {
  try {
    const value = parseVerbatim(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
