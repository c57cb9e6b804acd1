import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

/**
 * Adds resources with subscriptions to a server, `things:one` and `things:two`. The tool `touch` announces a change to
 * the session's subscribers; `subscribed` lists the subscriptions. In the modern era the SDK tracks them.
 */
export function giveThings(mcp: McpServer, era: "legacy" | "modern" = "legacy"): void {
  const { server } = mcp;
  server.registerCapabilities({ resources: { subscribe: true } });
  for (const name of ["one", "two"])
    mcp.registerResource(name, `things:${name}`, {}, ({ href: uri }) => ({ contents: [{ uri, text: name }] }));
  const uris = new Set<string>();
  server.setRequestHandler("resources/subscribe", ({ params }) => {
    uris.add(params.uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    uris.delete(params.uri);
    return {};
  });
  const inputSchema = z.object({ uri: z.string() });
  mcp.registerTool("touch", { description: "Announces that a resource has changed", inputSchema }, ({ uri }) => {
    if (era === "modern" || uris.has(uri)) void server.sendResourceUpdated({ uri });
    return { content: [] };
  });
  mcp.registerTool("subscribed", { description: "Lists the subscriptions", inputSchema: z.object({}) }, () => {
    return { content: [], structuredContent: { uris: [...uris].sort() } };
  });
}
