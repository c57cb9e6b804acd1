/** A TCP proxy in front of an upstream that breaks connections at a chosen point. */

import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

export interface Fault {
  /** The affected requests: a text to find in the bytes sent to the upstream. */
  readonly request: string;
  /** `request`: the upstream receives nothing. A number: after this many bytes of the response. */
  readonly after: "request" | number;
  /** `reset` and `close`: the caller's connection. `hang`: nothing more is sent. */
  readonly how: "reset" | "close" | "hang";
}

export interface FaultProxy {
  readonly origin: string;
  fault: Fault | undefined;
  close(): Promise<void>;
}

export async function startFaultProxy(origin: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(origin);
  const sockets = new Set<Socket>();
  const server = createServer((caller) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const socket of [caller, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    caller.on("close", () => upstream.destroy());
    upstream.on("close", () => caller.end());
    pass(caller, upstream, () => proxy.fault);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: FaultProxy = {
    // A listening TCP server always has an AddressInfo.
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: undefined,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
  return proxy;
}

function pass(caller: Socket, upstream: Socket, faultNow: () => Fault | undefined): void {
  let fault: Fault | undefined;
  let answered = 0;
  const breakOff = (how: Fault["how"]) => {
    if (how === "reset") caller.resetAndDestroy();
    else if (how === "close") caller.end();
    upstream.removeAllListeners("data");
    upstream.pause();
  };
  caller.on("data", (bytes) => {
    const wanted = faultNow();
    if (wanted && bytes.includes(wanted.request)) fault = wanted;
    if (fault?.after === "request") breakOff(fault.how);
    else upstream.write(bytes);
  });
  upstream.on("data", (bytes) => {
    const left = typeof fault?.after === "number" ? fault.after - answered : Number.POSITIVE_INFINITY;
    answered += bytes.length;
    if (left > 0) caller.write(bytes.subarray(0, left));
    if (fault && bytes.length >= left) breakOff(fault.how);
  });
}
