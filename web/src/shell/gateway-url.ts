import type { Me } from "../api/context.tsx";

/** The URL that MCP clients use. */
export function gatewayUrlOf({ gateway_url: url }: Pick<Me, "gateway_url">): string {
  return `${url.replace(/\/+$/, "")}/mcp`;
}
