import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

/**
 * Gives a server resources that can be subscribed to, `things:one` and `things:two`. Its tool `touch` says that one has
 * changed, to who is subscribed in that session; `subscribed` tells to what that is. In the modern era the SDK knows.
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
  mcp.registerTool("touch", { description: "Says that a resource has changed", inputSchema }, ({ uri }) => {
    if (era === "modern" || uris.has(uri)) void server.sendResourceUpdated({ uri });
    return { content: [] };
  });
  mcp.registerTool("subscribed", { description: "Tells what is subscribed to", inputSchema: z.object({}) }, () => {
    return { content: [], structuredContent: { uris: [...uris].sort() } };
  });
}
