/** A local stub of the Managed Agents API: agents with versions, sessions, and events. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

type Json = Record<string, unknown>;

export interface ManagedAgentsStub {
  readonly url: string;
  readonly agents: Map<string, Json>;
  readonly sessions: Map<string, Json & { events: Json[] }>;
  readonly requests: { readonly method: string; readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** Answers every request with this status. */
  failWith: number | undefined;
  /** Ends a session with a call and an answer. */
  finish(id: string, answer: string, call?: { readonly name: string; readonly input: object }): void;
  close(): Promise<void>;
}

export async function startManagedAgentsStub(): Promise<ManagedAgentsStub> {
  let lastId = 0;
  const newId = (prefix: string) => `${prefix}_${++lastId}`;
  const stub: Omit<ManagedAgentsStub, "url" | "close"> = {
    agents: new Map(),
    sessions: new Map(),
    requests: [],
    failWith: undefined,
    finish(id, answer, { name, input } = { name: "find", input: { q: 1 } }) {
      const session = stub.sessions.get(id);
      if (!session) throw new Error(`no session ${id}`);
      const processed_at = new Date().toISOString();
      session.events.push(
        { type: "agent.mcp_tool_use", id: "toolu_1", name, mcp_server_name: "gateway", input, processed_at },
        {
          type: "agent.mcp_tool_result",
          mcp_tool_use_id: "toolu_1",
          content: [{ type: "text", text: "1" }],
          processed_at,
        },
        { type: "agent.message", content: [{ type: "text", text: answer }], processed_at },
        { type: "session.status_idle", stop_reason: { type: "end_turn" }, processed_at },
      );
      session.status = "idle";
      session.usage = { input_tokens: 12, output_tokens: 3 };
    },
  };
  const answer = (method: string, path: string, query: URLSearchParams, body: Json): [number, Json] => {
    const [, , kind, id, part] = path.split("/");
    if (kind === "agents" && method === "POST") return [200, saveAgent(stub.agents, id ?? newId("agent"), body)];
    if (kind === "agents") return id ? found(stub.agents.get(id)) : [200, { data: [...stub.agents.values()] }];
    const session = id === undefined ? undefined : stub.sessions.get(id);
    if (part === "events" && session && method === "POST") {
      session.events.push(...(Array.isArray(body.events) ? body.events : []));
      session.status = "running";
      return [200, { data: [] }];
    }
    if (part === "events" && session) return [200, { data: session.events }];
    if (id !== undefined) return found(session);
    if (method === "GET") {
      const rows = [...stub.sessions.values()].filter((row) => (row.agent as Json).id === query.get("agent_id"));
      return [200, { data: rows }];
    }
    const row = {
      id: newId("sesn"),
      agent: { id: body.agent, version: 1 },
      status: "idle",
      created_at: new Date().toISOString(),
    };
    stub.sessions.set(row.id, { ...row, events: [] });
    return [200, row];
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://stub");
    const method = request.method ?? "";
    stub.requests.push({ method, path: pathname, headers: request.headers });
    const body = await readJson(request);
    const [status, json] = stub.failWith
      ? [stub.failWith, { type: "error", error: { type: "api_error", message: "The stub fails" } }]
      : answer(method, pathname, searchParams, body);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return Object.assign(stub, {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}

function saveAgent(agents: Map<string, Json>, id: string, body: Json): Json {
  const version = Number(agents.get(id)?.version ?? 0) + 1;
  const { version: _given, model, ...fields } = body;
  const agent = { ...agents.get(id), ...fields, model: { id: model }, id, version, archived_at: null };
  agents.set(id, agent);
  return agent;
}

function found(row: Json | undefined): [number, Json] {
  return row ? [200, row] : [404, { type: "error", error: { type: "not_found_error", message: "Not found" } }];
}

async function readJson(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text === "" ? {} : JSON.parse(text);
}
