import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

interface Locked {
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
}

const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, Locked> };
const manifest = JSON.parse(read("package.json")) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  engines: { node: string };
};
const all = Object.entries(packages).filter(([path]) => path !== "");
const production = all.filter(([, { dev, devOptional }]) => !dev && !devOptional);

describe("the packages of the service", () => {
  it("come from the registry with a hash, and none is linked (SUP-1)", () => {
    for (const [path, { integrity, resolved, link }] of all) {
      assert.match(integrity ?? "", /^sha512-/, path);
      assert.ok(resolved === undefined || resolved.startsWith("https://registry.npmjs.org/"), path);
      assert.equal(link, undefined, path);
    }
  });

  it("are at most 130, and run no code when they are installed (SUP-2)", () => {
    assert.ok(production.length > 0 && production.length <= 130, `${production.length} production packages`);
    const running = production.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
    assert.deepEqual(running, []);
  });

  it("have exact versions and a reason in decision 0003 (SUP-2)", () => {
    const reasons = read("docs/decisions/0003-each-library-has-a-reason.md");
    for (const [name, version] of Object.entries(manifest.dependencies)) {
      assert.match(version, /^\d+\.\d+\.\d+$/, name);
      assert.ok(reasons.includes(`\`${name}\``), `${name} has no reason`);
    }
    for (const [name, version] of Object.entries(manifest.devDependencies)) assert.match(version, /^\d/, name);
  });

  it("are not older than the versions that fixed known vulnerabilities (SUP-3)", () => {
    const floors: Readonly<Record<string, string>> = {
      fastify: "5.12.6",
      undici: "8.0.0",
      "@modelcontextprotocol/server": "2.3.0",
      "@modelcontextprotocol/client": "2.2.0",
    };
    for (const [name, floor] of Object.entries(floors)) {
      const { version = "0" } = packages[`node_modules/${name}`] ?? {};
      const isRecent = version.localeCompare(floor, "en", { numeric: true }) >= 0;
      assert.ok(isRecent, `${name} ${version} is older than ${floor}`);
    }
    assert.match(manifest.engines.node, /24/);
  });
});

describe("the bill of materials (SUP-4)", () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-sbom-"));
  const script = fileURLToPath(new URL("write-sbom.mjs", import.meta.url));
  const sbom = () => execFileSync(process.execPath, [script, folder], { encoding: "utf8" });
  const count = () => JSON.parse(sbom()).components.length;
  before(() => writeFileSync(join(folder, "package-lock.json"), read("package-lock.json")));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("is the same for the same lock file", () => assert.equal(sbom(), sbom()));

  it("lists the production packages, and those of a built admin app", () => {
    assert.equal(count(), production.length);
    const react = { name: "react", version: packages["node_modules/react"]?.version };
    const inBoth = { name: "zod", version: packages["node_modules/zod"]?.version };
    mkdirSync(join(folder, "web/dist"), { recursive: true });
    writeFileSync(join(folder, "web/dist/licenses.json"), JSON.stringify([react, inBoth, { ...react, version: "0" }]));
    assert.equal(count(), production.length + 1);
  });
});
