import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Browser } from "#test/browser";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { GOOD_PASSWORD } from "#test/passwords";
import { type Service, startService } from "#test/start-service";

describe("sign-in pages", () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestSqlite();
  });
  after(() => database.close());

  const at = async (baseUrl: string, use: (service: Service) => Promise<void>) => {
    const service = await startService(database, { config: { baseUrl } });
    try {
      await use(service);
    } finally {
      await service.close();
    }
  };

  it("set __Host- cookies and HSTS over HTTPS (WEB-5)", async () => {
    await at("https://gatehouse.example.com", async (service) => {
      const browser = new Browser(service);
      const page = await browser.get("/setup-link");
      assert.equal(page.headers["strict-transport-security"], "max-age=31536000");
      const owner = {
        code: String(service.setupToken),
        name: "Ada",
        email: "ada@example.com",
        password: GOOD_PASSWORD,
      };
      const { headers } = await browser.submit("/setup-link", owner);
      assert.match(
        String(headers["set-cookie"]),
        /^__Host-gatehouse=gh_ws_\w+; Path=\/; HttpOnly; SameSite=Lax; Secure;/,
      );
      assert.equal((await browser.api("GET", "/api/me")).body.data.role, "owner");
      browser.cookies.set("gatehouse", String(browser.cookies.get("__Host-gatehouse")));
      browser.cookies.delete("__Host-gatehouse");
      assert.equal((await browser.api("GET", "/api/me")).status, 401);
    });
  });

  it("require HTTPS except on the same machine", async () => {
    await at("http://gatehouse.example.com:8080", async (service) => {
      for (const path of ["/sign-in", "/setup-link", "/invite", "/account", "/sso"]) {
        const { status, text } = await service.http(path);
        assert.deepEqual([status, text.includes("HTTPS required"), text.includes("<form")], [400, true, false], path);
      }
    });
  });
});
