import type { IncomingMessage, ServerResponse } from "node:http";
import { handleMcp } from "./handle-mcp.ts";
import { HttpExchange } from "./http-exchange.ts";
import { InFlightBytes } from "./in-flight-bytes.ts";
import type { Methods, ServerInfo } from "./methods/request.ts";
import type { CredentialRefresh, SecretVerifier } from "./ports.ts";

const IN_FLIGHT_LIMIT_BYTES = 256 * 1024 * 1024;

export interface GatewayNeeds extends Omit<Methods, "serverInfoJson"> {
  readonly verifier: SecretVerifier;
  readonly credentialRefresh: CredentialRefresh;
  readonly newRequestId: () => string;
  readonly serverInfo: ServerInfo;
}

export interface Gateway {
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** The data plane's front: node's request and response become an exchange, and the pipeline takes over. */
export function createGateway(needs: GatewayNeeds): Gateway {
  const { newRequestId, ...rest } = needs;
  const pipeline = {
    ...rest,
    serverInfoJson: JSON.stringify(needs.serverInfo),
    inFlight: new InFlightBytes(IN_FLIGHT_LIMIT_BYTES),
  };
  return {
    handle: (request, response) => handleMcp(new HttpExchange(request, response, newRequestId()), pipeline),
  };
}
