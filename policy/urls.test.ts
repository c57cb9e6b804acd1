import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { serverFacts } from "./facts.ts";
import { fingerprintOf, normalizeServer } from "./normalize-server.ts";
import { hostOf, isManagedUrl, normalizeUrl } from "./urls.ts";

const SERVER = { name: "x", client: "cursor", scope: "user", transport: "http", configPath: "/x" } as const;
/** As Claude Code writes it. */
const variable = (name: string) => `$\{${name}}`;
const GATEWAY = "https://gateway.example/mcp";

const OTHER_HOSTS = [
  "https://gateway.example.evil.example/mcp",
  "https://gateway.example@evil.example/mcp",
  "https://evil.example/@gateway.example/mcp",
  "https://evil.example:000443/@gateway.example/mcp",
  "https://evil.example:443\\x/@gateway.example/mcp",
  "https://evil.example:4\t43/@gateway.example/mcp",
  "https://evil.example:\t#@gateway.example/mcp",
  "https:\\\\evil.example\\@gateway.example/mcp",
  "https://gateway.example\u3002evil.example/mcp",
  "https://gateway.example:8443/mcp",
  "http://gateway.example/mcp",
  // The device replaces the variables.
  `https://${variable("HOST:-evil.example")}/@gateway.example/mcp`,
  `https://${variable("HOST")}@gateway.example/mcp`,
  "https://$HOST@gateway.example/mcp",
  "https://evil.example:$port/@gateway.example/mcp",
  `https://${variable("HOST")}gateway.example/mcp`,
] as const;

const PIECES = [
  ..."https: / // \\ : @ # ? . 443 000443 [ ] $X {x} %2f user pass /mcp evil.example gateway.example".split(" "),
  ...["\t", variable("X")],
];

describe("the host of a URL", () => {
  for (const url of OTHER_HOSTS) {
    it(`is not the gateway in ${JSON.stringify(url)}`, () => {
      const facts = serverFacts({ name: "x", transport: "http", fingerprint: "f", url }, [GATEWAY]);
      assert.deepEqual([facts.managed, normalizeUrl(url) === GATEWAY], [false, false]);
      const [one, other] = [url, GATEWAY].map((each) => fingerprintOf({ transport: "http", url: each }));
      assert.notEqual(one, other);
    });
  }

  it("is the gateway in all spellings of its URL", () => {
    for (const url of [GATEWAY, "HTTPS://Gateway.Example.:443/mcp/", "https://user:p%40ss@gateway.example/mcp/x?y"])
      assert.equal(isManagedUrl(url, [GATEWAY]), true, url);
  });

  it("is not known if it contains variables", () => {
    for (const url of [
      `https://${variable("X")}.acme.example/mcp`,
      "https://$X.acme.example/mcp",
      "https://{x}.acme.example/mcp",
    ])
      assert.equal(hostOf(normalizeUrl(url)), undefined, url);
  });

  it("is the one that clients connect to, or not known, whatever the URL contains", () => {
    const piece = fc.constantFrom(...PIECES);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const url = `https://${pieces.join("")}`;
        const { url: reported = "" } = normalizeServer({ ...SERVER, url });
        // The service normalizes what was reported again.
        for (const normalized of [reported, normalizeUrl(reported)]) {
          const host = hostOf(normalized);
          if (host !== undefined) assert.equal(host, new URL(url).hostname.replace(/(?<=[^.])\.$/, ""));
        }
      }),
      { numRuns: 5000 },
    );
  });
});

describe("the password of a URL", () => {
  it("is removed, whatever it contains", () => {
    for (const password of [
      "canary",
      "canary/1",
      "canary#1",
      "canary?1",
      "canary\\1",
      "can@ary",
      `${variable("X")}canary`,
    ])
      assert.doesNotMatch(normalizeUrl(`https://user:${password}@h.example/mcp`), /canary|ary/, password);
  });
});
