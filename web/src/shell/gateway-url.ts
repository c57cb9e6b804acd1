import type { Me } from "../api/context.tsx";

/** What MCP clients are given. */
export function gatewayUrlOf({ gateway_url: url }: Pick<Me, "gateway_url">): string {
  return `${url.replace(/\/+$/, "")}/mcp`;
}
