import assert from "node:assert/strict";
import { before, it } from "node:test";
import { withService } from "../../test/with-service.ts";

withService("gatehouse callers", ({ shell }) => {
  before(async () => {
    await shell.run(["users", "create", "Ada", "--email", "ada@example.com"]);
    await shell.run(["servers", "create", "Wiki"]);
  });

  it("lists users with the reason, and says what blocks the server", async () => {
    const { code, stdout, stderr } = await shell.run(["callers", "wiki"]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^EMAIL +ACCESS +GROUPS +REASON\nada@example.com +refused +- +No group gives the user access/);
    assert.match(stderr, /^No user can call it\. Set the server's upstream/);
  });

  it("accepts the gateway name of a tool and a verdict", async () => {
    const { stdout, stderr } = await shell.run(["callers", "wiki__search", "--verdict", "allowed"]);
    assert.deepEqual([stdout, stderr.split("\n")[0]], ["", "No users match."]);
  });

  it("exits with 4 for an unknown server", async () => {
    assert.equal((await shell.run(["callers", "nowhere"])).code, 4);
  });
});
