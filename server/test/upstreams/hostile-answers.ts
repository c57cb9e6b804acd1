/**
 * Responses of a hostile upstream that no correct server sends. Each contains `SECRET`, so that a test can detect
 * whether any of it is passed on (GW-9, GW-10, GW-22).
 */
import type { Socket } from "node:net";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import type { SeenRequest } from "./seen-request.ts";

export const SECRET = "s3cr3t-of-upstream";

/** Writes arbitrary bytes to the connection. */
export type RawAnswer = (socket: Socket, seen: SeenRequest) => void;

export interface HostileAnswer {
  readonly what: string;
  readonly answer: RawAnswer;
  /** The rest of the caller's error after the server's name; absent if the call succeeds. */
  readonly error?: RegExp;
}

const MIB = 1 << 20;
const NOT_HTTP = /^sent something that is not a valid HTTP response$/;
const NOT_MCP = /^sent a response that is not MCP$/;
const NO_LIST = /^did not respond with a list of tools$/;
const NOT_MCP_NOR_LIST = new RegExp(`${NOT_MCP.source}|${NO_LIST.source}`);
const ENCODED = /^sent an encoded response although identity was requested$/;
const CUT = /^closed the connection before its response was complete$/;
const TOO_LARGE = /^sent a response that is too large$|^sent a list of tools that is too large$/;

function head(...lines: string[]): string {
  return ["HTTP/1.1 200 OK", "connection: close", ...lines, "", ""].join("\r\n");
}

function json(...lines: string[]): string {
  return head("content-type: application/json", ...lines);
}

const EVENTS = head("content-type: text/event-stream");

function event(message: string): string {
  return `data: ${message}\n\n`;
}

/** A result that is valid for every method. */
export function resultOf(id: string | undefined): string {
  const lists = '"tools":[],"prompts":[],"resources":[],"resourceTemplates":[]';
  const result = `{"resultType":"complete","content":[],"messages":[],"contents":[],${lists},"ttlMs":0}`;
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

function proper(id: string | undefined, ...lines: string[]): string {
  const body = resultOf(id);
  return `${json(`content-length: ${body.length}`, ...lines)}${body}`;
}

/** Text, followed by the end of the connection. */
const say =
  (text: string | Buffer | ((id: string | undefined) => string | Buffer)): RawAnswer =>
  (socket, { id }) =>
    void socket.end(typeof text === "function" ? text(id) : text, "latin1");

const encoded = (encoding: string, body: (plain: Buffer) => Buffer): RawAnswer =>
  say((id) => {
    const packed = body(Buffer.from(resultOf(id)));
    return Buffer.concat([
      Buffer.from(json(`content-encoding: ${encoding}`, `content-length: ${packed.length}`)),
      packed,
    ]);
  });

/** The same bytes repeatedly, only as fast as they are read, until the other side closes the connection. */
const forever =
  (start: string, again: Buffer): RawAnswer =>
  (socket) => {
    const more = () => {
      while (socket.writable && socket.write(again));
    };
    socket.on("drain", more);
    socket.write(start);
    more();
  };

const reset =
  (text: string): RawAnswer =>
  (socket) =>
    void socket.write(text, () => socket.resetAndDestroy());

function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}

const bomb = gzipSync(Buffer.alloc(64 * MIB));
let layers = Buffer.from("{}");
for (let layer = 0; layer < 20; layer++) layers = gzipSync(layers);

export const HOSTILE_ANSWERS: readonly HostileAnswer[] = [
  // Encodings
  { what: "gzip", answer: encoded("gzip", (plain) => gzipSync(plain)), error: ENCODED },
  { what: "Brotli", answer: encoded("br", (plain) => brotliCompressSync(plain)), error: ENCODED },
  { what: "Zstandard", answer: encoded("zstd", (plain) => zstdCompressSync(plain)), error: ENCODED },
  { what: "64 MiB in 65 KB of gzip", answer: encoded("gzip", () => bomb), error: ENCODED },
  { what: "20 layers of gzip", answer: encoded(Array(20).fill("gzip").join(", "), () => layers), error: ENCODED },
  // Sizes
  {
    what: "endless JSON",
    answer: forever(json("transfer-encoding: chunked"), chunk(Buffer.alloc(65_536, SECRET))),
    error: TOO_LARGE,
  },
  { what: "an endless event", answer: forever(`${EVENTS}data: `, Buffer.alloc(65_536, SECRET)), error: TOO_LARGE },
  {
    what: "an endless header",
    answer: forever("HTTP/1.1 200 OK\r\nx: ", Buffer.alloc(65_536, SECRET)),
    error: TOO_LARGE,
  },
  {
    what: "endless headers",
    answer: forever("HTTP/1.1 200 OK\r\n", Buffer.from(`x: ${SECRET}\r\n`.repeat(2000))),
    error: TOO_LARGE,
  },
  {
    what: "endless interim responses",
    answer: forever("", Buffer.from(`HTTP/1.1 103 Early Hints\r\nlink: ${SECRET}\r\n\r\n`.repeat(500))),
    error: NOT_HTTP,
  },
  { what: "17 MiB announced", answer: say(json(`content-length: ${17 * MIB}`)), error: TOO_LARGE },
  // Framing
  {
    what: "a body shorter than announced",
    answer: say((id) => `${json("content-length: 9999")}${resultOf(id)}`),
    error: CUT,
  },
  { what: "two lengths", answer: say((id) => proper(id, "content-length: 7")), error: NOT_HTTP },
  { what: "a length and chunks", answer: say((id) => proper(id, "transfer-encoding: chunked")), error: NOT_HTTP },
  { what: "an invalid length", answer: say(`${json("content-length: +5")}hello${SECRET}`), error: NOT_HTTP },
  { what: "an invalid chunk", answer: say(`${json("transfer-encoding: chunked")}zz\r\n${SECRET}`), error: NOT_HTTP },
  { what: "another protocol", answer: say(`SSH-2.0-${SECRET}\r\n\r\n`), error: NOT_HTTP },
  { what: "a protocol switch", answer: say(`HTTP/1.1 101 ${SECRET}\r\nupgrade: x\r\n\r\n`), error: NOT_HTTP },
  { what: "a NUL in a header", answer: say(json(`x: ${SECRET}\0`)), error: NOT_HTTP },
  { what: "a line end in a header", answer: say(json(`x: ${SECRET}\ry`)), error: NOT_HTTP },
  // Resets
  { what: "a reset instead of a response", answer: reset(""), error: CUT },
  { what: "a reset in the head", answer: reset(`HTTP/1.1 200 OK\r\nx: ${SECRET}`), error: CUT },
  { what: "a reset after the head", answer: reset(json("content-length: 100")), error: CUT },
  { what: "a reset in the body", answer: reset(`${json("content-length: 100")}{"${SECRET}`), error: CUT },
  { what: "a reset in an event", answer: reset(`${EVENTS}data: {"${SECRET}`), error: CUT },
  // Statuses and types
  {
    what: "a redirect",
    answer: say(
      `HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/${SECRET}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    ),
    error:
      /^redirects to another URL, which is not followed; change the server URL to the redirect target \(HTTP 302\)$/,
  },
  {
    what: "an unknown status",
    answer: say(`HTTP/1.1 599 ${SECRET}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`),
    error: /^answered with HTTP 599$/,
  },
  { what: "no content", answer: say("HTTP/1.1 204 No Content\r\n\r\n"), error: NOT_MCP_NOR_LIST },
  { what: "a web page", answer: say(`${head("content-type: text/html")}<p>${SECRET}`), error: NOT_MCP_NOR_LIST },
  { what: "no content type", answer: say((id) => `${head()}${resultOf(id)}`), error: NOT_MCP_NOR_LIST },
  // Content
  { what: "truncated JSON", answer: say(`${json()}{"${SECRET}":`), error: NOT_MCP_NOR_LIST },
  {
    what: "bytes that are not UTF-8",
    answer: say((id) => `${json()}${resultOf(id).replace("complete", `${SECRET}\xff\xfe`)}`),
    error: /not MCP$|not well-formed$|list of tools$/,
  },
  { what: "NULs in the JSON", answer: say((id) => `${json()}\0${resultOf(id)}`), error: NOT_MCP_NOR_LIST },
  {
    what: "another request's id",
    answer: say(`${json()}{"jsonrpc":"2.0","id":987654321,"result":{"x":"${SECRET}"}}`),
    error: NOT_MCP_NOR_LIST,
  },
  { what: "its id as a string", answer: say((id) => `${json()}${resultOf(`"${id}"`)}`), error: NOT_MCP_NOR_LIST },
  {
    what: "a stream without a response",
    answer: say(`${EVENTS}: ${SECRET}\n\n`),
    error: /^ended its response before the result$|list of tools$/,
  },
  // These must not affect a valid response
  { what: "bytes after the response", answer: say((id) => `${proper(id)}HTTP/1.1 200 OK\r\n\r\n${SECRET}`) },
  {
    what: "a cookie, a location and a gateway header",
    answer: say((id) =>
      proper(
        id,
        `set-cookie: ${SECRET}`,
        `location: ${SECRET}`,
        `mcp-session-id: ${SECRET}`,
        `www-authenticate: ${SECRET}`,
      ),
    ),
  },
  {
    what: "its response twice, with responses to unknown requests before and after it",
    answer: say((id) => {
      const foreign = event(`{"jsonrpc":"2.0","id":987654321,"result":{"x":"${SECRET}"}}`);
      return `${EVENTS}${foreign}${event(resultOf(id))}${event(resultOf(id))}${foreign}`;
    }),
  },
];
