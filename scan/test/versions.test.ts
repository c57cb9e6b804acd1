import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { EnforcedDevice } from "./enforced-device.ts";
import { policyWith } from "./fake-service.ts";

const BLOCKED = ["pkg-a", "pkg-b", "pkg-c", "pkg-d", "pkg-e"];

describe("versions of an entry in quarantine", () => {
  const device = new EnforcedDevice();

  const configure = (entries: Record<string, string>) => {
    const servers = Object.entries(entries).map(([name, key]) => [
      name,
      { url: `https://${key}.example`, env: { key } },
    ]);
    writeFileSync(device.config, JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
  };
  const configured = (): unknown => {
    const { mcpServers } = JSON.parse(readFileSync(device.config, "utf8"));
    return Object.fromEntries(
      Object.entries<{ env: { key: string } }>(mcpServers).map(([name, { env }]) => [name, env.key]),
    );
  };
  const block = (...packages: string[]) => {
    const rules = packages.map((name) => ({ match: { host: [`${name}.example`] } }));
    device.service.policy = policyWith(rules, { version: device.service.policy.version + 1 });
  };
  const quarantineEach = async (...packages: string[]) => {
    block(...BLOCKED);
    for (const name of packages) {
      configure({ good: "good", evil: name });
      await device.run("enforce");
    }
  };
  const listed = async () => (await device.run("restore")).stdout.trim().split("\n");

  // The order of IDs is different for different packages.
  for (const packages of [["pkg-a", "pkg-b"], ["pkg-b", "pkg-a"], BLOCKED]) {
    it(`restores the newest of ${packages.join(", ")}, and keeps the others`, async () => {
      await quarantineEach(...packages);
      configure({ good: "changed" });
      block();
      const results = await device.enforce();
      const failed = results.filter(({ result }) => result === "failed");
      assert.deepEqual(configured(), { good: "changed", evil: packages.at(-1) });
      assert.equal(results.length - failed.length, 1);
      assert.match(
        failed[0]?.reason ?? "",
        /^the file has another entry with this name, so this one stays in quarantine/,
      );
      assert.equal((await listed()).length, packages.length - 1);
    });
  }

  it("restores an older one by its ID", async () => {
    await quarantineEach("pkg-a");
    const [older = ""] = await listed();
    await quarantineEach("pkg-b");
    assert.equal((await device.run("restore", older.split(" ")[0] ?? "")).code, 0);
    assert.deepEqual(configured(), { good: "good", evil: "pkg-a" });
    assert.equal((await listed()).length, 1);
  });

  it("restores the newest although the policy still blocks an older one", async () => {
    await quarantineEach("pkg-a", "pkg-b");
    block("pkg-a");
    await device.enforce();
    assert.deepEqual(configured(), { good: "good", evil: "pkg-b" });
    assert.equal((await listed()).length, 1);
  });

  it("keeps one that the user replaced by an allowed entry", async () => {
    await quarantineEach("pkg-a");
    configure({ evil: "allowed" });
    const { code } = await device.run("restore", "--all");
    assert.equal(code, 1);
    assert.deepEqual(configured(), { evil: "allowed" });
    configure({ renamed: "allowed" });
    assert.equal((await device.run("restore", "--all")).code, 0);
    assert.deepEqual(configured(), { renamed: "allowed", evil: "pkg-a" });
  });

  it("keeps a restored entry of an earlier content of the file when others are restored", async () => {
    block("pkg-a", "pkg-b");
    configure({ one: "pkg-a", good: "good" });
    await device.run("enforce");
    configure({ good: "good", two: "pkg-b" });
    await device.run("enforce");
    for (const packages of [["pkg-b"], []]) {
      block(...packages);
      await device.enforce();
    }
    assert.deepEqual(configured(), { good: "good", one: "pkg-a", two: "pkg-b" });
  });
});
