import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SOURCES = ["bin", "server/src", "cli/src", "policy", "openapi", "tooling", "package.json", "package-lock.json"];

describe("the bundled service", () => {
  let folder = "";
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "gatehouse-bundle-"));
    for (const path of SOURCES) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const build = () =>
    spawnSync(process.execPath, ["tooling/build-server.mjs", "--if-needed"], { cwd: folder, encoding: "utf8" });
  const bundle = () => join(folder, "dist/bin/gatehouse.mjs");
  const run = (...args: string[]) => spawnSync(process.execPath, [bundle(), ...args], { encoding: "utf8" });

  it("is built for the first start, and again after a change", () => {
    assert.match(build().stderr, /^Bundled the service in /);
    const builtAt = statSync(bundle()).mtimeMs;
    assert.equal(build().stderr, "");
    assert.equal(statSync(bundle()).mtimeMs, builtAt);
    appendFileSync(join(folder, "server/src/lib/version.ts"), "\n// changed\n");
    assert.match(build().stderr, /^Bundled the service in /);
    assert.match(run("--help").stdout, /serve/);
  });

  it("keeps the previous build, because a service that still runs loads parts of it on first use", () => {
    const builds = () => readdirSync(join(folder, "dist/bin")).filter((name) => !name.includes("."));
    const before = builds();
    appendFileSync(join(folder, "server/src/lib/version.ts"), "\n// changed again\n");
    assert.match(build().stderr, /^Bundled the service in /);
    const after = builds();
    assert.equal(after.length, 2);
    assert.equal(after.filter((name) => before.includes(name)).length, 1);
    assert.match(readFileSync(bundle(), "utf8"), new RegExp(after.find((name) => !before.includes(name)) ?? "-"));
  });

  it("has only ASCII, because V8 would keep the text of a file with two bytes per character", () => {
    const files = readdirSync(join(folder, "dist/bin"), { recursive: true, encoding: "utf8" });
    for (const name of files.filter((each) => each.endsWith(".mjs")))
      assert.ok(/^\p{ASCII}*$/u.test(readFileSync(join(folder, "dist/bin", name), "utf8")), name);
  });

  it("is replaced by the sources if it cannot be built", () => {
    appendFileSync(join(folder, "server/src/commands/compact.ts"), "\nconst = 1;\n");
    const failed = build();
    assert.equal(failed.status, 0);
    assert.match(failed.stderr, /^The service could not be bundled: /);
    assert.match(failed.stderr, /Gatehouse starts from its sources/);
    assert.match(run("--help").stdout, /serve/);
    assert.match(build().stderr, /could not be bundled/, "it tries again");
  });
});
