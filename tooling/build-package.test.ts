import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);
/** The Node of the project, also for npm. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };

interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

describe("the package", () => {
  let folder = "";
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "gatehouse-package-"));
    const build = [join(ROOT, "tooling/build-package.mjs"), folder];
    const { stdout } = await run(process.execPath, ["--disable-warning=ExperimentalWarning", ...build], { env });
    const tarball = stdout.trim().split("\n").at(-1) ?? "";
    const install = ["install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
    await run("npm", [...install, tarball], { cwd: folder, env });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const inPackage = (path: string) => join(folder, "node_modules/gatehouse", path);
  const gatehouse = () => inPackage("bin/gatehouse.mjs");

  it("installs only what runs, in the versions of the lock file", () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
    const locked = Object.entries<Locked>(packages).filter(
      ([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional,
    );
    assert.ok(locked.length > 50);
    for (const [path, { version }] of locked) {
      const places = [join(folder, path), inPackage(path)];
      const place = places.find((each) => existsSync(join(each, "package.json")));
      assert.ok(place, `${path} is missing`);
      assert.equal(JSON.parse(readFileSync(join(place, "package.json"), "utf8")).version, version, path);
    }
    assert.ok(!existsSync(join(folder, "node_modules/vite")));
  });

  it("contains no types, no tests, and no other file than the installation needs", () => {
    const files = readdirSync(inPackage("."), { recursive: true, encoding: "utf8" });
    assert.deepEqual(
      files.filter((path) => /(?<!\.d)\.ts$|\.test\.|\.long\./.test(path)),
      [],
    );
    assert.deepEqual(
      readdirSync(inPackage(".")).filter((name) => name !== "node_modules"),
      [
        ...["CHANGELOG.md", "LICENSE", "README.md", "bin", "cli", "deploy", "docs", "npm-shrinkwrap.json"],
        ...["openapi", "package.json", "policy", "scan", "server", "web"],
      ],
    );
  });

  it("prints its version, and rejects a wrong command", async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    assert.equal((await run(process.execPath, [gatehouse(), "--version"], { env })).stdout.trim(), version);
    await assert.rejects(run(process.execPath, [gatehouse(), "srve"], { env }), /serve/);
  });

  it("serves the gateway, the API and the app", async () => {
    const settings = { PORT: "0", DATA_DIR: join(folder, "data"), REGISTRY_SYNC: "off", LOG_LEVEL: "info" };
    const service = spawn(process.execPath, [gatehouse(), "serve"], { env: { ...env, ...settings } });
    try {
      const url = await new Promise<string>((resolve, reject) => {
        service.once("exit", (code) => reject(new Error(`exited with ${code}`)));
        createInterface({ input: service.stdout }).on("line", (line) => {
          const found = /running at (http:\S+)/.exec(line)?.[1];
          if (found !== undefined) resolve(found);
        });
      });
      const token = readFileSync(join(folder, "data/admin-token"), "utf8").trim();
      const statusOf = async (path: string, init: RequestInit = {}) =>
        (await fetch(`${url}${path}`, { redirect: "manual", ...init })).status;
      assert.equal(await statusOf("/readyz"), 200);
      assert.equal(await statusOf("/mcp", { method: "POST" }), 401);
      assert.equal(await statusOf("/api/mcp-servers", { headers: { authorization: `Bearer ${token}` } }), 200);
      assert.equal(await statusOf("/sign-in"), 200);
    } finally {
      service.kill("SIGKILL");
      if (service.exitCode === null && service.signalCode === null) await once(service, "exit");
    }
  });
});
