import type { GatewayContext, McpRequest } from "../../request.ts";
import { authenticate } from "../../snapshot/authenticate.ts";

/** Whether the credential of a call that has waited is still valid. */
export function isStillValid({ request, context }: { readonly request: McpRequest; readonly context: GatewayContext }) {
  const { holder, verifier, clock } = context;
  const { exchange, principal } = request;
  const again = authenticate(exchange.authorization, holder.current(), verifier, clock.now());
  return again.kind === "principal" && again.principal.credentialId === principal.credentialId;
}
