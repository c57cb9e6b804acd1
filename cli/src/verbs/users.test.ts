import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { signedInAs } from "#test/browser";
import { createPerson } from "#test/factories";
import { withService } from "../../test/with-service.ts";

withService("gatehouse users", (world) => {
  const { shell } = world;
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const works = async (key: string) => (await world.service.mcp(key, list)).status === 200;

  it("creates a machine user, and prints its access key once, with a warning", async () => {
    const { code, stdout, stderr } = await shell.run(["users", "create", "Build bot", "--machine", "-o", "json"]);
    const { email, credentials } = JSON.parse(stdout);
    assert.deepEqual([code, email], [0, "build-bot@machine.example.com"]);
    assert.equal(stderr, `Created user \`${email}\`.\nCopy the secret now. It is shown only once.\n`);
    assert.equal(await works(`${credentials.client_id}:${credentials.secret}`), true);
  });

  it("--save-to writes the access key to a new file with mode 0600 and does not print it", async () => {
    const made = await shell.run(["users", "create", "Deploy bot", "--machine", "--save-to", "bot.key"]);
    const path = join(shell.folder, "bot.key");
    const key = readFileSync(path, "utf8").trim();
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(await works(key), true);
    const secret = key.split(":")[1] ?? "";
    assert.ok(secret.length > 20 && !`${made.stdout}${made.stderr}`.includes(secret));

    const again = await shell.run(["users", "create", "Third bot", "--machine", "--save-to", "bot.key"]);
    assert.equal(again.code, 64);
    assert.match(again.stderr, /^gatehouse: bot\.key already exists\. Pass --save-to with another file\n/);
    assert.equal(readFileSync(path, "utf8").trim(), key);
    const { body } = await world.service.api("GET", "/api/users?search=third");
    assert.equal(body.data.length, 0, "no user was created");
  });

  it("prints an invitation link once, or saves it", async () => {
    await shell.run(["users", "create", "Eve", "--email", "eve@example.com"]);
    const shown = await shell.run(["users", "invite", "eve@example.com", "-o", "json"]);
    assert.match(JSON.parse(shown.stdout).invite_url, /\/invite#/);
    const saved = await shell.run(["users", "invite", "eve@example.com", "--save-to", "eve.link", "-o", "json"]);
    assert.equal(JSON.parse(saved.stdout).invite_url, undefined);
    assert.match(readFileSync(join(shell.folder, "eve.link"), "utf8"), /\/invite#.*\n$/);
    assert.equal((await shell.run(["users", "invite", "nobody@example.com"])).code, 4);
  });

  it("asks before it creates a link that resets an account", async () => {
    await signedInAs(world.service, "member", "ida@example.com");
    const asked = await shell.run(["users", "invite", "IDA@example.com"]);
    assert.deepEqual([asked.code, asked.stdout], [64, ""]);
    const made = await shell.run(["users", "invite", "IDA@example.com", "--yes", "-o", "json"]);
    assert.equal(JSON.parse(made.stdout).resets_account, true);
  });

  it("removes the --save-to file if the request fails", async () => {
    const args = ["users", "create", "Bot", "--machine", "--slug", "NO", "--save-to", "none.key"];
    const { code, stderr } = await shell.run(args);
    assert.equal(code, 1);
    assert.match(stderr, /^gatehouse: --slug must contain only /);
    assert.equal(existsSync(join(shell.folder, "none.key")), false);
  });

  it("creates and updates people, and reports API errors with the names of options", async () => {
    const made = await shell.run(["users", "create", "Ada", "--email", "ada@example.com", "-o", "json"]);
    const ada = JSON.parse(made.stdout);
    assert.deepEqual([made.code, made.stderr, ada.credentials], [0, "Created user `ada@example.com`.\n", undefined]);
    const taken = await shell.run(["users", "create", "Ada", "--email", "ADA@example.com"]);
    assert.deepEqual([taken.code, taken.stderr], [1, "gatehouse: --email: user with this email already exists\n"]);
    const scored = await shell.run(["users", "update", "ada@example.com", "--risk", "20", "-o", "json"]);
    assert.equal(JSON.parse(scored.stdout).risk_score, 20);
    const cleared = await shell.run(["users", "update", "ada@example.com", "--risk", "none", "-o", "json"]);
    assert.equal(JSON.parse(cleared.stdout).risk_score, null);
    const bot = ["users", "update", "build-bot@machine.example.com", "-o", "json"];
    assert.deepEqual(JSON.parse((await shell.run([...bot, "--owner", ada.id])).stdout).owner_ids, [ada.id]);
    assert.deepEqual(JSON.parse((await shell.run([...bot, "--no-owners"])).stdout).owner_ids, []);
  });

  it("disables and enables a user, and changes a role", async () => {
    const ada = ["users", "update", "ada@example.com", "-o", "json"];
    const { disabled, role } = JSON.parse((await shell.run([...ada, "--disabled", "--role", "admin"])).stdout);
    assert.deepEqual([disabled, role], [true, "admin"]);
    assert.equal(JSON.parse((await shell.run([...ada, "--no-disabled"])).stdout).disabled, false);
  });

  it("rotates a secret, and keeps the old one valid until the overlap ends", async () => {
    const old = readFileSync(join(shell.folder, "bot.key"), "utf8").trim();
    const rotate = ["users", "rotate-secret", "deploy-bot@machine.example.com", "--yes", "--save-to"];
    const { code, stderr } = await shell.run([...rotate, "second.key", "--overlap", "1h"]);
    assert.deepEqual([code, stderr], [0, "Saved the access key of deploy-bot@machine.example.com to second.key.\n"]);
    const second = readFileSync(join(shell.folder, "second.key"), "utf8").trim();
    assert.deepEqual([await works(old), await works(second)], [true, true]);
    await shell.run([...rotate, "third.key"]);
    assert.deepEqual([await works(old), await works(second)], [false, false]);
    for (const overlap of ["long", "8d"]) {
      assert.equal((await shell.run([...rotate, "fourth.key", "--overlap", overlap])).code, 64);
    }
    assert.equal((await shell.run(["users", "rotate-secret", "deploy-bot@machine.example.com"])).code, 64);
  });

  it("sets and removes the OAuth client of a machine user, with the secret from a file", async () => {
    await shell.run(["users", "create", "Client bot", "--machine"]);
    const email = "client-bot@machine.example.com";
    const shown = async () => {
      const { body } = await world.service.api("GET", `/api/users?search=${email}&include_details=true`);
      return body.data[0].client_credentials;
    };
    writeFileSync(join(shell.folder, "client.secret"), "s3cr3t-of-client\n");
    const fields = ["--client-id", "bot", "--client-secret-file", "client.secret"];
    const partial = await shell.run(["users", "set-client", email, ...fields, "--yes"]);
    assert.equal(partial.code, 64);
    assert.match(partial.stderr, /Pass --client-id, --client-secret-file, and --token-url, or --remove\./);
    const invalid = await shell.run(["users", "set-client", email, ...fields, "--token-url", "x", "--yes"]);
    assert.match(invalid.stderr, /--token-url must be a valid http or https URL/);
    const url = "https://idp.example.com/token";
    const set = await shell.run(["users", "set-client", email, ...fields, "--token-url", url, "--yes"]);
    assert.deepEqual([set.code, set.stderr], [0, `Set the OAuth client of ${email}.\n`]);
    assert.deepEqual(await shown(), { client_id: "bot", token_url: url });
    const both = await shell.run(["users", "set-client", email, "--remove", "--token-url", url, "--yes"]);
    assert.equal(both.code, 64);
    assert.equal((await shell.run(["users", "set-client", email, "--remove"])).code, 64, "it asks first");
    assert.equal((await shell.run(["users", "set-client", email, "--remove", "--yes"])).code, 0);
    assert.equal(await shown(), null);
  });

  it("shows one user without credentials", async () => {
    await createPerson(world.service, "Grace", "grace@example.com");
    const { stdout } = await shell.run(["users", "get", "GRACE@example.com", "-o", "json"]);
    const [listed] = (await world.service.api("GET", "/api/users?search=grace")).body.data;
    assert.deepEqual(JSON.parse(stdout), listed);
    const unknown = await shell.run(["users", "get", "nobody@example.com"]);
    assert.deepEqual([unknown.code, unknown.stderr], [4, "gatehouse: User not found: nobody@example.com\n"]);
    await world.service.api("DELETE", "/api/users?email=grace@example.com");
  });

  it("lists and deletes users", async () => {
    const { stdout } = await shell.run(["users", "list", "--search", "ada"]);
    assert.match(stdout, /^EMAIL .*\nada@example\.com +Ada +person +\w+ +0 +- +no +usr_\w+\n$/);
    assert.equal((await shell.run(["users", "delete", "ada@example.com", "--yes"])).code, 0);
    const gone = await shell.run(["users", "delete", "ada@example.com", "--yes"]);
    assert.deepEqual([gone.code, gone.stderr], [4, "gatehouse: User not found: ada@example.com\n"]);
  });
});
