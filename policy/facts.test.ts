import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { publishersOf, serverFacts, skillFacts } from "./facts.ts";
import { HIDDEN_UNICODE } from "./issues.ts";
import type { ServiceFacts } from "./policy-types.ts";
import { hostOf, isManagedUrl, normalizeUrl } from "./urls.ts";

const REMOTE = { name: "x", transport: "http", fingerprint: "sha256:ab", url: "https://x.example/mcp" } as const;
const SKILL = { name: "pdf", digest: "sha256:cd", has_scripts: false, issues: [] };

describe("the facts about a server", () => {
  it("name the program without its folder and extension, also if the command is a whole line", () => {
    const commandOf = (command: string) =>
      serverFacts({ name: "x", transport: "stdio", fingerprint: "f", command }, []).command;
    assert.deepEqual(["C:\\tools\\Acme.EXE", "/opt/acme/bin/acme", "acme --port 1"].map(commandOf), [
      "acme",
      "acme",
      "acme",
    ]);
    assert.equal(serverFacts(REMOTE, []).command, undefined);
  });

  it("contain the package and whether it is pinned, but neither for a program", () => {
    const factsOf = (command: string, args: string[]) => {
      const facts = serverFacts({ name: "x", transport: "stdio", fingerprint: "f", command, args }, []);
      return [facts.package, facts.unpinned];
    };
    assert.deepEqual(factsOf("npx", ["@acme/x@1.0.0"]), ["npm:@acme/x", false]);
    assert.deepEqual(factsOf("npx", ["@acme/x"]), ["npm:@acme/x", true]);
    assert.deepEqual(factsOf("acme", []), [undefined, undefined]);
  });

  it("rate a server lower that is registered or in the registry, and use the risk of the service first", () => {
    const riskOf = (known: ServiceFacts) => serverFacts(REMOTE, [], known).risk;
    assert.deepEqual([riskOf({}), riskOf({ registered: true }), riskOf({ in_registry: true })], [15, 5, 5]);
    assert.equal(riskOf({ risk: 77 }), 77);
  });

  it("pass on what only the service knows", () => {
    const { registered, in_registry, review_status } = serverFacts(REMOTE, [], {
      ...{ registered: true, in_registry: false, review_status: "rejected" },
    });
    assert.deepEqual([registered, in_registry, review_status], [true, false, "rejected"]);
  });
});

describe("the facts about a skill", () => {
  it("say that it is managed and registered if its digest is one of the organization", () => {
    const own = skillFacts(SKILL, [SKILL.digest]);
    assert.deepEqual([own.managed, own.registered, own.risk], [true, true, 0]);
    const other = skillFacts(SKILL, ["sha256:other"]);
    assert.deepEqual([other.managed, other.registered, other.risk], [false, false, 5]);
    assert.equal(skillFacts(SKILL, [], { registered: true }).registered, true);
  });

  it("add the risk of scripts and hidden characters, and use the risk of the service first", () => {
    const risky = { ...SKILL, has_scripts: true, issues: [HIDDEN_UNICODE] };
    assert.equal(skillFacts(risky, []).risk, 65);
    assert.equal(skillFacts(risky, [], { risk: 1 }).risk, 1);
    assert.equal(skillFacts(risky, [], { review_status: "approved" }).review_status, "approved");
  });
});

describe("the publishers of a server", () => {
  for (const [type, name, expected] of [
    ["npm", "@acme/server", ["@acme", "acme"]],
    ["npm", "server", undefined],
    ["pypi", "acme-server", undefined],
    ["oci", "acme/server", ["acme"]],
    ["oci", "server", undefined],
    ["oci", "ghcr.io/acme/server", ["acme", "ghcr.io/acme"]],
    ["oci", "registry:5000/acme/server", ["acme", "registry:5000/acme"]],
    ["oci", "localhost/acme/server", ["acme", "localhost/acme"]],
    ["oci", "ghcr.io/server", ["ghcr.io"]],
  ] as const) {
    it(`are ${expected?.join(" and ") ?? "not known"} for ${type}:${name}`, () => {
      assert.deepEqual(publishersOf({ type, name }, undefined), expected);
    });
  }

  it("are the host of a remote server", () => {
    assert.deepEqual(publishersOf(undefined, "mcp.acme.com"), ["mcp.acme.com"]);
  });
});

describe("the URL of a server", () => {
  it("is managed if it is a URL of the gateway or below one", () => {
    const gateways = ["https://gw.acme.com/mcp/"];
    const managed = (url: string) => isManagedUrl(url, gateways);
    assert.ok(managed("https://gw.acme.com/mcp") && managed("https://GW.acme.com/mcp/linear?x=1"));
    for (const url of ["https://gw.acme.com/mcp-evil", "https://gw.acme.com/", "http://gw.acme.com/mcp", "/mcp"])
      assert.equal(managed(url), false, url);
    assert.equal(isManagedUrl("/path", [""]), false, "an empty URL of the gateway manages nothing");
  });

  it("has no credentials, spaces, or secrets, whether it can be parsed or not", () => {
    for (const [given, expected] of [
      [" https://x.example:8443/mcp// ", "https://x.example:8443/mcp"],
      ["https://x.example/sk-ant-api03-aaaaBBBBccccDDDDeeeeFFFF0123/mcp", "https://x.example/[REDACTED]/mcp"],
      ["https://x.example/key-sk-ant-api03-aaaaBBBBccccDDDDeeeeFFFF0123", "https://x.example/[REDACTED]"],
      ["https://user:pass@[host]/mcp/?key=1", "https://[host]/mcp"],
    ])
      assert.equal(normalizeUrl(String(given)), expected);
  });

  it("has a host unless it contains variables", () => {
    assert.deepEqual([hostOf("https://a.example./x"), hostOf("%HOST%/mcp")], ["a.example", undefined]);
  });
});
