import assert from "node:assert/strict";
import { it } from "node:test";
import { withService } from "../../test/with-service.ts";

withService("gatehouse provisioning", ({ shell }) => {
  const run = (...args: string[]) => shell.run(["provisioning", ...args]);

  it("shows the status", async () => {
    const { code, stdout, stderr } = await run("status", "-o", "json");
    assert.equal(code, 0, stderr);
    const status = JSON.parse(stdout);
    assert.match(status.scim_url, /\/scim\/v2$/);
    assert.deepEqual([status.users_count, status.groups_count, status.last_request], [0, 0, null]);
  });

  it("detaches people, groups, or all of them, which needs a confirmation", async () => {
    assert.equal((await run("detach")).code, 64);
    assert.notEqual((await run("detach", "--user", "missing@example.com")).code, 0);
    const all = await run("detach", "--all", "--yes", "-o", "json");
    assert.equal(all.code, 0, all.stderr);
    assert.deepEqual(JSON.parse(all.stdout), { users_count: 0, groups_count: 0 });
  });
});
