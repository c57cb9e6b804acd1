import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isUnpinned, npmPackage, ociPackage, pypiPackage } from "./package-spec.ts";

describe("the specification of a package", () => {
  for (const name of ["@9/9", "@~x/~x", "@_x/_x", "@-x/-x", "@x9._~-/x9._~-", "x", "9"]) {
    it(`of npm can be named ${name}`, () => {
      assert.deepEqual(npmPackage(`${name}@1.0.0`), {
        ...{ identity: `npm:${name}`, package: { type: "npm", name, version: "1.0.0" } },
      });
    });
  }

  for (const [spec, name, version] of [
    ["A9._-B9", "a9-b9", undefined],
    ["9", "9", undefined],
    ["Zz", "zz", undefined],
    ["aZ", "az", undefined],
    ["acme[]", "acme", undefined],
    ["acme[cli]==1.0", "acme", "1.0"],
    ["acme ==1.0", "acme", "1.0"],
    ["acme===1.0", "acme", "1.0"],
    ["acme== 1.0\n", "acme", "1.0"],
    ["acme@1.0", "acme", "1.0"],
    ["acme==1.0,<2", "acme", "==1.0,<2"],
    ["acme==1.0;os", "acme", "==1.0;os"],
    ["acme==1.0 os", "acme", "==1.0 os"],
    ["acme<2", "acme", "<2"],
    ["acme>1", "acme", ">1"],
    ["acme~=1.0", "acme", "~=1.0"],
    ["acme!=1.0", "acme", "!=1.0"],
    ["acme;os", "acme", ";os"],
    ["acme==1@https://x.example", "acme", "1@https://x.example"],
  ] as const) {
    it(`of PyPI reads ${JSON.stringify(spec)}`, () => {
      const pkg = { type: "pypi", name, ...(version !== undefined && { version }) };
      assert.deepEqual(pypiPackage(spec), { identity: `pypi:${name}`, package: pkg });
    });
  }

  it("of PyPI can name any URL", () => {
    for (const scheme of ["HTTPS", "s3", "git+ssh", "a.b", "a-b"]) {
      const { identity } = pypiPackage(`acme @ ${scheme}://x.example/y`) ?? {};
      assert.equal(identity, `pypi:${scheme.toLowerCase()}://x.example/y`);
    }
  });

  it("of PyPI that is no name is identified by its text", () => {
    for (const spec of ["a b", "-a", "a-", "a[b"]) assert.equal(pypiPackage(spec)?.identity, `pypi:${spec}`);
  });

  it("of npm can be a path, or a repository with a commit or tag", () => {
    for (const [spec, base] of [
      ["acme@file:x", "x"],
      ["acme@file:.", "."],
      ["acme@file:./x/.", "x"],
      ["acme@link:../x/", "x"],
      ["acme@..", ".."],
      ["c:/x/y", "y"],
      ["\\\\host\\y", "y"],
    ])
      assert.deepEqual(npmPackage(String(spec)), { identity: `script:${base}` }, spec);
    for (const [spec, name, version] of [
      ["a.b-c/d.e-f#v1.0-x", "github:a.b-c/d.e-f", "v1.0-x"],
      ["acme/x#semver:^1", "github:acme/x", undefined],
      ["acme/x#a b", "github:acme/x", undefined],
      ["acme/x", "github:acme/x", undefined],
      ["acme/x/y", "acme/x/y", undefined],
      ["acme@.../x", "github:.../x", undefined],
    ])
      assert.deepEqual(npmPackage(String(spec)), {
        ...{ identity: `npm:${name}`, package: { type: "npm", name, ...(version !== undefined && { version }) } },
      });
  });

  it("of an image has a tag or a digest as its version", () => {
    const versionOf = (image: string) => ociPackage(image).package;
    assert.deepEqual(versionOf("ghcr.io:443/Acme/x:1.2"), { type: "oci", name: "ghcr.io:443/acme/x", version: "1.2" });
    assert.deepEqual(versionOf("acme/x:1@sha256:00"), { type: "oci", name: "acme/x", version: "sha256:00" });
    for (const registry of ["docker.io", "index.docker.io", "registry-1.docker.io"])
      assert.deepEqual(versionOf(`${registry}/library/x`), { type: "oci", name: "x" });
    assert.equal(ociPackage("x/docker.io/library/y").identity, "oci:x/docker.io/library/y");
  });
});

describe("the version of a package", () => {
  const commit = "0123456789abcdef0123456789abcdef01234567";
  for (const [type, version, unpinned] of [
    ["npm", "1.2.3", false],
    ["npm", "v1.2.3-beta.1+build", false],
    ["npm", "10.20.30", false],
    ["npm", "1.2.3-Rc-1", false],
    ["npm", "1.2.3+Build", false],
    ["npm", "1.2.3-", true],
    ["npm", "1.2.3 x", true],
    ["npm", ".1.2", true],
    ["npm", "1..2", true],
    ["npm", "1.2.", true],
    ["npm", `${commit}0`, true],
    ["npm", commit.toUpperCase(), true],
    ["npm", "^1.2.3", true],
    ["npm", "1", true],
    ["npm", "1.x", true],
    ["npm", "1.2.*", true],
    ["npm", "latest", true],
    ["npm", undefined, true],
    ["npm", commit, false],
    ["npm", commit.slice(1), true],
    ["pypi", "1.0rc1", false],
    ["pypi", "1", false],
    ["pypi", "10.20.30", false],
    ["pypi", "1.0-1", false],
    ["pypi", "1.0+Local.1-x", false],
    ["pypi", "1.0.Dev1", false],
    ["pypi", ">=1.0", true],
    ["pypi", "1.*", true],
    ["oci", "latest", true],
    ["oci", undefined, true],
    ["oci", "1", false],
    ["oci", "sha256:00", false],
    ["binary", undefined, false],
  ] as const) {
    it(`${unpinned ? "can change" : "is exact"} for ${type} ${version}`, () => {
      assert.equal(isUnpinned({ type, ...(version !== undefined && { version }) }), unpinned);
    });
  }
});
