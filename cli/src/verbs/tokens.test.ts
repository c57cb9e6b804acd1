import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { withService } from "../../test/with-service.ts";

withService("gatehouse tokens", (world) => {
  const { shell } = world;

  it("creates a token that is shown once and limited to its scopes", async () => {
    const made = await shell.run(["tokens", "create", "CI", "--scope", "admin:read", "-o", "json"]);
    const { token, expires_at } = JSON.parse(made.stdout);
    assert.deepEqual([made.code, expires_at], [0, null]);
    assert.equal(made.stderr, "Copy the token now. It cannot be shown again.\n");
    const environment = { GATEHOUSE_TOKEN: token };
    assert.equal((await shell.run(["groups", "list"], { environment })).code, 0);
    const refused = await shell.run(["groups", "create", "X"], { environment });
    assert.deepEqual(
      [refused.code, refused.stderr],
      [3, "gatehouse: Insufficient permissions: requires admin:write\n"],
    );
  });

  it("saves a token that GATEHOUSE_TOKEN_FILE can read; --expires accepts a duration", async () => {
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

  it("rejects a missing or unknown scope", async () => {
    assert.equal((await shell.run(["tokens", "create", "X"])).code, 64);
    const wrong = await shell.run(["tokens", "create", "X", "--scope", "admin"]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /^gatehouse: --scope must be one of all, admin:read, /);
    const soon = await shell.run(["tokens", "create", "X", "--scope", "all", "--expires", "soon"]);
    assert.equal(soon.code, 64);
  });

  it("rejects a deleted token", async () => {
    const rows = JSON.parse((await shell.run(["tokens", "list", "-o", "json"])).stdout);
    const { id } = rows.find((row: { name: string }) => row.name === "Short");
    assert.equal((await shell.run(["tokens", "delete", id, "--yes"])).code, 0);
    const environment = { GATEHOUSE_TOKEN: "", GATEHOUSE_TOKEN_FILE: "short.token" };
    const { code, stderr } = await shell.run(["tokens", "list"], { environment });
    assert.equal(code, 3);
    assert.ok(stderr.startsWith(`gatehouse: ${world.service.url} rejected the API token. `), stderr);
  });
});
