import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createPerson, createServer } from "#test/factories";

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

forEachApi("POST /api/mcp-servers", (api) => {
  const create = (body: object) => api.call("POST", "/api/mcp-servers", body);
  const rowOf = (slug: string) =>
    api.db.selectFrom("mcp_servers").selectAll().where("slug", "=", slug).executeTakeFirstOrThrow();

  describe("201", () => {
    it("returns only the slug", async () => {
      await api.expect(201, { data: { slug: "plain-server" } }, "POST", "/api/mcp-servers", { name: "Plain Server" });
    });

    it("returns the whole server with return=full, as GET does (decision 0052)", async () => {
      await createPerson(api.service, "Ada", "ada@example.com");
      const settings = { auto_assign_mcps: true, show_draft_mcps: true };
      await createGroup(api.service, "takes all", { emails: ["ada@example.com"], settings });
      const clientSecret = "canary-client-secret";
      const auth_settings = { authType: "proxy-oauth", clientSecret };
      for (const body of [{ name: "Full" }, { name: "Full", description: "text", status: "draft", auth_settings }]) {
        const { status, body: answer, text } = await api.call("POST", "/api/mcp-servers?return=full", body);
        assert.equal(status, 201);
        await api.expect(200, answer, "GET", `/api/mcp-servers/${answer.data.slug}`);
        assert.deepEqual([answer.data.groups, answer.data.users_count], [["takes all"], 1]);
        assert.equal(text.includes(clientSecret), false);
      }
      const upstream = { url: "http://10.0.0.1/" };
      const { data } = (await api.call("POST", "/api/mcp-servers?return=full", { name: "Full", upstream })).body;
      assert.deepEqual([data.slug, data.connection], ["full-3", { url: "http://10.0.0.1/", transport: "both" }]);
      assert.deepEqual([data.tools, data.tools_synced_at, data.connections.connected], [[], null, 0]);
      await api.call("DELETE", "/api/groups?name=takes%20all");
    });

    it("repeats the whole server for the same Idempotency-Key, which is bound to the parameter", async () => {
      const send = (path: string) => api.call("POST", path, { name: "Repeated" }, { "idempotency-key": "full" });
      const first = await send("/api/mcp-servers?return=full");
      const again = await send("/api/mcp-servers?return=full");
      assert.deepEqual([again.status, again.text], [201, first.text]);
      assert.equal((await send("/api/mcp-servers")).status, 409);
    });

    it("uses the given status, else active with an upstream and draft without (D1)", async () => {
      const mcp_proxy = '{"type":"http","url":"http://127.0.0.1:9/mcp"}';
      for (const [body, status] of [
        [{}, "draft"],
        [{ mcp_proxy }, "active"],
        [{ status: "active" }, "active"],
        [{ mcp_proxy, status: "draft" }, "draft"],
      ] as const) {
        const slug = (await create({ name: "Status", ...body })).body.data.slug;
        assert.equal((await rowOf(slug)).status, status);
      }
    });

    it("reports needs_setup and no connection without an upstream (D2)", async () => {
      const slug = await createServer(api.service, "Bare");
      const { data } = (await api.call("GET", `/api/mcp-servers/${slug}`)).body;
      assert.deepEqual([data.connection, data.needs_setup, data.description], [null, true, ""]);
    });

    it("accepts every form of mcp_proxy (D3)", async () => {
      const url = "http://10.0.0.1/v1?x=1";
      for (const [upstream, transport] of [
        [{ type: "http", url }, "http"],
        [{ type: "streamable-http", url }, "http"],
        [{ type: "sse", url }, "sse"],
        [{ type: "both", url }, "both"],
        [{ url }, "both"],
        [{ url, type: "http", headers: { a: "b" } }, "http"],
      ] as const) {
        const body = { name: "Forms", status: "draft", mcp_proxy: JSON.stringify(upstream) };
        const { data } = (await api.call("GET", `/api/mcp-servers/${(await create(body)).body.data.slug}`)).body;
        assert.deepEqual(data.connection, { url, transport });
      }
    });

    it("accepts the same upstream as an object, and ignores unknown keys in it (decision 0052)", async () => {
      const url = "http://10.0.0.1/v1?x=1";
      for (const [upstream, transport] of [
        [{ type: "http", url }, "http"],
        [{ type: "streamable-http", url }, "http"],
        [{ type: "sse", url }, "sse"],
        [{ type: "both", url }, "both"],
        [{ url }, "both"],
        [{ url, type: "http", headers: { a: "b" } }, "http"],
      ] as const) {
        const { slug } = (await create({ name: "Object", upstream })).body.data;
        const { data } = (await api.call("GET", `/api/mcp-servers/${slug}`)).body;
        assert.deepEqual([data.connection, data.status], [{ url, transport }, "active"]);
      }
    });

    it("stores text unchanged and expands no templates (GW-19)", async () => {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this text must stay unchanged
      const body = { name: "${HOME} $PATH %X% {{7*7}}", description: "<script>'; drop table mcp_servers; --\n\u202e" };
      const slug = (await create(body)).body.data.slug;
      const { data } = (await api.call("GET", `/api/mcp-servers/${slug}`)).body;
      assert.deepEqual([data.name, data.description], [body.name, body.description]);
    });

    it("ignores unknown keys, including column names (D11, API-1)", async () => {
      const slug = (
        await create({
          name: "Assigned",
          id: "srv_mine",
          created_at: 1,
          is_local: true,
          is_local_mcp: true,
          connector_id: null,
          sealed_client_secret: "x",
          __proto__: { status: "active" },
        })
      ).body.data.slug;
      const row = await rowOf(slug);
      assert.notEqual(row.id, "srv_mine");
      assert.deepEqual([row.is_local, row.sealed_client_secret, row.status], [false, null, "draft"]);
      assert.ok(row.created_at > 1);
    });

    it("adds the server only to groups that auto-assign new servers (D15)", async () => {
      const taking = await createGroup(api.service, "taking", { settings: { auto_assign_mcps: true } });
      await createGroup(api.service, "not taking", { settings: { auto_assign_users: true } });
      const { id } = await rowOf(await createServer(api.service, "Joining"));
      const links = await api.db.selectFrom("group_servers").selectAll().where("server_id", "=", id).execute();
      assert.deepEqual([links.length, links[0]?.group_id, links[0]?.tool_rule], [1, taking, "all"]);
      await api.call("DELETE", "/api/groups?name=taking");
    });
  });

  describe("slugs (D5)", () => {
    it("are derived from the name", async () => {
      for (const [name, slug] of [
        ["GitHub Enterprise", "github-enterprise"],
        ["  --Trim__me!!  ", "trim-me"],
        ["ＦＵＬＬ width", "full-width"],
        ["日本語", "server"],
        ["🚀", "server-2"],
        ["MCP", "mcp-2"],
        ["x".repeat(255), "x".repeat(40)],
        [`${"y".repeat(39)} z`, "y".repeat(39)],
      ] as const) {
        assert.equal((await create({ name })).body.data.slug, slug, name);
      }
    });

    it("get a suffix -2, -3, … if taken, whether given or derived", async () => {
      const wanted = async (body: object) => (await create({ name: "Taken", ...body })).body.data.slug;
      assert.equal(await wanted({}), "taken");
      assert.equal(await wanted({ slug: "taken" }), "taken-2");
      assert.equal(await wanted({}), "taken-3");
      assert.equal(await wanted({ slug: "taken-2" }), "taken-2-2");
    });

    it("have at most 40 characters including the suffix, and no double hyphen before it", async () => {
      const name = `${"a".repeat(37)}-bc`;
      const slugs = [];
      for (let i = 0; i < 12; i++) slugs.push((await create({ name })).body.data.slug);
      assert.equal(slugs[0], name);
      assert.equal(slugs[1], `${"a".repeat(37)}-2`);
      assert.equal(slugs[11], `${"a".repeat(37)}-12`);
      for (const slug of slugs) assert.match(slug, SLUG);
    });

    it("are unique for fifty concurrent requests with the same name (API-8)", async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => create({ name: "Race" })));
      assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [201]);
      const slugs = new Set(answers.map((answer) => answer.body.data.slug));
      const wanted = Array.from({ length: 50 }, (_, i) => (i === 0 ? "race" : `race-${i + 1}`));
      assert.deepEqual([...slugs].sort(), wanted.sort());
    });
  });

  describe("auth_settings (D6)", () => {
    const settings = {
      authType: "proxy-oauth",
      clientId: "public-id",
      authUrl: "https://idp.example.com/authorize",
      tokenUrl: "https://idp.example.com/token",
      client: { scope: "read write" },
      howtoMarkdown: "# How",
      registrationUrl: "https://idp.example.com/register",
      issuer: "https://idp.example.com",
      resource: "https://mcp.example.com",
      headerName: "X-Api-Key",
      headerPrefix: "Key ",
    };

    it("are returned for one server but not in the list, and the secret never", async () => {
      const clientSecret = "canary-client-secret";
      const slug = (await create({ name: "Settings", auth_settings: { ...settings, clientSecret } })).body.data.slug;
      const one = await api.call("GET", `/api/mcp-servers/${slug}`);
      assert.deepEqual(one.body.data.auth_settings, { ...settings, hasClientSecret: true });
      const list = await api.call("GET", "/api/mcp-servers?search=settings&limit=200");
      assert.equal("auth_settings" in list.body.data[0], false);
      assert.equal(list.body.data[0].auth_type, "proxy-oauth");
      const row = await rowOf(slug);
      const audit = JSON.stringify(await api.db.selectFrom("audit").selectAll().execute());
      for (const text of [one.text, list.text, JSON.stringify(row), audit]) {
        assert.equal(text.includes(clientSecret), false);
      }
      assert.ok((row.sealed_client_secret ?? "").length > clientSecret.length);
    });

    it("default to none if omitted or null", async () => {
      for (const auth_settings of [
        undefined,
        {},
        { authType: null, clientId: null, clientSecret: null, client: null },
      ]) {
        const slug = (await create({ name: "No auth", auth_settings })).body.data.slug;
        const { data } = (await api.call("GET", `/api/mcp-servers/${slug}`)).body;
        assert.deepEqual(data.auth_settings, { authType: "none", hasClientSecret: false });
      }
    });
  });

  describe("400", () => {
    it("rejects commands regardless of other keys (GW-18)", async () => {
      const before = await api.everything();
      for (const upstream of [
        { type: "stdio", command: "sh", args: ["-c", "id"] },
        { type: "stdio", url: "http://127.0.0.1/" },
        { command: "sh" },
        { type: "http", command: "sh", url: "http://127.0.0.1/" },
        { type: ["http"], url: "http://127.0.0.1/" },
        { type: "HTTP", url: "http://127.0.0.1/" },
        { type: "__proto__", url: "http://127.0.0.1/" },
      ]) {
        const body = { name: "x", mcp_proxy: JSON.stringify(upstream) };
        await api.invalid("mcp_proxy: type must be one of http, sse, both", "POST", "/api/mcp-servers", body);
      }
      assert.deepEqual(await api.everything(), before);
    });

    it("reports a faulty upstream object with the messages of mcp_proxy, and creates nothing (decision 0052)", async () => {
      const before = await api.everything();
      const url = "http://10.0.0.1/";
      for (const [upstream, message] of [
        [null, "upstream must be an object with type and url"],
        ['{"url":"http://10.0.0.1/"}', "upstream must be an object with type and url"],
        [[], "upstream must be an object with type and url"],
        [{}, "upstream must be an object with type and url"],
        [{ type: "stdio", url }, "type must be one of http, sse, both"],
        [{ type: null, url }, "type must be one of http, sse, both"],
        [{ type: "toString", url }, "type must be one of http, sse, both"],
        [{ type: "http", url, command: "sh" }, "type must be one of http, sse, both"],
        [{ command: "sh" }, "type must be one of http, sse, both"],
        [{ type: "http", url: "nowhere" }, "url must be a valid http or https URL"],
        [{ type: "http", url: "http://u:p@x/" }, "url must be a valid http or https URL"],
        [{ url: `http://x/${"x".repeat(2_000)}` }, "url must be a valid http or https URL"],
      ] as const) {
        await api.invalid(`upstream: ${message}`, "POST", "/api/mcp-servers", { name: "x", upstream });
      }
      assert.deepEqual(await api.everything(), before);
    });

    it("rejects upstream next to mcp_proxy, after the faults of other fields (decision 0052)", async () => {
      const both = { name: "x", upstream: { url: "http://10.0.0.1/" }, mcp_proxy: '{"url":"http://10.0.0.1/"}' };
      await api.invalid("upstream: give upstream or mcp_proxy, not both", "POST", "/api/mcp-servers", both);
      await api.invalid("name: name is required", "POST", "/api/mcp-servers", { ...both, name: "" });
      await api.invalid("mcp_proxy: mcp_proxy must be valid JSON", "POST", "/api/mcp-servers", {
        ...both,
        mcp_proxy: "",
      });
    });

    it("rejects other values of return, before the body is checked (D9)", async () => {
      for (const query of ["return=", "return=minimal", "return=FULL", "return=true"]) {
        await api.invalid("return: must be one of full", "POST", `/api/mcp-servers?${query}`, {});
      }
      await api.invalid("return: must be given once", "POST", "/api/mcp-servers?return=full&return=full", {});
    });

    it("rejects header names that are reserved by HTTP", async () => {
      for (const headerName of [
        "Content-Length",
        "host",
        "Mcp-Session-Id",
        "Proxy-Authorization",
        "Cookie",
        "a b",
        "",
      ]) {
        const body = { name: "x", auth_settings: { headerName } };
        const message = "auth_settings.headerName: must be a header name that may be set";
        await api.invalid(message, "POST", "/api/mcp-servers", body);
      }
      const body = { name: "x", auth_settings: { headerPrefix: "a\r\nX: y" } };
      await api.invalid("auth_settings.headerPrefix: must be plain ASCII text", "POST", "/api/mcp-servers", body);
    });

    it("rejects URLs that would need to be normalized", async () => {
      for (const url of ["http://x/\0", "http://x/\ny", " http://x/", "ht\ttp://x/", "http://x/ y", "http://\ud800/"]) {
        const body = { name: "x", mcp_proxy: JSON.stringify({ type: "http", url }) };
        await api.invalid("mcp_proxy: url must be a valid http or https URL", "POST", "/api/mcp-servers", body);
      }
    });

    it("rejects URLs with other schemes or with a password (OA-8)", async () => {
      for (const key of ["authUrl", "tokenUrl", "registrationUrl", "issuer", "resource"]) {
        for (const url of [
          "javascript:alert(1)",
          "data:text/html,x",
          "file:///etc/passwd",
          "//x",
          "",
          "https://u:p@x",
        ]) {
          const body = { name: "x", auth_settings: { [key]: url } };
          const message = `auth_settings.${key}: must be a valid http or https URL`;
          await api.invalid(message, "POST", "/api/mcp-servers", body);
        }
      }
    });
  });
});
