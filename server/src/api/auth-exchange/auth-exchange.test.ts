import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { bearer, forEachApi } from "#test/api";
import { createGroup, createMachineUser, createPerson, createSyncedServer, type MachineUser } from "#test/factories";
import { AUDIENCE, startTokenIssuer, type TokenIssuer } from "#test/token-issuer";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const ADA = "ada@example.com";
const PROVIDERS = "/api/auth-exchange/providers";
const MINUTE_MS = 60_000;

forEachApi(
  "auth exchange",
  (api) => {
    let idp: TokenIssuer;
    let upstream: RawUpstream;
    let bot: MachineUser;
    let apiKey: string;
    before(async () => {
      idp = await startTokenIssuer(api.clock);
      upstream = await startRawUpstream();
      await createSyncedServer(api.service, "Echo", upstream.url);
      await createPerson(api.service, "Ada", ADA);
      bot = await createMachineUser(api.service, "CI");
      await createGroup(api.service, "people", { slugs: ["echo"], emails: [ADA, bot.email] });
      apiKey = (await api.tokenWith("connect:exchange-auth")).token;
      const created = await api.call("POST", PROVIDERS, {
        ...{ name: "Acme IdP", issuer: idp.issuer, audiences: [AUDIENCE] },
      });
      assert.equal(created.status, 201, created.text);
    });
    after(() => Promise.all([idp?.close(), upstream?.close()]));

    const person = (rest: object = {}) => ({ sub: "u1", email: ADA, email_verified: true, ...rest });
    const exchange = (token: string, headers: Record<string, string> = { "x-api-key": apiKey }) =>
      api.service.http("/api/auth-exchange", { method: "POST", headers: { ...bearer(token), ...headers } });
    const post = (path: string, body: object) =>
      api.service.http(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const list = (token: string) =>
      api.service.http("/mcp", {
        method: "POST",
        headers: { ...bearer(token), "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
    const issued = async (rest: object = {}) => {
      const answer = await exchange(await idp.sign(person(rest)));
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data;
    };

    it("exchanges a token for one that acts as the user at the gateway, and logs the issuer", async () => {
      const jwt = await idp.sign(person());
      const { status, body } = await exchange(jwt);
      assert.equal(status, 200);
      const { access_token: token, refresh_token: refresh, ...rest } = body.data;
      assert.match(token, /^gh_ex_/);
      assert.match(refresh, /^gh_xr_/);
      assert.deepEqual(rest, {
        ...{ token_type: "Bearer", expires_in: 900, scope: "mcp", id_token: jwt },
        expires_at: new Date(api.clock.now() + 15 * MINUTE_MS).toISOString(),
        ...{ user: { email: ADA, is_machine_user: false }, gateway_url: "http://127.0.0.1:8080/mcp" },
      });
      assert.equal((await list(token)).body.result.tools.length, 2);
      const [row] = (await api.call("GET", "/api/logs?limit=1")).body.data;
      assert.deepEqual([row.user_email, row.via, row.auth], [ADA, "exchange", "exchange:acme-idp"]);
    });

    it("accepts the other form, with the token in the body", async () => {
      const token = await idp.sign(person());
      const headers = { ...bearer(apiKey), "content-type": "application/json" };
      const send = (body: object) =>
        api.service.http("/api/auth-exchange", { method: "POST", headers, body: JSON.stringify(body) });
      assert.equal((await send({ token })).status, 200);
      assert.equal((await send({ token, provider: "acme-idp" })).status, 200);
      assert.deepEqual((await send({ token, provider: "other" })).body, { error: "Provider not found" });
      const required = { code: "INVALID_FORMAT", message: "token: token is required" };
      assert.deepEqual((await send({})).body, required);
      const both = await exchange(apiKey);
      assert.deepEqual([both.status, both.body], [400, required]);
      assert.deepEqual((await send({ token: "" })).body, { error: "JWT is empty" });
    });

    it("requires Authorization and an API token with the scope", async () => {
      const jwt = await idp.sign(person());
      const unauthorized = { error: "Unauthorized" };
      for (const headers of [{}, { "x-api-key": "wrong" }]) {
        const answer = await exchange(jwt, headers);
        assert.deepEqual([answer.status, answer.body], [401, unauthorized]);
      }
      const without = await api.service.http("/api/auth-exchange", {
        method: "POST",
        headers: { "x-api-key": apiKey },
      });
      assert.deepEqual([without.status, without.body], [401, unauthorized]);
      const { token } = await api.tokenWith("admin:write");
      const answer = await exchange(jwt, { "x-api-key": token });
      const error = "Insufficient permissions: requires connect:exchange-auth";
      assert.deepEqual([answer.status, answer.body], [403, { error }]);
    });

    it("expires the token at the gateway with a challenge", async () => {
      const { access_token: token } = await issued();
      api.clock.advance(15 * MINUTE_MS + 1);
      const refused = await list(token);
      assert.deepEqual([refused.status, refused.body], [401, { error: "invalid_token" }]);
      assert.match(String(refused.headers["www-authenticate"]), /^Bearer error="invalid_token"/);
    });

    it("rotates refresh tokens, and a reused one ends everything", async () => {
      const first = await issued();
      const second = (await post("/api/auth-exchange/refresh", { refresh_token: first.refresh_token })).body.data;
      assert.equal((await list(second.access_token)).status, 200);
      assert.equal((await list(first.access_token)).status, 200);
      const audits = await api.auditOf(async () => {
        const reused = await post("/api/auth-exchange/refresh", { refresh_token: first.refresh_token });
        assert.deepEqual([reused.status, reused.body], [401, { error: "invalid_grant" }]);
      });
      assert.deepEqual(
        audits.map(({ operation }) => operation),
        ["exchangeTokenReused"],
      );
      for (const { access_token: token } of [first, second]) assert.equal((await list(token)).status, 401);
      const dead = await post("/api/auth-exchange/refresh", { refresh_token: second.refresh_token });
      assert.deepEqual([dead.status, dead.body], [401, { error: "invalid_grant" }]);
    });

    it("lets one of several concurrent refreshes win, and then ends the credential", async () => {
      const { refresh_token } = await issued();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => post("/api/auth-exchange/refresh", { refresh_token })),
      );
      assert.ok(answers.filter(({ status }) => status === 200).length <= 1);
      for (const { body } of answers) if (body.data) assert.equal((await list(body.data.access_token)).status, 401);
    });

    it("does not refresh longer than the provider allows", async () => {
      let { refresh_token } = await issued();
      for (let hour = 0; hour < 23; hour++) {
        api.clock.advance(60 * MINUTE_MS);
        const { status, body } = await post("/api/auth-exchange/refresh", { refresh_token });
        assert.equal(status, 200);
        refresh_token = body.data.refresh_token;
      }
      api.clock.advance(60 * MINUTE_MS);
      assert.equal((await post("/api/auth-exchange/refresh", { refresh_token })).status, 401);
    });

    it("revokes by either token, and answers the same for unknown ones", async () => {
      for (const kind of ["access_token", "refresh_token"]) {
        const tokens = await issued();
        const revoked = await post("/api/auth-exchange/revoke", { token: tokens[kind] });
        assert.deepEqual([revoked.status, revoked.body], [200, { data: { success: true } }]);
        assert.equal((await list(tokens.access_token)).status, 401);
        const again = await post("/api/auth-exchange/refresh", { refresh_token: tokens.refresh_token });
        assert.equal(again.status, 401);
      }
      for (const token of ["x", `gh_ex_${"0".repeat(70)}`]) {
        assert.equal((await post("/api/auth-exchange/revoke", { token })).status, 200);
      }
    });

    it("lists credentials without tokens, and ends one", async () => {
      const tokens = await issued();
      const path = "/api/auth-exchange/credentials";
      const [row] = (await api.call("GET", `${path}?user=ADA@example.com&provider=acme-idp&active=true`)).body.data;
      assert.deepEqual(
        [row.provider, row.user_email, row.subject, row.active, row.revoked_at],
        ["acme-idp", ADA, ADA, true, null],
      );
      assert.ok(tokens.access_token.startsWith(row.token_prefix) && row.token_prefix.length < 30);
      await api.expect(200, { message: "Credential ended successfully" }, "DELETE", `${path}?id=${row.id}`);
      assert.equal((await list(tokens.access_token)).status, 401);
      const ended = (await api.call("GET", `${path}?active=false&limit=200`)).body.data.find(
        ({ id }: { id: string }) => id === row.id,
      );
      assert.deepEqual([ended.active, ended.end_reason], [false, "ended"]);
      assert.deepEqual((await api.call("GET", `${path}?user=nobody@example.com`)).body.data, []);
      await api.expect(404, { error: "Credential not found" }, "DELETE", `${path}?id=exc_0`);
    });

    it("stores no token in clear text", async () => {
      const tokens = await issued();
      const everything = JSON.stringify(await api.everything());
      for (const token of [tokens.access_token, tokens.refresh_token, tokens.id_token]) {
        assert.ok(!everything.includes(token.slice(30)));
      }
    });

    it("ends credentials with the user and with the provider, at the next request", async () => {
      const tokens = await issued();
      await api.call("PATCH", `/api/users?email=${ADA}`, { disabled: true });
      assert.equal((await list(tokens.access_token)).status, 401);
      assert.deepEqual((await exchange(await idp.sign(person()))).body, { error: "User not found for subject" });
      await api.call("PATCH", `/api/users?email=${ADA}`, { disabled: false });
      assert.equal((await list(tokens.access_token)).status, 401);
      const more = await issued();
      await api.call("PATCH", `${PROVIDERS}?slug=acme-idp`, { enabled: false });
      assert.equal((await list(more.access_token)).status, 401);
      const refused = await exchange(await idp.sign(person()));
      const error = `No trusted provider is configured for issuer ${idp.issuer}`;
      assert.deepEqual([refused.status, refused.body], [400, { error }]);
      assert.equal((await post("/api/auth-exchange/refresh", { refresh_token: more.refresh_token })).status, 401);
      await api.call("PATCH", `${PROVIDERS}?slug=acme-idp`, { enabled: true });
      const last = await issued();
      await api.call("PATCH", `${PROVIDERS}?slug=acme-idp`, { name: "Renamed" });
      assert.equal((await list(last.access_token)).status, 200);
      const condition = { claim: "sub", operator: "equals", value: "u1" };
      await api.call("PATCH", `${PROVIDERS}?slug=acme-idp`, { conditions: [condition] });
      assert.equal((await list(last.access_token)).status, 401);
      await api.call("PATCH", `${PROVIDERS}?slug=acme-idp`, { conditions: [] });
    });

    it("maps workloads to a fixed machine user by conditions, never beyond the token's expiry", async () => {
      const provider = await api.call("POST", PROVIDERS, {
        ...{ name: "CI", issuer: idp.issuer, audiences: ["ci"], require_api_key: false },
        conditions: [{ claim: "repository", operator: "matches", value: "acme/*" }],
        subject: { mode: "fixed", machine_user: bot.email },
      });
      assert.equal(provider.status, 201, provider.text);
      const claims = { sub: "repo:acme/app:ref:refs/heads/main", aud: "ci", repository: "acme/app" };
      const { status, body } = await exchange(await idp.sign(claims, { lifetimeS: 120 }), {});
      assert.equal(status, 200);
      assert.deepEqual(body.data.user, { email: bot.email, is_machine_user: true });
      // The clock is not at a full second.
      assert.ok([119, 120].includes(body.data.expires_in));
      assert.equal("refresh_token" in body.data, false);
      assert.equal((await list(body.data.access_token)).body.result.tools.length, 2);
      const other = await exchange(await idp.sign({ ...claims, repository: "evil/acme/app" }), {});
      const error = "Token claims do not satisfy provider conditions";
      assert.deepEqual([other.status, other.body], [403, { error }]);
      api.clock.advance(121_000);
      assert.equal((await list(body.data.access_token)).status, 401);
    });

    it("creates people and follows their groups", async () => {
      await createGroup(api.service, "Finance", { slugs: ["echo"] });
      await createGroup(api.service, "Everyone");
      const created = await api.call("POST", PROVIDERS, {
        ...{ name: "JIT", issuer: idp.issuer, audiences: ["jit"] },
        provision: {
          ...{ create_users: true, groups: ["everyone"], group_claim: "groups", sync_groups: true },
          group_map: { "idp-fin": "finance" },
        },
      });
      assert.equal(created.status, 201, created.text);
      assert.deepEqual(created.body.data.provision.group_map, { "idp-fin": "Finance" });
      const claims = { sub: "n1", email: "new@example.com", email_verified: true, name: "New", aud: "jit" };
      const first = await exchange(await idp.sign({ ...claims, groups: ["idp-fin", "x"] }));
      assert.equal(first.status, 200, first.text);
      const groups = async () => {
        const linked = api.db.selectFrom("group_users").innerJoin("groups", "groups.id", "group_users.group_id");
        const member = linked.innerJoin("users", "users.id", "group_users.user_id");
        const rows = await member
          .select("groups.name")
          .where("users.email", "=", "new@example.com")
          .orderBy("groups.name")
          .execute();
        return rows.map(({ name }) => name);
      };
      assert.deepEqual(await groups(), ["Everyone", "Finance"]);
      assert.equal((await list(first.body.data.access_token)).body.result.tools.length, 2);
      await exchange(await idp.sign({ ...claims, groups: [] }));
      assert.deepEqual(await groups(), ["Everyone"]);
      const managed = (by: "scim" | null) =>
        api.db.updateTable("groups").set({ provisioned_by: by }).where("name", "=", "Finance").execute();
      await managed("scim");
      await exchange(await idp.sign({ ...claims, groups: ["idp-fin"] }));
      assert.deepEqual(await groups(), ["Everyone"], "SCIM manages the members of the group");
      await managed(null);
      const user = (await api.call("GET", "/api/users/new@example.com")).body.data;
      assert.deepEqual([user.name, user.role, user.disabled], ["New", "member", false]);
      const fresh = { ...claims, sub: "n2", email: "two@example.com" };
      const answers = await Promise.all(
        Array.from({ length: 4 }, async () => (await exchange(await idp.sign(fresh))).status),
      );
      assert.deepEqual(answers, [200, 200, 200, 200]);
    });

    it("matches machine users by slug and users by external ID", async () => {
      await api.call("POST", PROVIDERS, {
        ...{ name: "Slugs", issuer: idp.issuer, audiences: ["slugs"] },
        subject: { mode: "map", claim: ["kubernetes.io", "name"], match: "slug" },
      });
      const bySlug = await exchange(await idp.sign({ aud: "slugs", sub: "x", "kubernetes.io": { name: "ci" } }));
      assert.equal(bySlug.body.data.user.email, bot.email);
      await api.call("PATCH", `/api/users?email=${ADA}`, { external_id: "ext-1" });
      await api.call("POST", PROVIDERS, {
        ...{ name: "External", issuer: idp.issuer, audiences: ["external"] },
        subject: { mode: "map", claim: "sub", match: "external_id" },
      });
      const byId = await exchange(await idp.sign({ aud: "external", sub: "ext-1" }));
      assert.equal(byId.body.data.user.email, ADA);
    });
  },
  { clock: "by-hand" },
);
