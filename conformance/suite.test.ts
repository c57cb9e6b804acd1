import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Installation, startInstallation } from "./kit/installation.ts";
import { type GatewayProxy, startProxy } from "./kit/proxy.ts";
import { ADDRESSES, type Address, findShortfalls, isWrong, readExpected, scenarioOf } from "./kit/shortfalls.ts";
import { type Findings, REVISIONS, requiredScenarios, runSuite } from "./kit/suite.ts";
import { renderTable } from "./kit/table.ts";
import { startUpstream, type Upstream } from "./upstream/server.ts";

describe("the conformance suite", () => {
  let upstream: Upstream;
  let installation: Installation;
  let proxies: Record<Address, GatewayProxy>;

  before(async () => {
    upstream = await startUpstream();
    installation = await startInstallation({ type: "http", url: upstream.url });
    const { gatewayUrl, slug, authorization } = installation;
    proxies = {
      all: await startProxy({ url: gatewayUrl, authorization, prefix: `${slug}__` }),
      one: await startProxy({ url: `${gatewayUrl}/${slug}`, authorization }),
    };
  });

  after(async () => {
    for (const proxy of Object.values(proxies ?? {})) proxy.close();
    await installation?.stop();
    await upstream?.close();
  });

  for (const revision of REVISIONS)
    describe(revision, () => {
      const found = new Map<string, Findings>();

      after(() => void process.stdout.write(`\n${renderTable(revision, found)}\n`));

      it("reports no problems of the upstream itself", async () => {
        const direct = await runSuite(upstream.url, revision);
        found.set("direct", direct);
        const required = await requiredScenarios(revision, "server");
        const scored = [...direct].filter(([check]) => required.includes(scenarioOf(check)));
        assert.deepEqual([...new Set(scored.map(([check]) => scenarioOf(check)))].sort(), required);
        assert.deepEqual(
          scored.filter(([, finding]) => isWrong(finding)),
          [],
        );
      });

      for (const address of ADDRESSES)
        it(`reports exactly the expected shortfalls through the gateway (${address})`, async () => {
          const findings = await runSuite(proxies[address].url, revision);
          found.set(address, findings);
          const shortfalls = findShortfalls(found.get("direct") ?? new Map(), findings);
          const expected = await readExpected(revision, address);
          const unlisted = shortfalls.filter((check) => !expected.includes(check));
          const gone = expected.filter((check) => !shortfalls.includes(check));
          assert.deepEqual(unlisted, [], "falls short where expected-shortfalls.txt does not say so");
          assert.deepEqual(gone, [], "falls short no more: take these lines out of expected-shortfalls.txt");
        });
    });
});
