import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SLUG_FORMAT, SLUG_MESSAGE } from "../kit/contract.ts";
import { forEachTarget } from "../kit/suite.ts";

const PATH = "/api/mcp-servers";

forEachTarget("POST /api/mcp-servers", (api) => {
  const create = (body: object) => api.body(201, "POST", PATH, body);
  const get = async (slug: string) => (await api.body(200, "GET", `${PATH}/${slug}`)).data;
  const proxy = (upstream: unknown) => ({ name: "x", mcp_proxy: JSON.stringify(upstream) });

  describe("201", () => {
    it("returns only the slug [S4.1-create S2.2-answer]", async () => {
      const slug = api.unique("given");
      const answer = await api.call("POST", PATH, { name: "Given", slug });
      assert.deepEqual([answer.status, answer.body], [201, { data: { slug } }]);
    });

    it("returns the whole server with return=full", async () => {
      const answer = await api.body(201, "POST", `${PATH}?return=full`, { name: api.unique("full") });
      assert.deepEqual(Object.keys(answer), ["data"]);
      // Tests that run concurrently create and delete groups that new servers join.
      const { groups, users_count: usersCount, ...server } = answer.data;
      assert.deepEqual({ ...(await get(server.slug)), groups, users_count: usersCount }, answer.data);
      await api.invalid("return: must be one of full", "POST", `${PATH}?return=all`, { name: "x" });
    });

    it("creates the slug from the name by default [S2.2-slug-generated S2.1-slug-format]", async () => {
      const word = api.unique("w");
      const { data } = await create({ name: `  Éclair & ${word.toUpperCase()}! ` });
      assert.equal(data.slug, `eclair-${word}`);
      assert.match((await create({ name: `ω ${word}` })).data.slug, SLUG_FORMAT);
    });

    it("appends a number to an existing slug, given or generated [S2.2-slug-suffix S2.1-slug-unique]", async () => {
      const name = api.unique("twice");
      const made = [(await create({ name })).data.slug, (await create({ name })).data.slug];
      const given = (await create({ name: "Other", slug: name })).data.slug;
      assert.deepEqual([...made, given], [name, `${name}-2`, `${name}-3`]);
    });

    it("gives fifty concurrent creations with one name different slugs [API-8]", async () => {
      const name = api.unique("race");
      const answers = await Promise.all(Array.from({ length: 50 }, () => api.call("POST", PATH, { name })));
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
      assert.equal(new Set(answers.map(({ body }) => body.data.slug)).size, 50);
    });

    it("uses the given status, by default active with an upstream and draft without [S2.2-status S3-create-status S3-default-status]", async () => {
      const upstream = JSON.stringify({ type: "http", url: "http://127.0.0.1:9/mcp" });
      for (const [body, status] of [
        [{ status: "active" }, "active"],
        [{ status: "draft", mcp_proxy: upstream }, "draft"],
        [{}, "draft"],
        [{ mcp_proxy: upstream }, "active"],
      ] as const) {
        const { data } = await create({ name: api.unique("status"), ...body });
        assert.equal((await get(data.slug)).status, status, JSON.stringify(body));
      }
    });

    it("stores the upstream as URL and transport, `both` by default [S2.2-mcp-proxy S2.1-transport]", async () => {
      const url = "http://127.0.0.1:9/mcp?team=a";
      for (const [upstream, transport] of [
        [{ type: "http", url }, "http"],
        [{ type: "streamable-http", url }, "http"],
        [{ type: "sse", url }, "sse"],
        [{ type: "both", url }, "both"],
        [{ url }, "both"],
      ] as const) {
        const { data } = await create({ name: api.unique("up"), mcp_proxy: JSON.stringify(upstream) });
        assert.deepEqual((await get(data.slug)).connection, { url, transport });
      }
    });

    it("accepts the upstream as an object instead of text", async () => {
      const url = "http://127.0.0.1:9/mcp?team=a";
      for (const [upstream, transport] of [
        [{ type: "http", url }, "http"],
        [{ type: "streamable-http", url }, "http"],
        [{ type: "sse", url }, "sse"],
        [{ url }, "both"],
      ] as const) {
        const { data } = await create({ name: api.unique("up"), upstream });
        assert.deepEqual((await get(data.slug)).connection, { url, transport });
      }
    });

    it("does not require an upstream [S2.2-mcp-proxy-optional]", async () => {
      const { data } = await create({ name: api.unique("bare") });
      const server = await get(data.slug);
      assert.deepEqual([server.connection, server.needs_setup], [null, true]);
    });

    it("stores the description and all of auth_settings, and never returns the secret [S2.2-description S2.2-auth-settings S2.2-auth-settings-more]", async () => {
      const auth = {
        authType: "proxy-oauth",
        clientId: "client",
        authUrl: "https://id.example.com/authorize",
        tokenUrl: "https://id.example.com/token",
        client: { scope: "read write" },
        howtoMarkdown: "# How\nAsk *us*.",
      };
      const asked = { ...auth, clientSecret: "never-shown", registrationUrl: "https://id.example.com/register" };
      const { data } = await create({ name: api.unique("auth"), description: "About it", auth_settings: asked });
      const server = await get(data.slug);
      assert.deepEqual([server.description, server.auth_type], ["About it", "proxy-oauth"]);
      for (const [key, value] of Object.entries(auth)) assert.deepEqual(server.auth_settings[key], value, key);
      assert.equal(JSON.stringify(server).includes("never-shown"), false);
    });
  });

  describe("400", () => {
    it("400 for a missing or blank name [S2.2-name S4.1-create-messages]", async () => {
      for (const body of [{}, { name: "" }, { name: " \t" }, { slug: "x" }]) {
        await api.invalid("name: name is required", "POST", PATH, body);
      }
      for (const name of [7, null, ["x"]]) await api.invalid("name: must be a string", "POST", PATH, { name });
    });

    it("400 for an mcp_proxy that is not JSON or not an upstream [S2.2-mcp-proxy-json S4.1-create-messages]", async () => {
      for (const text of ["{", "", "http://x", "{'type': 'http'}"]) {
        await api.invalid("mcp_proxy: mcp_proxy must be valid JSON", "POST", PATH, { name: "x", mcp_proxy: text });
      }
      await api.invalid("mcp_proxy: mcp_proxy must be a string", "POST", PATH, { name: "x", mcp_proxy: {} });
      for (const upstream of [[], null, "text", {}]) {
        await api.invalid("mcp_proxy: mcp_proxy must be an object with type and url", "POST", PATH, proxy(upstream));
      }
      for (const type of ["stdio", "ws", "HTTP"]) {
        const message = "mcp_proxy: type must be one of http, sse, both";
        await api.invalid(message, "POST", PATH, proxy({ type, url: "http://x/" }));
      }
      for (const url of ["nowhere", "file:///etc/passwd", "http://user:pass@x/", 7]) {
        const message = "mcp_proxy: url must be a valid http or https URL";
        await api.invalid(message, "POST", PATH, proxy({ type: "http", url }));
      }
    });

    it("an upstream object that is faulty, or next to mcp_proxy", async () => {
      const url = "http://127.0.0.1:9/mcp";
      for (const [upstream, message] of [
        ["text", "upstream must be an object with type and url"],
        [{ type: "http" }, "upstream must be an object with type and url"],
        [{ type: "stdio", url }, "type must be one of http, sse, both"],
        [{ type: "http", url: "nowhere" }, "url must be a valid http or https URL"],
      ] as const) {
        await api.invalid(`upstream: ${message}`, "POST", PATH, { name: "x", upstream });
      }
      const both = { ...proxy({ type: "http", url }), upstream: { type: "http", url } };
      await api.invalid("upstream: give upstream or mcp_proxy, not both", "POST", PATH, both);
    });

    it("400 for an invalid slug [S2.2-slug-format S4.1-create-slug-message]", async () => {
      for (const slug of ["-a", "a-", "A", "a_b", "a b", "ä", ""]) {
        await api.invalid(SLUG_MESSAGE, "POST", PATH, { name: "x", slug });
      }
    });

    it("400 for an unknown status, and for invalid settings [S2.2-status S2.2-auth-settings]", async () => {
      await api.invalid("status: must be one of active, draft", "POST", PATH, { name: "x", status: "live" });
      await api.invalid("auth_settings: must be an object", "POST", PATH, { name: "x", auth_settings: [] });
      const message = "auth_settings.authType: must be one of proxy-oauth, proxy-api-key, none, exchanged-token";
      await api.invalid(message, "POST", PATH, { name: "x", auth_settings: { authType: "basic" } });
    });
  });
});
