import { request as sendRequest } from "node:http";
import { type Loopback, listenOnLoopback } from "#test/upstreams/loopback";

/** A reverse proxy that serves `target` under a base path, which it strips, and nothing else. */
export function startPathProxy(basePath: string, target: string): Promise<Loopback> {
  return listenOnLoopback((request, response) => {
    const url = request.url ?? "/";
    if (!url.startsWith(`${basePath}/`)) return void response.writeHead(404).end();
    const { method, headers } = request;
    const forwarded = sendRequest(`${target}${url.slice(basePath.length)}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    response.on("close", () => forwarded.destroy());
    request.pipe(forwarded);
  });
}
