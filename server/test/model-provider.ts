/** Local servers in place of model providers. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type { DefaultProvider } from "#lib/default-provider";

/** An answer of an OpenAI-compatible API, with a tool call if there are arguments. */
export function modelAnswer(content: string, input?: Record<string, string | bigint>, name = "tracker__find"): object {
  const fields = Object.entries(input ?? {}).map(([key, value]) => {
    return `"${key}":${typeof value === "bigint" ? value : JSON.stringify(value)}`;
  });
  const called = { id: "call_1", type: "function", function: { name, arguments: `{${fields.join()}}` } };
  const message = { role: "assistant", content, ...(input && { tool_calls: [called] }) };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const finish_reason = input ? "tool_calls" : "stop";
  return { id: "c1", created: 1, model: "m", usage, choices: [{ index: 0, message, finish_reason }] };
}

/** Answers each request with the next body, then with 202. */
export async function startReceiver(answers: readonly object[]) {
  const bodies: string[] = [];
  const credentials: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = answers[bodies.length];
    credentials.push(request.headers.authorization);
    bodies.push(Buffer.concat(chunks).toString());
    const headers = { "content-type": "application/json" };
    response.writeHead(answer ? 200 : 202, headers).end(JSON.stringify(answer ?? {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${port}`, bodies, credentials, close };
}
