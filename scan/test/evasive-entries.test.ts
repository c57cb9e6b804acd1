import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { EnforcedDevice, EVIL } from "./enforced-device.ts";
import { policyWith } from "./fake-service.ts";

const ENTRIES = [
  `"x": { "command": "npx", "args": ["good"], "url": "https://a.evil.example" }`,
  `"x": { "url": "https://good.example", "serverUrl": "https://a.evil.example" }`,
  `"x": { "type": "builtin", "url": "https://a.evil.example" }`,
  `"x": { "url": "https://a.evil.example" }, "x": { "url": "https://good.example" }`,
  `"__proto__": { "url": "https://a.evil.example" }`,
];

describe("an entry with several commands and URLs", () => {
  const device = new EnforcedDevice();

  for (const entry of ENTRIES) {
    it(`is removed and restored if one of them is blocked: ${entry}`, async () => {
      const text = `{ "mcpServers": { ${entry}, "y": { "url": "https://good.example" } } } // end\n`;
      writeFileSync(device.config, text);
      assert.deepEqual(
        (await device.enforce()).map(({ result, reason }) => [result, reason]),
        [["quarantined", undefined]],
      );
      assert.doesNotMatch(readFileSync(device.config, "utf8"), /evil/);
      device.allowAll();
      await device.enforce();
      assert.equal(readFileSync(device.config, "utf8"), text);
    });
  }

  it("stays in quarantine until all of them are allowed, and its URLs stay in the report", async () => {
    const text = `{ "mcpServers": { "x": { "url": "https://a.evil.example", "httpUrl": "https://b.evil.example" } } }\n`;
    writeFileSync(device.config, text);
    await device.enforce();
    const edited = readFileSync(device.config, "utf8");
    await device.run("report");
    assert.deepEqual(device.service.reports[0]?.mcp_servers.map(({ url, quarantined }) => [url, quarantined]).sort(), [
      ["https://a.evil.example", true],
      ["https://b.evil.example", true],
    ]);
    device.service.policy = policyWith([{ match: { host: ["b.evil.example"] } }], { version: 2 });
    assert.deepEqual(await device.enforce(), []);
    assert.equal(readFileSync(device.config, "utf8"), edited);
    device.service.policy = policyWith([], { version: 3 });
    await device.enforce();
    assert.equal(readFileSync(device.config, "utf8"), text);
    device.service.policy = policyWith([EVIL], { version: 4 });
    assert.equal((await device.enforce()).length, 2);
  });

  it("is restored with an earlier entry of the same name into a file that changed", async () => {
    const text = `{ "mcpServers": { "x": { "url": "https://a.evil.example" } }, "mcpServers": { "y": { "url": "https://ok" } } }\n`;
    writeFileSync(device.config, text);
    await device.enforce();
    assert.doesNotMatch(readFileSync(device.config, "utf8"), /evil/);
    writeFileSync(device.config, `${readFileSync(device.config, "utf8")}// changed\n`);
    device.allowAll();
    await device.enforce();
    assert.match(readFileSync(device.config, "utf8"), /a\.evil\.example/);
  });

  it("is removed and restored if a script or an option of it runs a blocked package", async () => {
    device.service.policy = policyWith([{ match: { package: ["npm:@evil/*", "pypi:evil"] } }]);
    for (const entry of [
      `"x": { "command": "bash", "args": ["-lc", "cd ~ && npx -y @evil/x"] }`,
      `"x": { "command": "uvx", "args": ["--with", "evil", "good"] }`,
      `"x": { "command": "npm --package=@evil/x exec good" }`,
    ]) {
      const text = `{ "mcpServers": { ${entry}, "y": { "command": "npx", "args": ["good"] } } } // end\n`;
      writeFileSync(device.config, text);
      assert.deepEqual(
        (await device.enforce()).map(({ name, result }) => [name, result]),
        [["x", "quarantined"]],
        entry,
      );
      assert.doesNotMatch(readFileSync(device.config, "utf8"), /evil/);
      const { policy } = device.service;
      device.allowAll();
      await device.enforce();
      assert.equal(readFileSync(device.config, "utf8"), text);
      device.service.policy = policy;
    }
  });
});
