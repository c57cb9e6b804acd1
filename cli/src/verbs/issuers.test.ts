import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { startTokenIssuer, type TokenIssuer } from "#test/token-issuer";
import { withService } from "../../test/with-service.ts";

withService("gatehouse issuers", (world) => {
  const { shell } = world;
  let idp: TokenIssuer;
  before(async () => {
    idp = await startTokenIssuer();
  });
  after(() => idp.close());
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await shell.run(["issuers", ...args]);
    assert.equal(code, 0, stderr);
    return stdout;
  };

  it("creates, tests, updates and deletes a trusted issuer", async () => {
    await shell.run(["users", "create", "CI", "--machine"]);
    const machine = ["--machine-user", "ci@machine.example.com"];
    const rules = ["--audience", "gatehouse", "--condition", "repository=acme/*", "--no-require-api-key"];
    await run("create", "CI jobs", "--issuer", idp.issuer, ...rules, ...machine);
    assert.match(await run("list"), /ci-jobs +CI jobs +(?:yes|true) +http:.* +gatehouse +ci@machine\.example\.com/);
    const token = await idp.sign({ sub: "repo:acme/app", repository: "acme/app" });
    writeFileSync(join(shell.folder, "token.jwt"), token);
    assert.match(await run("test", "ci-jobs", "--token-file", "token.jwt"), /signature +ok/);
    writeFileSync(join(shell.folder, "bad.jwt"), await idp.sign({ sub: "x", repository: "evil/app" }));
    const bad = await shell.run(["issuers", "test", "ci-jobs", "--token-file", "bad.jwt"]);
    assert.equal(bad.code, 1);
    assert.match(bad.stdout, /conditions\.0 +failed +repository matches acme\/\*: repository is evil\/app/);
    assert.equal(await run("credentials", "-o", "json"), "[]\n");
    await run("update", "ci-jobs", "--no-enabled");
    assert.equal(JSON.parse(await run("get", "ci-jobs", "-o", "json")).enabled, false);
    await run("delete", "ci-jobs", "--yes");
    assert.equal(await run("list", "-o", "json"), "[]\n");
  });

  it("rejects wrong usage", async () => {
    for (const args of [
      ["create", "x"],
      ["create", "x", "--issuer", idp.issuer],
      ["create", "x", "--issuer", idp.issuer, "--audience", "a", "--condition", "nothing"],
      ["create", "x", "--issuer", idp.issuer, "--audience", "a", "--machine-user", "a", "--claim", "sub"],
      ["update", "x"],
    ]) {
      assert.equal((await shell.run(["issuers", ...args])).code, 64, args.join(" "));
    }
  });
});
