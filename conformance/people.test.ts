import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { judgeAuthorization } from "./kit/authorization.ts";
import { type Journey, journeyByInspector, journeyByMcpRemote, SDKS, Wallet } from "./kit/oauth-clients.ts";
import { type PersonsInstallation, startForPerson } from "./kit/person.ts";
import { startUpstream } from "./upstream/server.ts";

const ARGS = { a: 20000, b: 2345 };
const SUM = "22345";

describe("clients of people connect with OAuth", () => {
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let home: PersonsInstallation;
  let directory: string;

  before(async () => {
    upstream = await startUpstream();
    home = await startForPerson(upstream.url);
    directory = await mkdtemp(join(tmpdir(), "gatehouse-people-"));
  });
  after(async () => {
    await home?.stop();
    await upstream?.close();
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  });

  const tool = () => `${home.slug}__test_structured_content`;

  for (const { name, start } of SDKS)
    it(`${name}: discovery, registration, sign-in, consent, a call, renewal, revocation`, async () => {
      const wallet = new Wallet();
      const first = start(wallet, home.gatewayUrl);
      await assert.rejects(first.connect(), /Unauthorized/);
      assert.ok(wallet.asked && wallet.client);
      const back = await home.agree(wallet.asked);
      assert.equal(back.searchParams.get("iss"), home.issuer);
      await first.transport.finishAuth(name === "SDK 1" ? (back.searchParams.get("code") ?? "") : back.searchParams);
      const { client, connect } = start(wallet, home.gatewayUrl);
      await connect();
      const call = () => client.callTool({ name: tool(), arguments: ARGS });
      assert.ok(JSON.stringify(await call()).includes(SUM));
      const before = wallet.kept;
      assert.ok(before?.refresh_token);
      // A revoked token gets the same response as an unknown one.
      wallet.kept = { ...before, access_token: "over" };
      assert.ok(JSON.stringify(await call()).includes(SUM), "refreshed automatically");
      assert.notEqual(wallet.kept.refresh_token, before.refresh_token);
      const token = wallet.kept.refresh_token ?? "";
      const body = new URLSearchParams({ token, client_id: wallet.client.client_id });
      assert.equal((await fetch(`${home.issuer}/oauth/revoke`, { method: "POST", body })).status, 200);
      wallet.asked = undefined;
      await assert.rejects(call());
      assert.ok(wallet.asked, "the person is asked again");
      await client.close();
    });

  const journeys: [string, (journey: Journey) => Promise<unknown>][] = [
    ["mcp-remote", journeyByMcpRemote],
    ["Inspector", journeyByInspector],
  ];
  for (const [name, journey] of journeys)
    it(`${name} gets from the gateway URL to a call`, async () => {
      const { gatewayUrl: url, agree } = home;
      const result = await journey({ url, agree, directory, tool: tool(), args: ARGS });
      assert.ok(JSON.stringify(result).includes(SUM), JSON.stringify(result));
    });

  it("passes the conformance suite's scenarios for authorization servers", async () => {
    // By default they are advertised only with evidence, which an installation without internet does not have.
    await home.advertiseDocuments();
    const checks = await judgeAuthorization(home);
    const wrong = checks.filter(({ status }) => status !== "SUCCESS");
    assert.deepEqual(wrong, []);
    assert.ok(checks.length >= 3, JSON.stringify(checks));
  });
});
