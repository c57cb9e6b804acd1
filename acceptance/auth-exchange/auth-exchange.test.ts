import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, it } from "node:test";
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { forEachTarget } from "../kit/suite.ts";

const PATH = "/api/auth-exchange";

forEachTarget("auth exchange", (api) => {
  let issuer = "";
  let key: CryptoKey;
  let bot: { email: string };
  const keys: object[] = [];
  const server = createServer((request, response) => {
    const body = request.url === "/keys" ? { keys } : { issuer, jwks_uri: `${issuer}/keys` };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
    const pair = await generateKeyPair("ES256", { extractable: true });
    key = pair.privateKey;
    keys.push({ ...(await exportJWK(pair.publicKey)), kid: "one", alg: "ES256", use: "sig" });
    bot = (await api.body(201, "POST", "/api/users", { name: api.unique("ci"), is_machine_user: true })).data;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const sign = (claims: JWTPayload, kid = "one") =>
    new SignJWT({ iss: issuer, sub: "repo:acme/app", repository: "acme/app", ...claims })
      .setProtectedHeader({ alg: "ES256", kid })
      .setIssuedAt()
      .setExpirationTime("5 minutes")
      .sign(key);
  const provider = async (audience: string) =>
    (
      await api.body(201, "POST", `${PATH}/providers`, {
        ...{ name: api.unique("issuer"), issuer, audiences: [audience] },
        conditions: [{ claim: "repository", operator: "matches", value: "acme/*" }],
        subject: { mode: "fixed", machine_user: bot.email },
      })
    ).data;

  it("exchanges a token of a trusted issuer for one that works at the gateway until it is ended [S2.9-auth-exchange S5.6-auth-exchange]", async () => {
    const aud = api.unique("aud");
    const { slug } = await provider(aud);
    const token = await sign({ aud });
    const { data } = await api.body(200, "POST", PATH, { token });
    assert.match(data.access_token, /^gh_ex_/);
    assert.deepEqual(data.user, { email: bot.email, is_machine_user: true });
    const list = () => api.mcp(data.access_token, "tools/list");
    assert.equal((await list()).status, 200);
    const test = (await api.body(200, "POST", `${PATH}/providers/${slug}/test`, { token })).data;
    assert.equal(test.valid, true);
    const [credential] = (await api.body(200, "GET", `${PATH}/credentials?provider=${slug}`)).data;
    await api.body(200, "DELETE", `${PATH}/credentials?id=${credential.id}`);
    assert.equal((await list()).status, 401);
    await api.body(200, "DELETE", `${PATH}/providers?slug=${slug}`);
  });

  it("refuses other audiences, claims, keys and issuers with the documented errors [S2.9-auth-exchange]", async () => {
    const aud = api.unique("aud");
    const { slug } = await provider(aud);
    const refused = async (status: number, error: string, token: string) =>
      assert.deepEqual(await api.body(status, "POST", PATH, { token }), { error });
    await refused(401, "invalid_token", await sign({ aud: "other" }));
    await refused(401, "invalid_token", await sign({ aud }, "unknown"));
    await refused(403, "Token claims do not satisfy provider conditions", await sign({ aud, repository: "evil/app" }));
    await refused(400, "JWT is malformed", "x.y.z");
    await refused(400, "JWT is empty", "");
    const iss = "https://unknown.example.com";
    await refused(400, `No trusted provider is configured for issuer ${iss}`, await sign({ aud, iss }));
    await api.body(200, "DELETE", `${PATH}/providers?slug=${slug}`);
  });
});
