import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { forEachApi } from "#test/api";
import { Browser, signedInAs } from "#test/browser";

const ADA = "ada@example.com";
const URL = `/api/users/sessions?email=${ADA}`;

forEachApi("/api/users/sessions", (api) => {
  let ada: Browser;
  const isSignedIn = async (browser: Browser) => (await browser.api("GET", "/api/me")).status === 200;
  beforeEach(async () => {
    await api.db.deleteFrom("users").execute();
    await api.db.deleteFrom("sign_in_attempts").execute();
    ada = await signedInAs(api.service, "member", ADA);
  });

  it("200 lists a person's web sessions, and ends one or all", async () => {
    const second = new Browser(api.service);
    await second.signIn(ADA);
    const { data } = (await api.call("GET", "/api/users/sessions?email=ADA@example.com")).body;
    assert.deepEqual(data.map((row: Record<string, unknown>) => [row.method, row.current]).sort(), [
      ["invitation", false],
      ["password", false],
    ]);
    const { id } = data.find((row: { method: string }) => row.method === "password");
    const [row] = await api.auditOf(() =>
      api.expect(200, { message: "Signed out successfully" }, "DELETE", `${URL}&id=${id}`),
    );
    assert.deepEqual([row?.operation, row?.before], ["endUserSessions", { web_session_id: id }]);
    assert.deepEqual([await isSignedIn(second), await isSignedIn(ada)], [false, true]);
    await api.expect(404, { error: "Session not found" }, "DELETE", `${URL}&id=${id}`);
    await api.expect(200, { message: "Signed out successfully" }, "DELETE", URL);
    assert.equal(await isSignedIn(ada), false);
    assert.deepEqual((await api.call("GET", URL)).body, { data: [] });
  });

  it("marks the current session, and lets only owners sign out admins", async () => {
    const admin = await signedInAs(api.service, "admin");
    const own = (await admin.api("GET", "/api/users/sessions?email=admin@example.com")).body.data;
    assert.equal(own[0].current, true);
    assert.equal((await admin.api("DELETE", "/api/users/sessions?email=admin@example.com")).status, 403);
    assert.equal((await admin.api("DELETE", URL)).status, 200);
    assert.deepEqual([await isSignedIn(ada), await isSignedIn(admin)], [false, true]);
  });

  it("404 for another user's web session, and for an unknown email", async () => {
    const { data } = (await ada.api("GET", "/api/me")).body;
    await signedInAs(api.service, "member", "eve@example.com");
    const foreign = `/api/users/sessions?email=eve@example.com&id=${data.web_session_id}`;
    await api.expect(404, { error: "Session not found" }, "DELETE", foreign);
    assert.equal((await api.call("GET", "/api/users/sessions?email=nobody@example.com")).status, 404);
    assert.equal(await isSignedIn(ada), true);
  });
});
