import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

const PATH = "/api/mcp-servers";

/** An MCP server whose metadata names an authorization server below its own origin. */
async function startOAuthServer(issuerPath: () => string): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const json = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const issuer = origin + issuerPath();
    if (request.url?.startsWith("/.well-known/oauth-protected-resource")) {
      return json(200, { resource: `${origin}/mcp`, authorization_servers: [issuer] });
    }
    if (request.url === `/.well-known/oauth-authorization-server${issuerPath()}`) {
      const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
      return json(200, { issuer, ...endpoints });
    }
    return json(request.url === "/mcp" ? 401 : 404, {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const origin = `http://127.0.0.1:${port}`;
  return { server, origin };
}

forEachTarget("POST /api/mcp-servers/{slug}/oauth-change", (api) => {
  let [server, origin]: [Server | undefined, string] = [undefined, ""];
  let tenant = "/first";
  before(async () => {
    ({ server, origin } = await startOAuthServer(() => tenant));
  });
  after(() => {
    server?.closeAllConnections();
    server?.close();
  });

  it("keeps or approves another authorization server, with the digest that was reviewed", async () => {
    tenant = "/first";
    const upstream = { type: "http", url: `${origin}/mcp` };
    const slug = await api.server({ upstream, auth_settings: { authType: "proxy-oauth", clientId: "c" } });
    const get = async () => (await api.body(200, "GET", `${PATH}/${slug}`)).data;
    const discover = () => api.body(200, "POST", `${PATH}/${slug}/discover-oauth`);
    await discover();
    assert.deepEqual([(await get()).oauth.issuer, (await get()).oauth_change], [`${origin}/first`, null]);
    tenant = "/second";
    const { data } = await discover();
    assert.deepEqual([data.issuer, data.oauth_change.issuer], [`${origin}/first`, `${origin}/second`]);
    const { digest } = data.oauth_change;
    await api.body(409, "POST", `${PATH}/${slug}/oauth-change/approve`, { digest: "0".repeat(64) });
    await api.body(200, "POST", `${PATH}/${slug}/oauth-change/keep`, { digest });
    const kept = await get();
    assert.deepEqual([kept.oauth.issuer, kept.oauth_change.kept], [`${origin}/first`, true]);
    await api.body(200, "POST", `${PATH}/${slug}/oauth-change/approve`, { digest });
    assert.deepEqual([(await get()).oauth.issuer, (await get()).oauth_change], [`${origin}/second`, null]);
  });
});
