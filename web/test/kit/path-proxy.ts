import { request as ask } from "node:http";
import { type Loopback, listenOnLoopback } from "#test/upstreams/loopback";

/** Serves what is at `target` below a path, as proxies do that are asked to take that path away; nothing beside it. */
export function startPathProxy(below: string, target: string): Promise<Loopback> {
  return listenOnLoopback((request, response) => {
    const url = request.url ?? "/";
    if (!url.startsWith(`${below}/`)) return void response.writeHead(404).end();
    const { method, headers } = request;
    const onward = ask(`${target}${url.slice(below.length)}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
}
