import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback } from "./upstreams/loopback.ts";

export interface RoundRobin {
  readonly url: string;
  /** Number of requests per replica. */
  readonly served: ReadonlyMap<string, number>;
  /** Sends no more requests to this replica. */
  remove(replica: string): void;
  close(): Promise<void>;
}

/** A stateless load balancer: each request goes to the next replica. Streams are passed through. */
export async function startRoundRobin(replicas: readonly string[]): Promise<RoundRobin> {
  const left = [...replicas];
  const served = new Map<string, number>();
  const agent = new Agent({ keepAlive: false });
  let turn = 0;
  const server = await listenOnLoopback((request, response) => {
    const replica = left[turn++ % left.length] ?? "";
    served.set(replica, (served.get(replica) ?? 0) + 1);
    pass(request, response, replica, agent);
  });
  return {
    url: server.origin,
    served,
    remove: (replica) => void left.splice(left.indexOf(replica), 1),
    async close() {
      agent.destroy();
      await server.close();
    },
  };
}

function pass(request: IncomingMessage, response: ServerResponse, replica: string, agent: Agent): void {
  const { method, headers } = request;
  const outgoing = httpRequest(`${replica}${request.url}`, { method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
    answer.on("error", () => response.destroy()).pipe(response);
  });
  outgoing.on("error", () => response.destroy());
  response.on("close", () => outgoing.destroy());
  request.pipe(outgoing);
}
