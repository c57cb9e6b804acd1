import type { Socket } from "node:net";
import type { AllowList } from "./address-rules.ts";
import { type ConnectorOptions, createConnector } from "./connector.ts";

export interface SocketTarget {
  readonly hostname: string;
  readonly port: number;
  /**
   * The operator set this host, so it may have a private address. Link-local and cloud metadata addresses stay forbidden.
   */
  readonly isOperators: boolean;
}

export type OpenSocket = (target: SocketTarget) => Promise<Socket>;

/** Plain TCP connections for protocols other than HTTP, with the address rules of all outbound connections (OA-6). */
export function createOpenSocket(options: ConnectorOptions): OpenSocket {
  return ({ hostname, port, isOperators }) => {
    const connect = createConnector(isOperators ? { ...options, allow: including(options.allow, hostname) } : options);
    const target = { hostname, port: String(port), protocol: "http:" };
    return new Promise((resolve, reject) => {
      connect(target, (error, socket) => (socket ? resolve(socket) : reject(error)));
    });
  };
}

function including(allow: AllowList, hostname: string): AllowList {
  const bareName = hostname.toLowerCase().replace(/\.$/, "");
  return { ...allow, hostnames: new Set([...allow.hostnames, bareName]) };
}
