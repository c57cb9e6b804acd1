/** Shared by tests of the gateway: protocol versions, JSON-RPC messages, and a reader of event streams. */
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";

/** Revisions of MCP. The first is of the modern era, the others are legacy. */
export const MCP_2026_07_28 = "2026-07-28";
export const MCP_2025_11_25 = "2025-11-25";
export const MCP_2025_06_18 = "2025-06-18";
export const MCP_2025_03_26 = "2025-03-26";
export const MCP_2024_11_05 = "2024-11-05";

/** The `_meta` of every modern request. */
export const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": MCP_2026_07_28,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A JSON-RPC request. */
export function rpc(method: string, params: object = {}, id: unknown = 1) {
  return { jsonrpc: "2.0", id, method, params };
}

/** The request with which a legacy client opens a session. */
export function initializeRequest(options: { capabilities?: object; protocolVersion?: string } = {}) {
  const { capabilities = {}, protocolVersion = MCP_2025_11_25 } = options;
  return rpc("initialize", { protocolVersion, capabilities, clientInfo: { name: "test", version: "1" } }, 0);
}

/** The headers in which a modern client repeats values of its request. */
export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    "mcp-protocol-version": MCP_2026_07_28,
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name }),
  };
}

/** An open event stream. */
export interface EventReader {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Everything received so far. */
  readonly text: string;
  /** The messages received so far, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read messages of every shape
  readonly messages: any[];
  /** Resolves when the text matches; rejects when the stream ends first. */
  until(pattern: RegExp): Promise<void>;
  readonly ended: Promise<void>;
  close(): void;
}

export interface EventRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

export function readEvents(url: string, { method, headers, body }: EventRequest): Promise<EventReader> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      let text = "";
      let over = false;
      const waiting = new Set<() => void>();
      const wake = () => {
        for (const look of waiting) look();
      };
      const ended = new Promise<void>((end) => {
        response.on("close", () => {
          over = true;
          end();
          wake();
        });
      });
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        wake();
      });
      response.on("error", () => {});
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        ended,
        get text() {
          return text;
        },
        get messages() {
          const withData = eventsOf(text).filter((data) => data !== "");
          return withData.map((data) => JSON.parse(data));
        },
        until: (pattern) =>
          new Promise((found, fail) => {
            const look = () => {
              if (!pattern.test(text) && !over) return;
              waiting.delete(look);
              if (pattern.test(text)) found();
              else fail(new Error(`the stream ended without ${pattern}: ${text}`));
            };
            waiting.add(look);
            look();
          }),
        close: () => request.destroy(),
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** The data of each event in the text of a stream; empty for an event without data. */
export function eventsOf(stream: string): string[] {
  const events = stream.split("\n\n").filter((event) => event !== "");
  return events.map((event) =>
    event
      .split("\n")
      .filter((line) => line.startsWith("data: "))
      .map((line) => line.slice("data: ".length))
      .join("\n"),
  );
}
