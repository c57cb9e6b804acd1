import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

const SCRIPT = new URL("build-web.mjs", import.meta.url).pathname;

describe("building the admin app before a start", () => {
  const root = mkdtempSync(join(tmpdir(), "gatehouse-web-"));
  const write = (path: string, text: string) => writeFileSync(join(root, path), text);
  const run = (...options: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, root, ...options], { encoding: "utf8" });
    return { status, stderr };
  };
  const listed = () => JSON.parse(readFileSync(join(root, "web/dist/build.json"), "utf8"));
  before(() => {
    for (const folder of ["web/src", "openapi", "tooling"]) mkdirSync(join(root, folder), { recursive: true });
    write("web/vite.config.ts", "export default { root: import.meta.dirname };");
    write(
      "web/index.html",
      '<html><head></head><body><script type="module" src="/src/main.js"></script></body></html>',
    );
    write("web/src/main.js", `document.body.textContent = ${JSON.stringify("words ".repeat(500))};`);
    write("package-lock.json", "{}");
    write("tooling/build-web.mjs", "");
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it("builds a missing app, lists every file, and compresses large files", () => {
    const { status, stderr } = run("--if-needed");
    assert.deepEqual([status, /Built the admin app in/.test(stderr)], [0, true], stderr);
    const { files } = listed();
    const [script = ""] = Object.keys(files).filter((name) => name.startsWith("assets/"));
    assert.deepEqual(Object.keys(files).sort(), [script, "index.html"]);
    assert.deepEqual([files[script].gzip, files["index.html"].gzip], [true, false]);
    assert.ok(readdirSync(join(root, "web/dist/assets")).includes(`${script.slice("assets/".length)}.gz`));
  });

  it("builds the same files from the same sources (SUP-4)", () => {
    assert.equal(run().status, 0);
    const first = listed();
    assert.equal(run().status, 0);
    assert.deepEqual(listed(), first);
  });

  it("does nothing if nothing changed, and builds again if a source or the lock file changed", () => {
    assert.deepEqual(run("--if-needed"), { status: 0, stderr: "" });
    const before = listed().sources;
    write("package-lock.json", "{ }");
    assert.match(run("--if-needed").stderr, /Built/);
    assert.notEqual(listed().sources, before);
  });

  it("keeps the previous build if a build fails, and fails only without --if-needed", () => {
    const before = listed();
    write("web/src/main.js", "this is no script");
    const started = run("--if-needed");
    assert.deepEqual(
      [started.status, /could not be built: .*Gatehouse starts with the one/s.test(started.stderr)],
      [0, true],
    );
    assert.deepEqual(listed(), before);
    assert.equal(run().status, 1);
    assert.deepEqual(readdirSync(join(root, "node_modules/.cache")), []);
  });
});
