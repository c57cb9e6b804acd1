import assert from "node:assert/strict";
import { it } from "node:test";
import { onSqliteApi } from "#test/api";
import { signedInAs } from "#test/browser";
import { McpClient } from "#test/mcp-client";

const BASE = "http://127.0.0.1:8080";

onSqliteApi("people's MCP clients find out where to go", (api) => {
  const list = (token: string, target = "/mcp") =>
    api.service.http(target, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
  const metadata = `${BASE}/.well-known/oauth-protected-resource`;

  it("find the server from the 401 of the URL they used (RFC 9728)", async () => {
    for (const [target, path] of [
      ["/mcp", "/mcp"],
      ["/mcp?mcp=echo", "/mcp"],
      ["/mcp/echo", "/mcp/echo"],
    ] as const) {
      const refused = await list("wrong", target);
      assert.equal(
        refused.headers["www-authenticate"],
        `Bearer error="invalid_token", resource_metadata="${metadata}${path}"`,
      );
      const { status, body } = await api.service.http(`/.well-known/oauth-protected-resource${path}`);
      assert.deepEqual([status, body.resource, body.authorization_servers], [200, `${BASE}${path}`, [BASE]]);
    }
  });

  it("find it without a 401 and with a trailing slash", async () => {
    for (const path of ["", "/mcp/"]) {
      const { body } = await api.service.http(`/.well-known/oauth-protected-resource${path}`);
      assert.equal(body.resource, `${BASE}/mcp`, path);
    }
  });

  it("find it under the loopback name they used", async () => {
    const headers = { host: "localhost:8080" };
    const refused = await api.service.http("/mcp", { method: "POST", headers });
    const named = "http://localhost:8080/.well-known/oauth-protected-resource/mcp";
    assert.ok(String(refused.headers["www-authenticate"]).endsWith(`resource_metadata="${named}"`));
    const { body } = await api.service.http("/.well-known/oauth-protected-resource/mcp", { headers });
    assert.deepEqual([body.resource, body.authorization_servers], ["http://localhost:8080/mcp", [BASE]]);
    const ada = await signedInAs(api.service, "member");
    const tokens = await new McpClient(api.service).connect(ada, { resource: body.resource });
    assert.equal((await list(tokens.access_token)).status, 200);
    const elsewhere = { host: "localhost:8081" };
    const { resource } = (await api.service.http("/.well-known/oauth-protected-resource", { headers: elsewhere })).body;
    assert.equal(resource, `${BASE}/mcp`);
  });

  it("read the server metadata (RFC 8414)", async () => {
    const { body } = await api.service.http("/.well-known/oauth-authorization-server");
    assert.equal(body.issuer, BASE);
    assert.deepEqual(body.code_challenge_methods_supported, ["S256"]);
    assert.deepEqual(
      [body.authorization_response_iss_parameter_supported, body.client_id_metadata_document_supported],
      [true, false],
    );
    for (const name of ["authorization", "token", "registration", "revocation"]) {
      assert.ok(body[`${name}_endpoint`].startsWith(`${BASE}/oauth/`));
    }
  });

  it("see immediately whether documents are supported, as the setting says", async () => {
    const advertised = async () => {
      const { headers, body } = await api.service.http("/.well-known/oauth-authorization-server");
      assert.equal(headers["cache-control"], "no-cache");
      return body.client_id_metadata_document_supported;
    };
    for (const [value, expected] of [
      ["on", true],
      ["off", false],
      ["auto", false],
    ] as const) {
      assert.equal((await api.call("PATCH", "/api/settings", { client_id_documents: value })).status, 200);
      assert.equal(await advertised(), expected, value);
      const { data } = (await api.call("GET", "/api/about")).body;
      assert.equal(data.client_id_documents.advertised, expected);
    }
    await api.invalid("client_id_documents: must be one of auto, on, off", "PATCH", "/api/settings", {
      client_id_documents: "sometimes",
    });
  });

  it("get a JSON 404 for other well-known URLs", async () => {
    for (const path of [
      "/.well-known/openid-configuration",
      "/.well-known/oauth-authorization-server/mcp",
      "/.well-known/oauth-protected-resource/other",
      "/.well-known/oauth-protected-resource/mcp/Not%20a%20slug",
      "/.well-known/anything",
      "/oauth/jwks",
      "/oauth/userinfo",
      "/oauth/register/cli_1",
    ]) {
      const answer = await api.service.http(path);
      assert.deepEqual([answer.status, answer.body], [404, { error: "Not found" }], path);
    }
  });
});
