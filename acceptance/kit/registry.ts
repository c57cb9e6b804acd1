import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

/** An MCP registry with two servers on loopback, for the catalog. */
const SERVERS = [
  {
    name: "com.example.acceptance/files",
    title: "Acceptance files",
    description: "Reads files that are not there",
    version: "1.0.0",
    websiteUrl: "https://acceptance.example.com/",
    repository: { url: "https://github.com/example/acceptance-files", source: "github" },
    remotes: [{ type: "streamable-http", url: "https://acceptance.example.com/files/mcp" }],
  },
  {
    name: "com.example.acceptance/mail",
    description: "Sends test mail",
    version: "2.0.0",
    remotes: [{ type: "sse", url: "https://mail.invalid/sse" }],
  },
];

export async function startRegistry(): Promise<Registry> {
  const said = { status: "active", isLatest: true, updatedAt: "2026-01-01T00:00:00Z" };
  const page = {
    servers: SERVERS.map((server) => ({ server, _meta: { "io.modelcontextprotocol.registry/official": said } })),
    metadata: { count: SERVERS.length },
  };
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(page));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
