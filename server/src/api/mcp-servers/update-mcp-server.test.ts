import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createPerson, createServer } from "#test/factories";

/** Blocked by the egress rules, so that the sync fails immediately. */
const UPSTREAM = { status: "draft", mcp_proxy: '{"type":"http","url":"http://10.0.0.1/mcp"}' };
const OAUTH = {
  authType: "proxy-oauth",
  clientId: "id",
  authUrl: "https://one.example.com/authorize",
  tokenUrl: "https://one.example.com/token",
  issuer: "https://one.example.com",
  resource: "https://one.example.com/mcp",
  registrationUrl: "https://one.example.com/register",
  client: { scope: "read" },
};

forEachApi("PATCH /api/mcp-servers", (api) => {
  let count = 0;
  const made = (rest: object = {}) => createServer(api.service, `Server ${++count}`, undefined, rest);
  const patch = (slug: string, body: object) => api.call("PATCH", `/api/mcp-servers?slug=${slug}`, body);
  const get = async (slug: string) => (await api.call("GET", `/api/mcp-servers/${slug}`)).body.data;

  describe("200", () => {
    it("keeps omitted fields", async () => {
      const slug = await made({ ...UPSTREAM, description: "text", auth_settings: OAUTH });
      const { updated_at: _then, ...before } = await get(slug);
      for (const body of [{}, { unknown: 1 }, { auth_settings: {} }]) {
        await api.expect(200, { data: { slug } }, "PATCH", `/api/mcp-servers?slug=${slug}`, body);
        const { updated_at: _now, ...after } = await get(slug);
        assert.deepEqual(after, before);
      }
    });

    it("changes each field independently", async () => {
      const slug = await made({ ...UPSTREAM, description: "text" });
      for (const [body, field, value] of [
        [{ name: "New name" }, "name", "New name"],
        [{ description: "new" }, "description", "new"],
        [{ status: "active" }, "status", "active"],
        [{ auth_settings: { authType: "proxy-api-key" } }, "auth_type", "proxy-api-key"],
        [
          { mcp_proxy: '{"type":"sse","url":"http://10.0.0.2/"}' },
          "connection",
          { url: "http://10.0.0.2/", transport: "sse" },
        ],
      ] as const) {
        const before = await get(slug);
        assert.equal((await patch(slug, body)).status, 200);
        const after = await get(slug);
        assert.deepEqual(after[field], value);
        for (const other of ["name", "description", "status", "auth_type", "connection"]) {
          if (other !== field) assert.deepEqual(after[other], before[other], `${field} changed ${other}`);
        }
      }
    });

    it("clears the description and the upstream with null (D11)", async () => {
      const slug = await made({ ...UPSTREAM, description: "text" });
      await patch(slug, { description: null, mcp_proxy: null });
      const { description, connection, needs_setup } = await get(slug);
      assert.deepEqual([description, connection, needs_setup], ["", null, true]);
    });

    it("changes the upstream by an object, and null clears it (decision 0052)", async () => {
      const slug = await made({ ...UPSTREAM, description: "text" });
      await patch(slug, { upstream: { type: "sse", url: "http://10.0.0.2/" } });
      assert.deepEqual((await get(slug)).connection, { url: "http://10.0.0.2/", transport: "sse" });
      await patch(slug, { name: "Kept" });
      assert.deepEqual((await get(slug)).connection, { url: "http://10.0.0.2/", transport: "sse" });
      await patch(slug, { upstream: null });
      const { connection, needs_setup, description } = await get(slug);
      assert.deepEqual([connection, needs_setup, description], [null, true, "text"]);
    });

    it("rejects upstream next to mcp_proxy even if one of them is null (decision 0052)", async () => {
      const slug = await made(UPSTREAM);
      const message = "upstream: give upstream or mcp_proxy, not both";
      for (const body of [
        { upstream: null, mcp_proxy: UPSTREAM.mcp_proxy },
        { upstream: { url: "http://10.0.0.2/" }, mcp_proxy: null },
        { upstream: null, mcp_proxy: null },
      ]) {
        await api.invalid(message, "PATCH", `/api/mcp-servers?slug=${slug}`, body);
      }
      assert.deepEqual((await get(slug)).connection, { url: "http://10.0.0.1/mcp", transport: "http" });
    });

    it("merges auth_settings key by key, and clears a key with null (D6)", async () => {
      const slug = await made({ auth_settings: { ...OAUTH, clientSecret: "one" } });
      await patch(slug, { auth_settings: { clientId: "other", howtoMarkdown: "text", authUrl: null } });
      const { authUrl: _gone, ...rest } = OAUTH;
      const merged = { ...rest, clientId: "other", howtoMarkdown: "text", hasClientSecret: true };
      assert.deepEqual((await get(slug)).auth_settings, merged);
      await patch(slug, { auth_settings: { clientSecret: null, client: { scope: null } } });
      assert.deepEqual((await get(slug)).auth_settings, { ...merged, client: {}, hasClientSecret: false });
      await patch(slug, { auth_settings: { authType: null, client: null } });
      const { client: _client, ...withoutClient } = merged;
      const cleared = { ...withoutClient, authType: "none", hasClientSecret: false };
      assert.deepEqual((await get(slug)).auth_settings, cleared);
    });

    it("replaces the sealed secret only if a new one is given", async () => {
      const slug = await made({ auth_settings: { clientSecret: "canary-one" } });
      const sealed = async () =>
        (await api.db.selectFrom("mcp_servers").select("sealed_client_secret").where("slug", "=", slug).execute())[0];
      const first = await sealed();
      await patch(slug, { name: "x", auth_settings: { clientId: "x" } });
      assert.deepEqual(await sealed(), first);
      const answer = await patch(slug, { auth_settings: { clientSecret: "canary-two" } });
      assert.notDeepEqual(await sealed(), first);
      assert.doesNotMatch(answer.text + JSON.stringify(await sealed()), /canary/);
    });
  });

  describe("the client secret (OA-4)", () => {
    const { tokenUrl: _tokenUrl, ...DISCOVERED } = OAUTH;
    const elsewhere = { mcp_proxy: '{"type":"http","url":"http://10.0.0.2/mcp"}' };
    const has = async (slug: string) => (await get(slug)).auth_settings.hasClientSecret;
    for (const [what, settings, body] of [
      ["another token endpoint", OAUTH, { auth_settings: { tokenUrl: "https://two.example.com/token" } }],
      ["a removed token endpoint", OAUTH, { auth_settings: { tokenUrl: null } }],
      [
        "a token endpoint instead of a discovered one",
        DISCOVERED,
        { auth_settings: { tokenUrl: "https://two.example.com/token" } },
      ],
      ["another upstream with a discovered token endpoint", DISCOVERED, elsewhere],
      ["another issuer", DISCOVERED, { auth_settings: { issuer: "https://two.example.com" } }],
    ] as const) {
      it(`is deleted, unless given again, for ${what}`, async () => {
        const whole = { ...UPSTREAM, auth_settings: { ...settings, clientSecret: "one" } };
        const [kept, given] = [await made(whole), await made(whole)];
        await patch(kept, body);
        assert.equal(await has(kept), false);
        const settingsThen = "auth_settings" in body ? body.auth_settings : {};
        await patch(given, { ...body, auth_settings: { ...settingsThen, clientSecret: "two" } });
        assert.equal(await has(given), true);
      });
    }

    it("is kept while the token endpoint stays the same, and while there is none", async () => {
      const slug = await made({ ...UPSTREAM, auth_settings: { ...OAUTH, clientSecret: "one" } });
      await patch(slug, { ...elsewhere, auth_settings: { ...OAUTH, issuer: null, resource: null } });
      assert.equal(await has(slug), true);
      const draft = await made({ auth_settings: { authType: "proxy-oauth", clientId: "id", clientSecret: "one" } });
      await patch(draft, elsewhere);
      assert.equal(await has(draft), true);
    });
  });

  describe("a rename (D5)", () => {
    it("returns the resulting slug, with a suffix if it is taken", async () => {
      const taken = await made();
      const slug = await made();
      await api.expect(200, { data: { slug: `${taken}-2` } }, "PATCH", `/api/mcp-servers?slug=${slug}`, {
        slug: taken,
      });
      assert.equal((await api.call("GET", `/api/mcp-servers/${slug}`)).status, 404);
    });

    it("changes nothing for the current slug or one that resolves to it", async () => {
      const taken = await made();
      const slug = await made();
      assert.equal((await patch(slug, { slug })).body.data.slug, slug);
      const suffixed = (await patch(slug, { slug: taken })).body.data.slug;
      assert.equal((await patch(suffixed, { slug: taken })).body.data.slug, suffixed);
    });

    it("keeps groups, connections, and settings", async () => {
      const slug = await made({ auth_settings: OAUTH });
      await createGroup(api.service, "keepers", { slugs: [slug] });
      const { id } = await get(slug);
      await connect(id, "keeper@example.com");
      await patch(slug, { slug: "renamed", name: "Renamed" });
      const scoped = await api.call("GET", "/api/mcp-servers?status=draft", undefined, {
        "x-service-group": "keepers",
      });
      assert.equal(scoped.status, 200);
      assert.equal((await get("renamed")).id, id);
      assert.equal((await connectionsOf(id)).length, 1);
      const links = await api.db.selectFrom("group_servers").selectAll().where("server_id", "=", id).execute();
      assert.equal(links.length, 1);
    });

    it("does not follow from a new name", async () => {
      const slug = await made();
      assert.equal((await patch(slug, { name: "Something else" })).body.data.slug, slug);
    });

    it("gives ten concurrent renames to one slug ten different slugs (API-8)", async () => {
      const slugs = [];
      for (let i = 0; i < 10; i++) slugs.push(await made());
      const answers = await Promise.all(slugs.map((slug) => patch(slug, { slug: "crowded" })));
      assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
      const wanted = Array.from({ length: 10 }, (_, i) => (i === 0 ? "crowded" : `crowded-${i + 1}`));
      assert.deepEqual(answers.map((answer) => answer.body.data.slug).sort(), wanted.sort());
    });
  });

  const connectionsOf = (serverId: string) =>
    api.db.selectFrom("connections").selectAll().where("server_id", "=", serverId).execute();
  const connect = async (serverId: string, email: string) => {
    const userId = await createPerson(api.service, email, email);
    await api.db
      .insertInto("connections")
      .values({
        id: `con_${userId}`,
        user_id: userId,
        server_id: serverId,
        kind: "oauth",
        state: "connected",
        sealed_credential: "sealed",
        created_at: 1,
        updated_at: 1,
      })
      .execute();
  };

  describe("users' connections (AZ-8)", () => {
    for (const [what, body] of [
      ["upstream", { mcp_proxy: '{"type":"http","url":"http://10.0.0.2/mcp"}' }],
      ["upstream removed", { mcp_proxy: null }],
      ["authType", { auth_settings: { authType: "proxy-api-key" } }],
      ["authUrl", { auth_settings: { authUrl: "https://two.example.com/authorize" } }],
      ["tokenUrl", { auth_settings: { tokenUrl: "https://two.example.com/token" } }],
      ["tokenUrl cleared", { auth_settings: { tokenUrl: null } }],
      ["issuer", { auth_settings: { issuer: "https://two.example.com" } }],
      ["resource", { auth_settings: { resource: "https://two.example.com/mcp" } }],
      ["registrationUrl", { auth_settings: { registrationUrl: "https://two.example.com/register" } }],
    ] as const) {
      it(`are deleted and counted in the audit log when this changes: ${what}`, async () => {
        const slug = await made({ ...UPSTREAM, auth_settings: OAUTH });
        const { id } = await get(slug);
        await connect(id, `a${count}@example.com`);
        await connect(id, `b${count}@example.com`);
        const [row] = await api.auditOf(() => patch(slug, body));
        assert.deepEqual(await connectionsOf(id), []);
        assert.equal(Reflect.get(row?.after ?? {}, "connections_voided"), 2);
      });
    }

    it("are kept when name, status, description, scope, or how-to change, or the URL is set to the same value", async () => {
      const slug = await made({ ...UPSTREAM, auth_settings: OAUTH });
      const { id } = await get(slug);
      await connect(id, "stays@example.com");
      for (const body of [
        { name: "x", description: "y", status: "active" },
        { auth_settings: { client: { scope: "write" }, howtoMarkdown: "text", clientId: "x", clientSecret: "y" } },
        { mcp_proxy: UPSTREAM.mcp_proxy, auth_settings: OAUTH },
      ]) {
        assert.equal((await patch(slug, body)).status, 200);
        assert.equal((await connectionsOf(id)).length, 1);
      }
    });

    it("of other servers are kept", async () => {
      const other = (await get(await made({ ...UPSTREAM, auth_settings: OAUTH }))).id;
      await connect(other, "other@example.com");
      await patch(await made(UPSTREAM), { mcp_proxy: null });
      assert.equal((await connectionsOf(other)).length, 1);
    });
  });

  it("deletes the tools of the old upstream when the upstream changes", async () => {
    const slug = await made(UPSTREAM);
    const { id } = await get(slug);
    const tool = { server_id: id, title: "T", description: "", definition: "{}", created_at: 1, updated_at: 1 };
    await api.db
      .insertInto("server_tools")
      .values([
        { ...tool, upstream_name: "on", slug: "on", position: 0, enabled: true },
        { ...tool, upstream_name: "off", slug: "off", position: 1, enabled: false },
      ])
      .execute();
    await patch(slug, { name: "same place" });
    assert.equal((await get(slug)).tools_count, 1);
    await patch(slug, { mcp_proxy: '{"type":"http","url":"http://10.0.0.2/mcp"}' });
    assert.equal((await get(slug)).tools_count, 0);
    const rest = await api.db.selectFrom("server_tools").select("upstream_name").where("server_id", "=", id).execute();
    assert.deepEqual(rest, [{ upstream_name: "off" }]);
  });
});
