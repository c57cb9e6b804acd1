import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
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
  const sbom = () => execFileSync(process.execPath, ["tooling/write-sbom.mjs"], { cwd: root, encoding: "utf8" });
  /** Licenses that allow redistribution without conditions on our source. */
  const ALLOWED = new Set([
    "MIT",
    "MIT-0",
    "ISC",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "Apache-2.0",
    "0BSD",
    "BlueOak-1.0.0",
  ]);

  it("is the same for the same lock file", () => assert.equal(sbom(), sbom()));

  it("lists every production package with its hash and an allowed license", () => {
    const { components } = JSON.parse(sbom()) as {
      components: {
        name: string;
        licenses: { license?: { id: string }; expression?: string }[];
        hashes: { alg: string; content: string }[];
      }[];
    };
    assert.equal(components.length, production.length);
    for (const { name, licenses, hashes } of components) {
      // Of alternatives, one that is allowed suffices.
      const ids = licenses.flatMap(({ license, expression = license?.id ?? "" }) => expression.split(/[() ]|OR/));
      assert.ok(licenses.length === 1 && ids.some((id) => ALLOWED.has(id)), name);
      assert.match(`${hashes[0]?.alg} ${hashes[0]?.content}`, /^SHA-512 [0-9a-f]{128}$/, name);
    }
  });
});
