import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { withService } from "../../test/with-service.ts";

withService("gatehouse tokens", (world) => {
  const { shell } = world;

  it("create shows the token once; it can do what its scopes say and no more", async () => {
    const made = await shell.run(["tokens", "create", "CI", "--scope", "admin:read", "-o", "json"]);
    const { token, expires_at } = JSON.parse(made.stdout);
    assert.deepEqual([made.code, expires_at], [0, null]);
    assert.equal(made.stderr, "The token is shown this once: put it away now.\n");
    const environment = { GATEHOUSE_TOKEN: token };
    assert.equal((await shell.run(["groups", "list"], { environment })).code, 0);
    const refused = await shell.run(["groups", "create", "X"], { environment });
    assert.deepEqual(
      [refused.code, refused.stderr],
      [3, "gatehouse: Insufficient permissions: requires admin:write\n"],
    );
  });

  it("create --save-to and GATEHOUSE_TOKEN_FILE fit each other; --expires takes a span", async () => {
    const args = ["tokens", "create", "Short", "--scope", "admin:read", "--scope", "connect:read", "--expires", "90d"];
    const made = await shell.run([...args, "--save-to", "short.token", "-o", "json"]);
    const { scopes, expires_at, token } = JSON.parse(made.stdout);
    assert.deepEqual([scopes, token], [["admin:read", "connect:read"], undefined]);
    const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
    assert.ok(days > 89 && days <= 90, expires_at);
    assert.ok(!made.stdout.includes(readFileSync(join(shell.folder, "short.token"), "utf8").trim()));
    const environment = { GATEHOUSE_TOKEN: "", GATEHOUSE_TOKEN_FILE: "short.token" };
    assert.equal((await shell.run(["tokens", "list"], { environment })).code, 0);
  });

  it("create without or with a wrong scope says so", async () => {
    assert.equal((await shell.run(["tokens", "create", "X"])).code, 64);
    const wrong = await shell.run(["tokens", "create", "X", "--scope", "admin"]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /^gatehouse: scopes\.0: must be one of all, admin:read, /);
    const soon = await shell.run(["tokens", "create", "X", "--scope", "all", "--expires", "soon"]);
    assert.equal(soon.code, 64);
  });

  it("delete ends a token", async () => {
    const rows = JSON.parse((await shell.run(["tokens", "list", "-o", "json"])).stdout);
    const { id } = rows.find((row: { name: string }) => row.name === "Short");
    assert.equal((await shell.run(["tokens", "delete", id, "--yes"])).code, 0);
    const environment = { GATEHOUSE_TOKEN: "", GATEHOUSE_TOKEN_FILE: "short.token" };
    const { code, stderr } = await shell.run(["tokens", "list"], { environment });
    assert.deepEqual([code, stderr], [3, `gatehouse: ${world.service.url} does not accept the API token\n`]);
  });
});
