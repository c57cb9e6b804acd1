import type { RawAnswer } from "./hostile-answers.ts";

/** Sends two progress messages and a log message with this text, then a result. */
export const sendProgressWith =
  (text: string): RawAnswer =>
  (socket, { id, body }) => {
    const token = /"progressToken":("[^"]*"|\d+)/.exec(String(body))?.[1];
    const progress = (step: number, message: string) =>
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${step},"message":"${message}"}}`;
    const events = [
      progress(1, `using ${text}`),
      progress(2, "done"),
      `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"used":"${text}"}}}`,
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`,
    ];
    const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    socket.end(head + events.map((event) => `event: message\ndata: ${event}\n\n`).join(""));
  };
