/**
 * Prints the software bill of materials as CycloneDX 1.6: every package of the lock file that the service or the built admin app
 * contains, with its version, license and hash. The same lock file and app give the same bytes (SUP-4).
 *
 *   node tooling/write-sbom.mjs [root] > sbom.json
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageName, shippedPackages } from "./shipped-packages.mjs";

const root = process.argv[2] ?? ".";
const { name, version, packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const components = shippedPackages(root)
  .map(([path, entry]) => componentOf(path, entry))
  .sort((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1));
const product = { type: "application", name, version, licenses: licensesOf(packages[""].license) };
const sbom = { bomFormat: "CycloneDX", specVersion: "1.6", version: 1, metadata: { component: product }, components };
process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`);

function componentOf(path, { version: installed, license, integrity }) {
  const shownName = packageName(path);
  return {
    type: "library",
    "bom-ref": path.replace(/^node_modules\//, ""),
    name: shownName,
    version: installed,
    purl: `pkg:npm/${shownName.replace("@", "%40")}@${installed}`,
    licenses: licensesOf(license),
    hashes: integrity === undefined ? [] : integrity.split(" ").map(hashOf),
  };
}

function licensesOf(license) {
  if (license === undefined) return [];
  return license.includes(" ") ? [{ expression: license }] : [{ license: { id: license } }];
}

function hashOf(integrity) {
  const [algorithm, digest] = integrity.split(/-(.*)/s);
  return { alg: algorithm.replace(/^sha/, "SHA-"), content: Buffer.from(digest, "base64").toString("hex") };
}
