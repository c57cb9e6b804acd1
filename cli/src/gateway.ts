import { isObject, parseVerbatim } from "#openapi/json";
import { EXIT, exitCodeOf, Failure, unreachable } from "./failure.ts";
import { readEvents } from "./read-events.ts";

export type Json = Readonly<Record<string, unknown>>;
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** One JSON-RPC request at the gateway (Spec 4.5), which needs no handshake before it. */
export class Gateway {
  readonly #url: string;
  readonly #key: string;
  readonly #send: Send;

  constructor(url: string, key: string, send: Send) {
    this.#url = `${url}/mcp`;
    this.#key = key;
    this.#send = send;
  }

  /** `params` as JSON text, which travels as it is: numbers beyond a double stay exact. */
  async ask(method: string, params: string, onNotification: (message: Json) => void = () => {}): Promise<Json> {
    const body = `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`;
    const headers = {
      authorization: `Bearer ${this.#key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const response = await this.#reached(this.#send(this.#url, { method: "POST", headers, body, redirect: "error" }));
    const answer = await this.#reached(this.#answerOf(response, onNotification));
    if (isObject(answer.result)) return answer.result;
    throw this.#refusal(response, answer);
  }

  async #answerOf(response: Response, onNotification: (message: Json) => void): Promise<Json> {
    if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return parsed(await response.text());
    for await (const data of readEvents(response)) {
      const message = parsed(data);
      if (message.id === 1 && !("method" in message)) return message;
      if ("method" in message && !("id" in message)) onNotification(message);
    }
    throw new Failure(EXIT.unreachable, `${this.#url} ended the connection before it answered`);
  }

  async #reached<Value>(work: Promise<Value>): Promise<Value> {
    try {
      return await work;
    } catch (error) {
      throw error instanceof Failure ? error : unreachable(this.#url, error);
    }
  }

  #refusal(response: Response, answer: Json): Failure {
    if (response.status === 401) return new Failure(EXIT.refused, `${this.#url} does not accept the access key`);
    const { error } = answer;
    if (isObject(error) && typeof error.message === "string") {
      return new Failure(exitCodeOf(response.status), error.message);
    }
    if (response.ok) return new Failure(EXIT.failed, `${this.#url} answered with something else than JSON-RPC`);
    const sentence = typeof error === "string" ? error : `${this.#url} answered with status ${response.status}`;
    return new Failure(exitCodeOf(response.status), sentence);
  }
}

/** An empty object for what is not JSON or not an object: the caller finds no result in it. */
function parsed(text: string): Json {
  try {
    const value = parseVerbatim(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
