import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { operations } from "#api/operations";
import { bearer, onSqliteApi } from "#test/api";
import { type Browser, invite, signedInAs } from "#test/browser";
import { createMachineUser } from "#test/factories";
import { routeOf } from "./router.ts";

const ROLES = ["owner", "admin", "auditor", "member"] as const;
/** The roles that include each scope. A scope without a row fails below. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  all: ["owner"],
  "admin:read": ["owner", "admin", "auditor"],
  "admin:write": ["owner", "admin"],
  "connect:read": ["owner", "admin"],
  "connect:write": ["owner", "admin"],
  "connect:exchange-auth": ["owner", "admin"],
  "discovery:ingest": ["owner", "admin"],
  "agents:invoke": ["owner", "admin"],
  "logs:payloads": ["owner", "admin"],
  any: ROLES,
};

onSqliteApi("people in the administration API", (api) => {
  const browsers = new Map<string, Browser>();
  const as = (role: string) => {
    const browser = browsers.get(role);
    assert.ok(browser);
    return browser;
  };
  before(async () => {
    for (const role of ROLES) browsers.set(role, await signedInAs(api.service, role));
  });

  const withoutRoles = new Set(["anyone", "jwt"]);
  for (const operation of operations.filter(({ callers = "" }) => !withoutRoles.has(callers))) {
    it(`${operation.id} accepts exactly the roles of the permission table (AZ-1)`, async () => {
      const { method, url } = routeOf(operation);
      for (const [role, browser] of browsers) {
        // The unsupported version stops the request after the permission check, before it has any effect.
        const headers = { "service-api-version": "0", "x-csrf-token": await browser.csrfToken() };
        const answer = await browser.api(method, url.replace(/\{\w+\}/g, "x"), undefined, headers);
        const error = `Insufficient permissions: requires ${operation.scope}`;
        if (ALLOWED[operation.scope]?.includes(role)) assert.equal(answer.status, 400, `${role}: ${answer.text}`);
        else assert.deepEqual([answer.status, answer.body], [403, { error }], role);
      }
    });
  }

  it("records the person in the audit", async () => {
    const [row] = await api.auditOf(() => as("admin").api("POST", "/api/groups", { name: "Audited" }));
    assert.deepEqual([row?.actor_kind, row?.actor_name], ["user", "admin@example.com"]);
    const me = (await as("admin").api("GET", "/api/me")).body.data;
    assert.equal(row?.actor_id, me.id);
  });

  describe("a request that changes something", () => {
    const create = (headers: Record<string, string>) =>
      api.service.http("/api/groups", {
        method: "POST",
        headers: { cookie: as("owner").cookie, "content-type": "application/json", ...headers },
        body: JSON.stringify({ name: "Forged" }),
      });

    it("is rejected with 403 without the session's CSRF token, or from another site (WEB-6)", async () => {
      const token = await as("owner").csrfToken();
      for (const headers of [
        {},
        { "x-csrf-token": "" },
        { "x-csrf-token": await as("admin").csrfToken() },
        { "x-csrf-token": token.slice(0, -1) },
        { "x-csrf-token": token, "sec-fetch-site": "cross-site" },
        { "x-csrf-token": token, "sec-fetch-site": "same-site" },
      ]) {
        const answer = await create(headers);
        assert.deepEqual([answer.status, answer.body], [403, { error: "CSRF token missing or wrong" }]);
      }
      assert.equal((await create({ "x-csrf-token": token, origin: "https://evil.example.com" })).status, 403);
      const ours = { "x-csrf-token": token, "sec-fetch-site": "same-origin" };
      assert.equal((await create(ours)).status, 201);
    });

    it("is rejected when a link on another site sends it, even if the contract defines it as GET", async () => {
      const path = "/api/user/auth-url?email=nobody@example.com&mcp=none";
      const linked = await api.service.http(path, { headers: { cookie: as("owner").cookie } });
      assert.deepEqual([linked.status, linked.body], [403, { error: "CSRF token missing or wrong" }]);
      const token = { "x-csrf-token": await as("owner").csrfToken() };
      assert.equal((await as("owner").api("GET", path, undefined, token)).status, 404);
      assert.equal(
        (await api.call("GET", path)).status,
        404,
        "succeeds with an API token, because browsers do not send those",
      );
    });
  });

  it("rejects a wrong token even in a signed-in browser, without falling back to the cookie (AUTH-2)", async () => {
    const headers = { cookie: as("owner").cookie, authorization: "Bearer wrong" };
    assert.equal((await api.service.http("/api/me", { headers })).status, 401);
  });

  it("accepts token, key, session, link and CSRF token only for their own purpose (AUTH-3)", async () => {
    const bot = await createMachineUser(api.service, "bot");
    const [, linkToken = ""] = (await invite(api.service, "member@example.com")).split("#");
    const credentials: Record<string, string> = {
      "api token": api.service.token,
      "gateway key": bot.credential,
      "web session": String(as("owner").cookies.get("gatehouse-8080")),
      invitation: linkToken,
      "csrf token": await as("owner").csrfToken(),
    };
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const csrfHolder = { cookie: as("owner").cookie, "content-type": "application/json" };
    let members = 0;
    const places: Record<string, (presented: string) => Promise<boolean>> = {
      "api token": async (presented) =>
        (await api.service.http("/api/groups", { headers: bearer(presented) })).status === 200,
      "gateway key": async (presented) => (await api.service.mcp(presented, ping)).status === 200,
      "web session": async (presented) =>
        (await api.service.http("/api/me", { headers: { cookie: `gatehouse-8080=${presented}` } })).status === 200,
      "csrf token": async (presented) => {
        const headers = { ...csrfHolder, "x-csrf-token": presented };
        const call = { method: "PATCH", headers, body: "{}" };
        return (await api.service.http("/api/settings", call)).status === 200;
      },
      invitation: async (presented) => {
        const browser = await signedInAs(api.service, "member", `m${++members}@example.com`);
        return (await browser.accept(presented)).status === 303;
      },
    };
    for (const [place, isGood] of Object.entries(places)) {
      for (const [what, presented] of Object.entries(credentials)) {
        assert.equal(await isGood(presented), place === what, `${what} as ${place}`);
      }
    }
  });

  describe("owners", () => {
    const owner = "owner@example.com";
    it("can be created, demoted, suspended, invited and deleted only by an owner (decision 0009)", async () => {
      const forbidden = { error: "Insufficient permissions: requires all" };
      const tries: [string, string, object?][] = [
        ["PATCH", "/api/users?email=member@example.com", { role: "auditor" }],
        ["PATCH", `/api/users?email=${owner}`, { role: "member" }],
        ["PATCH", `/api/users?email=${owner}`, { disabled: true }],
        ["POST", `/api/users/invite?email=${owner}`],
        ["DELETE", `/api/users?email=${owner}`],
      ];
      for (const [method, path, body] of tries) {
        const answer = await as("admin").api(method, path, body);
        assert.deepEqual([answer.status, answer.body], [403, forbidden], path);
      }
    });

    it("cannot all be removed: the last one stays", async () => {
      const message = "the last owner cannot be removed";
      const users = `/api/users?email=${owner}`;
      await api.invalid(`role: ${message}`, "PATCH", users, { role: "admin" });
      await api.invalid(`disabled: ${message}`, "PATCH", users, { disabled: true });
      await api.invalid(`email: ${message}`, "DELETE", users);
      await signedInAs(api.service, "owner", "second@example.com");
      const both = [owner, "second@example.com"].map((email) =>
        api.call("PATCH", `/api/users?email=${email}`, { role: "admin" }),
      );
      assert.deepEqual((await Promise.all(both)).map(({ status }) => status).sort(), [200, 400]);
    });
  });
});
