import type { UpstreamEntry } from "../../snapshot/shape.ts";
import { HttpSse } from "./http-sse.ts";
import type { LocalServers } from "./local-servers.ts";
import { Stdio } from "./stdio.ts";
import { StreamableHttp } from "./streamable-http.ts";
import type { Transport } from "./transport.ts";

/** The transports to try, in this order. */
export type TransportList = readonly [Transport, ...Transport[]];

/** By the transport setting of a server. */
export type TransportTable = Readonly<Record<UpstreamEntry["transport"], TransportList>>;

export interface TransportDependencies {
  readonly localServers: LocalServers;
}

export function createTransports({ localServers }: TransportDependencies): TransportTable {
  const [http, sse, stdio] = [new StreamableHttp(), new HttpSse(), new Stdio(localServers)];
  return {
    http: [http],
    sse: [sse],
    both: [http, sse],
    stdio: [stdio],
  };
}

/** The message of the fault when none of the transports works. */
export function notSpoken(transports: readonly Transport[]): string {
  return `does not support MCP over ${transports.map(({ label }) => label).join(" or ")} at its URL`;
}
