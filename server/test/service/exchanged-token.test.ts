import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createPerson, createServer } from "#test/factories";
import { eraHeaders, requestText } from "#test/mcp-messages";
import { AUDIENCE, startTokenIssuer, type TokenIssuer } from "#test/token-issuer";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

forEachApi(
  "a server that receives exchanged tokens",
  (api) => {
    let idp: TokenIssuer;
    let upstream: RawUpstream;
    before(async () => {
      [idp, upstream] = [await startTokenIssuer(api.clock), await startRawUpstream()];
      for (const name of ["ada", "ben"]) await createPerson(api.service, name, `${name}@acme.example`);
    });
    after(() => Promise.all([idp?.close(), upstream?.close()]));

    const provider = (rest: object) =>
      api.call("POST", "/api/auth-exchange/providers", {
        ...{ name: "Portal", issuer: idp.issuer, audiences: [AUDIENCE], require_api_key: false, ...rest },
      });
    const exchange = async (email: string, lifetimeS = 600) => {
      const jwt = await idp.sign({ sub: email, email, email_verified: true, jti: crypto.randomUUID() }, { lifetimeS });
      const headers = { authorization: `Bearer ${jwt}` };
      const { body, text } = await api.service.http("/api/auth-exchange", { method: "POST", headers });
      assert.ok(body.data, text);
      return { jwt, token: String(body.data.access_token) };
    };
    const callEcho = (token: string) => {
      const message = requestText("modern", "tools/call", ['"name":"reports__echo"', '"arguments":{}']);
      return api.service.mcp(token, message, eraHeaders("modern", "tools/call", "reports__echo"));
    };
    /** The authorization of the last tool call at the upstream. */
    const received = () => upstream.seen.findLast(({ method }) => method === "tools/call")?.headers.authorization;

    it("needs an issuer with passthrough, and passthrough needs subjects from a claim", async () => {
      const auth = (issuer?: string) => ({ authType: "exchanged-token", ...(issuer && { issuer }) });
      const create = (issuer?: string) =>
        api.call("POST", "/api/mcp-servers", { name: "Reports", auth_settings: auth(issuer) });
      const message = "auth_settings.issuer: must be a trusted issuer with passthrough";
      assert.deepEqual([(await create()).status, (await create()).body.message], [400, message]);
      assert.equal((await create(idp.issuer)).body.message, message);
      assert.equal((await provider({})).status, 201);
      assert.equal((await create(idp.issuer)).body.message, message);
      const workload = { subject: { mode: "fixed", machine_user: "x@machine.example.com" } };
      const { body: made } = await api.call("POST", "/api/users", { name: "X", is_machine_user: true });
      workload.subject.machine_user = made.data.email;
      const refused = await provider({ ...workload, name: "CI", audiences: ["ci"], passthrough: true });
      assert.equal(
        refused.body.message,
        "passthrough: only for subjects from a claim, because workloads share a fixed machine user",
      );
      const changed = await api.call("PATCH", "/api/auth-exchange/providers?slug=portal", { passthrough: true });
      assert.equal(changed.status, 200, changed.text);
      await createServer(api.service, "Reports", upstream.url, { auth_settings: auth(idp.issuer) });
      await createGroup(api.service, "people", {
        slugs: ["reports"],
        emails: ["ada@acme.example", "ben@acme.example"],
      });
    });

    it("gets the caller's own newest token with each call", async () => {
      const [ada, ben] = [await exchange("ada@acme.example"), await exchange("ben@acme.example")];
      for (const { token, jwt } of [ada, ben, ada]) {
        const answer = await callEcho(token);
        assert.equal(answer.body?.result?.isError, undefined, answer.text);
        assert.equal(received(), `Bearer ${jwt}`);
      }
      const newer = await exchange("ada@acme.example");
      await callEcho(ada.token);
      assert.equal(received(), `Bearer ${newer.jwt}`);
    });

    it("gets no token that ended or expired", async () => {
      const first = await exchange("ada@acme.example");
      await callEcho(first.token);
      assert.equal(received(), `Bearer ${first.jwt}`);
      const { body } = await api.call("GET", "/api/auth-exchange/credentials?limit=100");
      for (const { id, user_email } of body.data)
        if (user_email === "ada@acme.example") await api.call("DELETE", `/api/auth-exchange/credentials?id=${id}`);
      const brief = await exchange("ada@acme.example", 60);
      const answer = await callEcho(brief.token);
      assert.equal(received(), `Bearer ${brief.jwt}`, answer.text);
      const before = upstream.count("tools/call");
      api.clock.advance(61_000);
      const late = await callEcho(brief.token);
      assert.match(late.text, /needs a valid token of its issuer; exchange one and call again/);
      assert.equal(upstream.count("tools/call"), before);
    });

    it("gets nothing when it rejects the token, and the token is nowhere in the logs", async () => {
      const { token, jwt } = await exchange("ben@acme.example");
      upstream.behave = ({ method }) => (method === "tools/call" ? { status: 401 } : "json");
      const answer = await callEcho(token);
      assert.match(answer.text, /exchange one and call again/);
      const { text } = await api.call("GET", "/api/logs?limit=100");
      assert.ok(!text.includes(jwt.slice(-40)));
    });
  },
  { clock: "by-hand" },
);
