import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";

export interface HttpCall {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined if it is empty or not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect responses of every shape
  readonly body: any;
}

/** Sends the path unchanged: nothing is normalized, encoded, or followed. */
export function send(base: string, path: string, call: HttpCall = {}): Promise<Answer> {
  const { protocol, hostname, port, pathname } = new URL(base);
  const request = protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const outgoing = request({
      hostname: hostname.replace(/^\[|\]$/g, ""),
      port,
      path: `${pathname.replace(/\/$/, "")}${path}`,
      method: call.method ?? "GET",
      headers: { ...lengthOf(call), ...call.headers },
    });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parse(text) });
      });
    });
    outgoing.end(call.body);
  });
}

/** Node would send the body of a GET or DELETE without a length. */
function lengthOf({ body }: HttpCall): OutgoingHttpHeaders {
  return body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
