/**
 * How a raw upstream answers a message: correctly in two framings, or in every faulty way that the gateway must
 * survive.
 */
import type { ServerResponse } from "node:http";
import type { RawAnswer } from "./hostile-answers.ts";
import type { SeenRequest } from "./seen-request.ts";

export type Behaviour =
  | "json"
  /** The response as one SSE event. */
  | "sse"
  /** Two progress notifications (when the request has a progress token), a comment, then the response. */
  | "sse-progress"
  /** A ping and an elicitation to the client on the stream, then the response. */
  | "sse-requests"
  /** A thousand pings to the client on the stream, then the response. */
  | "sse-pings"
  /** A response and a progress notification for another request, then the response. */
  | "sse-foreign"
  /** A priming event, then the end of the stream: the response follows on a GET with Last-Event-ID. */
  | "sse-resume"
  /** A stream that ends without a response. */
  | "sse-cut"
  /** Endless notifications of 64 KiB, as fast as they are read. */
  | "sse-flood"
  /** An event that never ends. */
  | "sse-endless"
  /** Never answers. */
  | "hang"
  /** Only the headers of an SSE stream. */
  | "hang-after-headers"
  /** Closes the connection without a response. */
  | "reset"
  /** Closes the connection in the middle of a JSON body. */
  | "reset-mid-body"
  /** Claims Brotli. */
  | "br"
  /** More than 16 MiB of JSON. */
  | "oversized"
  /** Announces 17 MiB and sends nothing. */
  | "huge-length"
  /** A response to a request that was never sent. */
  | "wrong-id"
  /** 200 and application/json with invalid JSON. */
  | "not-json"
  /** 200 and a web page. */
  | "html"
  /** Announces more bytes than it sends. */
  | "lying-length"
  /** Writes to the connection directly (see hostile-answers.ts), and closes it. */
  | { readonly raw: RawAnswer }
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> };

/** Answers if the behavior replaces the response; returns whether it did. */
export function misbehave(behaviour: Behaviour, seen: SeenRequest, response: ServerResponse): boolean {
  if (typeof behaviour === "object" && "raw" in behaviour) {
    if (response.socket) behaviour.raw(response.socket, seen);
    return true;
  }
  if (typeof behaviour === "object") {
    sendJson(response, behaviour.status, behaviour.body ?? "", behaviour.headers ?? {});
    return true;
  }
  switch (behaviour) {
    case "hang":
      return true;
    case "hang-after-headers":
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      return true;
    case "reset":
      response.socket?.destroy();
      return true;
    case "reset-mid-body":
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"jsonrpc":"2.0",', () => response.socket?.destroy());
      return true;
    case "br":
      sendJson(response, 200, "\x0b\x02\x80{}\x03", { "content-encoding": "br" });
      return true;
    case "oversized":
      sendJson(response, 200, `{"jsonrpc":"2.0","id":${seen.id},"result":{"text":"${"x".repeat(17 << 20)}"}}`);
      return true;
    case "huge-length":
      response.writeHead(200, { "content-type": "application/json", "content-length": 17 << 20 }).flushHeaders();
      return true;
    case "sse-endless":
      streamForEver(response, "data: ", "x".repeat(256 << 10));
      return true;
    case "sse-flood":
      streamForEver(
        response,
        "",
        sseEvent(`{"jsonrpc":"2.0","method":"x","params":{"pad":"${"x".repeat(64 << 10)}"}}`),
      );
      return true;
    case "wrong-id":
      sendJson(response, 200, '{"jsonrpc":"2.0","id":987654321,"result":{"content":[],"secret":"of another"}}');
      return true;
    case "not-json":
      sendJson(response, 200, "{nonsense");
      return true;
    case "html":
      sendJson(response, 200, "<html></html>", { "content-type": "text/html" });
      return true;
    case "lying-length":
      response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
      response.write("{}", () => setTimeout(() => response.socket?.end(), 5).unref());
      return true;
    default:
      return resume(seen, response);
  }
}

/** The GET that continues an `sse-resume` stream: the event id carries the request's id. */
function resume(seen: SeenRequest, response: ServerResponse): boolean {
  const id = seen.headers["last-event-id"];
  if (seen.httpMethod !== "GET" || id === undefined) return false;
  startSse(response, {});
  response.end(sseEvent(`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"resumed":true}}`));
  return true;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  latin1Body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = Buffer.from(latin1Body, "latin1");
  response.writeHead(status, { "content-type": "application/json", "content-length": body.length, ...headers });
  response.end(body);
}

export function sendSse(
  response: ServerResponse,
  behaviour: Behaviour,
  seen: SeenRequest,
  latin1Body: string,
  headers: Readonly<Record<string, string>>,
): void {
  startSse(response, headers);
  if (behaviour === "sse-cut") {
    response.end(": nothing more\n\n");
    return;
  }
  if (behaviour === "sse-resume") {
    response.end(`id: ${seen.id}\nretry: 10\ndata:\n\n`);
    return;
  }
  if (behaviour === "sse-progress") {
    const token = /"progressToken"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)/.exec(seen.body.toString("latin1"))?.[1];
    for (const step of token === undefined ? [] : [1, 2]) {
      const params = `{"progressToken":${token},"progress":${step},"total":2}`;
      response.write(sseEvent(`{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}`));
    }
    response.write(": keep-alive\n\n");
  }
  if (behaviour === "sse-foreign") {
    response.write(sseEvent('{"jsonrpc":"2.0","id":987654321,"result":{"secret":"of another"}}'));
    const params = '{"progressToken":987654321,"progress":1}';
    response.write(sseEvent(`{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}`));
  }
  if (behaviour === "sse-requests") {
    response.write(sseEvent('{"jsonrpc":"2.0","id":"p-1","method":"ping"}'));
    response.write(sseEvent('{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"?"}}'));
  }
  if (behaviour === "sse-pings") {
    response.write(sseEvent('{"jsonrpc":"2.0","id":"p-1","method":"ping"}').repeat(1000));
  }
  response.end(Buffer.from(sseEvent(latin1Body), "latin1"));
}

function startSse(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", ...headers });
}

function sseEvent(message: string): string {
  return `event: message\ndata: ${message}\n\n`;
}

function streamForEver(response: ServerResponse, start: string, again: string): void {
  startSse(response, {});
  response.write(start);
  const more = () => {
    while (!response.destroyed && response.write(again));
  };
  response.on("drain", more);
  more();
}
