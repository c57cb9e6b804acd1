import { request as httpRequest, type IncomingHttpHeaders } from "node:http";

/** An event stream that stays open, read as it comes. */
export interface EventReader {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** All that came so far. */
  readonly text: string;
  /** The messages in it, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
  readonly messages: any[];
  /** Resolves when the text matches; rejects when the stream ends before. */
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
          return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = ""]) => JSON.parse(data));
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
