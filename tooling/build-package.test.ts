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

interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
}

/** Licenses that allow redistribution without conditions on our source. */
const ALLOWED_LICENSES = new Set([
  ...["MIT", "MIT-0", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD", "BlueOak-1.0.0"],
]);

describe("the package", () => {
  let folder = "";
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "gatehouse-package-"));
    const build = [join(ROOT, "tooling/build-package.mjs"), folder];
    const { stdout } = await run(process.execPath, ["--disable-warning=ExperimentalWarning", ...build], { env });
    const tarball = stdout.trim().split("\n").at(-1) ?? "";
    const install = ["install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--offline"];
    await run("npm", [...install, tarball], { cwd: folder, env });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const inPackage = (path: string) => join(folder, "node_modules/gatehouse", path);
  const gatehouse = () => inPackage("bin/gatehouse.mjs");
  const components = (): Component[] => JSON.parse(readFileSync(inPackage("sbom.json"), "utf8")).components;

  it("has no dependencies, and lists what the service and the app contain", () => {
    assert.equal(JSON.parse(readFileSync(inPackage("package.json"), "utf8")).dependencies, undefined);
    const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
    const locked = Object.entries<Locked>(packages);
    const production = locked.filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional);
    assert.ok(production.length > 50);
    const inApp = locked.filter(([path]) => /^node_modules\/(?:react|react-dom|@mantine\/core|uplot)$/.test(path));
    assert.equal(inApp.length, 4);
    const expected = [...production, ...inApp];
    const refs = new Set(components().map((component) => `node_modules/${component["bom-ref"]}`));
    assert.deepEqual(
      expected.filter(([path]) => !refs.has(path)),
      [],
    );
    // Tools are not in the package.
    assert.equal(refs.has("node_modules/vite"), false);
    const licenses = readFileSync(inPackage("THIRD-PARTY-LICENSES.txt"), "utf8");
    for (const [path, { version }] of expected.filter(([each]) => existsSync(join(ROOT, each)))) {
      assert.ok(licenses.includes(`${path.replace(/^.*node_modules\//, "")} ${version}, `), path);
    }
    assert.match(licenses, /Permission is hereby granted/);
  });

  it("contains only packages with a hash and an allowed license (SUP-4)", () => {
    for (const { name, licenses, hashes } of components()) {
      // Of alternatives, one that is allowed suffices.
      const ids = licenses.flatMap(({ license, expression = license?.id ?? "" }) => expression.split(/[() ]|OR/));
      assert.ok(licenses.length === 1 && ids.some((id) => ALLOWED_LICENSES.has(id)), name);
      assert.match(`${hashes[0]?.alg} ${hashes[0]?.content}`, /^SHA-512 [0-9a-f]{128}$/, name);
    }
  });

  it("contains no types, no tests, and no other file than the installation needs", () => {
    const files = readdirSync(inPackage("."), { recursive: true, encoding: "utf8" });
    assert.deepEqual(
      files.filter((path) => /(?<!\.d)\.ts$|\.test\.|\.long\./.test(path)),
      [],
    );
    assert.deepEqual(readdirSync(inPackage(".")).sort(), [
      ...["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md"],
      ...["THIRD-PARTY-LICENSES.txt", "bin", "deploy", "docs"],
      ...["openapi", "package.json", "sbom.json", "scan", "server", "web"],
    ]);
  });

  it("contains what its documents link to", () => {
    const files = readdirSync(inPackage("."), { recursive: true, encoding: "utf8" });
    const broken = files
      .filter((path) => path.endsWith(".md"))
      .flatMap((path) => {
        const text = readFileSync(inPackage(path), "utf8")
          .replace(/```.*?```/gs, "")
          .replace(/`[^`\n]*`/g, "");
        const links = Array.from(text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g), ([, target = ""]) => target);
        return links
          .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(inPackage(path), "..", target)))
          .map((target) => `${path}: ${target}`);
      });
    assert.deepEqual(broken, []);
  });

  it("prints its version, and rejects a wrong command", async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    assert.equal((await run(process.execPath, [gatehouse(), "--version"], { env })).stdout.trim(), version);
    await assert.rejects(run(process.execPath, [gatehouse(), "srve"], { env }), /serve/);
  });

  /** Runs a command as an operator does, and returns its output. */
  const command = async (settings: NodeJS.ProcessEnv, ...args: string[]) => {
    const { stdout, stderr } = await run(process.execPath, [gatehouse(), ...args], { env: { ...env, ...settings } });
    return `${stdout}${stderr}`;
  };

  const withService = async (settings: NodeJS.ProcessEnv, work: (url: string, token: string) => Promise<void>) => {
    const service = spawn(process.execPath, [gatehouse(), "serve"], { env: { ...env, ...settings } });
    try {
      const url = await new Promise<string>((resolve, reject) => {
        service.once("exit", (code) => reject(new Error(`exited with ${code}`)));
        createInterface({ input: service.stdout }).on("line", (line) => {
          const found = /running at (http:\S+)/.exec(line)?.[1];
          if (found !== undefined) resolve(found);
        });
      });
      const tokenFile = join(settings.DATA_DIR ?? "", "admin-token");
      await work(url, existsSync(tokenFile) ? readFileSync(tokenFile, "utf8").trim() : "");
    } finally {
      service.kill("SIGKILL");
      if (service.exitCode === null && service.signalCode === null) await once(service, "exit");
    }
  };
  const settingsFor = (name: string) => ({
    ...{ PORT: "0", DATA_DIR: join(folder, name), REGISTRY_SYNC: "off", LOG_LEVEL: "info" },
  });

  it("serves the gateway, the API and the app", () =>
    withService(settingsFor("data"), async (url, token) => {
      const statusOf = async (path: string, init: RequestInit = {}) =>
        (await fetch(`${url}${path}`, { redirect: "manual", ...init })).status;
      assert.equal(await statusOf("/readyz"), 200);
      assert.equal(await statusOf("/mcp", { method: "POST" }), 401);
      assert.equal(await statusOf("/api/mcp-servers", { headers: { authorization: `Bearer ${token}` } }), 200);
      assert.equal(await statusOf("/sign-in"), 200);
    }));

  it("serves with two workers", () =>
    withService({ ...settingsFor("workers"), WORKERS: "2" }, async (url, token) => {
      // Connections are handed to the workers one after the other, and each worker answers the API.
      for (let n = 0; n < 4; n++) {
        const headers = { authorization: `Bearer ${token}`, connection: "close" };
        assert.equal((await fetch(`${url}/api/groups`, { headers })).status, 200);
        assert.equal((await fetch(`${url}/readyz`, { headers: { connection: "close" } })).status, 200);
      }
    }));

  it("runs every command of an operator", async () => {
    assert.match(await command({}, "init", join(folder, "operated")), /gatehouse\.env/);
    const key = { GATEHOUSE_KEY_FILE: join(folder, "operated/gatehouse.key") };
    const settings = { ...settingsFor("operated/data"), ...key };
    await command(settings, "migrate");
    assert.match(await command(settings, "keys", "generate", join(folder, "other.key")), /Created key file/);
    const [config, backup] = [join(folder, "config"), join(folder, "backup.ghb")];
    let exported: string[] = [];
    await withService(settings, async (url, token) => {
      const client = { GATEHOUSE_URL: url, GATEHOUSE_TOKEN: token };
      await command(client, "groups", "create", "Packaged");
      await command(client, "export", config);
      exported = readdirSync(config);
      assert.match(await command(client, "plan", config, "--prune"), /No changes/);
      await command(client, "apply", config, "--yes");
      await command(client, "release", "groups", "Packaged");
      await command(settings, "audit", "verify");
      await command(settings, "keys", "status");
      await command(settings, "backup", backup);
      assert.equal((await fetch(`${url}/downloads/gatehouse-scan.mjs`)).status, 200);
    });
    assert.ok(exported.includes("groups.yaml"));
    const restored = { ...settingsFor("restored"), ...key };
    await command(restored, "restore", backup);
    await command(restored, "audit", "verify");
    await command(restored, "keys", "rotate");
    await command(restored, "compact");
    await withService(restored, async (url) => {
      const token = readFileSync(join(folder, "operated/data/admin-token"), "utf8").trim();
      const client = { GATEHOUSE_URL: url, GATEHOUSE_TOKEN: token };
      assert.match(await command(client, "plan", config, "--prune"), /No changes/);
    });
    assert.match(await command(restored, "owner-link"), /\/setup-link#gh_su_\w+\n/);
    // The doctor of a stopped installation finds its settings, keys, files and tables. It exits with 0 if none has an error.
    const { findings } = JSON.parse(await command(restored, "doctor", "--json"));
    assert.ok(findings.length > 5);
  });
});
