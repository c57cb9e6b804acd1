import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { CONFIG, EnforcedDevice } from "./enforced-device.ts";

describe("without the service", () => {
  const device = new EnforcedDevice();

  it("enforces the stored policy, but not one that is older than 7 days", async () => {
    await device.run("doctor");
    device.service.failWith = 503;
    const cached = join(device.fake.state, "policy.json");
    const stored = JSON.parse(readFileSync(cached, "utf8"));
    writeFileSync(
      cached,
      JSON.stringify({ ...stored, confirmed_at: new Date(Date.now() - 8 * 86_400_000).toISOString() }),
    );
    const { stderr } = await device.run("enforce");
    assert.match(stderr, /older than 7 days and is not enforced/);
    assert.equal(readFileSync(device.config, "utf8"), CONFIG);
    writeFileSync(
      cached,
      JSON.stringify({ ...stored, confirmed_at: new Date(Date.now() - 6 * 86_400_000).toISOString() }),
    );
    assert.deepEqual(
      (await device.enforce()).map(({ result }) => result),
      ["quarantined"],
    );
  });

  it("keeps reports and sends them later, oldest first", async () => {
    device.service.failWith = 503;
    assert.equal((await device.run("report")).code, 1);
    const sent = device.service.requests.filter((request) => request.startsWith("POST"));
    assert.equal(sent.length, 3, "the report was sent three times");
    assert.equal((await device.run("report")).code, 1);
    assert.equal(readdirSync(join(device.fake.state, "spool")).length, 2);
    device.service.failWith = undefined;
    assert.equal((await device.run("report")).code, 3);
    const times = device.service.reports.map(({ scanned_at }) => scanned_at);
    assert.equal(times.length, 3);
    assert.deepEqual(times, times.toSorted());
    assert.deepEqual(readdirSync(join(device.fake.state, "spool")), []);
    assert.ok(device.service.requests.every((request) => request.endsWith("Bearer scan-token")));
  });

  it("does not repeat a report that the service rejects", async () => {
    device.service.failWith = 400;
    const { code, stderr } = await device.run("report");
    assert.equal(code, 1);
    assert.match(stderr, /rejected the request \(400\): no/);
    assert.equal(device.service.requests.length, 1);
    assert.ok(!existsSync(join(device.fake.state, "spool")));
  });

  it("keeps reports while the token or the URL is wrong, and says what to check", async () => {
    device.service.failWith = 503;
    assert.equal((await device.run("report")).code, 1);
    for (const [status, message] of [
      [401, /rejected the token \(401\)\. Check that GATEHOUSE_SCAN_TOKEN is a valid API token/],
      [404, /answered with 404\. Check that GATEHOUSE_URL is the URL of Gatehouse\.\n$/],
    ] as const) {
      device.service.failWith = status;
      const { code, stderr } = await device.run("report");
      assert.equal(code, 1);
      assert.match(stderr, message);
    }
    assert.equal(readdirSync(join(device.fake.state, "spool")).length, 1);
    device.service.failWith = undefined;
    assert.equal((await device.run("report")).code, 3);
    assert.equal(device.service.reports.length, 2);
  });

  for (const [what, answer] of [
    ["a page", "<html>Sign in to the network</html>"],
    ["other JSON", '{"status":"ok"}'],
    ["JSON that is cut off", '{"data":{"device_id":"dev'],
    ["nothing", ""],
  ] as const) {
    it(`keeps reports and results, and uses the stored policy, if ${what} is the answer`, async () => {
      await device.run("doctor");
      device.service.failWith = 503;
      assert.equal((await device.run("report")).code, 1);
      device.service.failWith = undefined;
      device.service.answerWith = answer;
      assert.deepEqual(
        (await device.enforce()).map(({ result }) => result),
        ["quarantined"],
      );
      const { code, stdout, stderr } = await device.run("report");
      assert.deepEqual([code, stdout.split("\n")[0]], [1, "The report is kept on disk and sent with the next one."]);
      assert.match(
        stderr,
        /answered with 200, but not like Gatehouse: .* GATEHOUSE_URL is not the URL of Gatehouse\n$/,
      );
      assert.equal(readdirSync(join(device.fake.state, "spool")).length, 2);
      device.service.answerWith = undefined;
      assert.equal((await device.run("report")).code, 0);
      const results = device.service.reports.flatMap(({ enforcement = [] }) => enforcement);
      assert.deepEqual([device.service.reports.length, results.length], [3, 1]);
    });
  }

  it("lets doctor fail, also if there is a stored policy", async () => {
    assert.equal((await device.run("doctor")).code, 0);
    device.service.failWith = 503;
    const { code, stdout } = await device.run("doctor");
    assert.equal(code, 1);
    assert.match(stdout, /^failed {3}Service: http:\S+ answered with 503\. The stored policy applies\.$/m);
  });

  it("refuses a URL with a user name or a password, and does not print it", async () => {
    const withPassword = device.service.url.replace("//", "//me:canary@");
    for (const url of [withPassword, device.service.url.replace("//", "//canary@"), "https://me:canary@host:port"]) {
      for (const command of ["report", "enforce", "daemon"]) {
        const { code, stdout, stderr } = await device.run(command, "--url", url);
        assert.equal(code, 64);
        assert.match(stderr, /GATEHOUSE_URL (?:contains a user name or a password\.|is not a URL such as )/);
        assert.ok(!(stdout + stderr).includes("canary"), stderr);
      }
      const { code, stdout } = await device.run("doctor", "--url", url);
      assert.equal(code, 1);
      assert.ok(!stdout.includes("canary"), stdout);
    }
    assert.deepEqual(device.service.requests, []);
  });

  it("says that the quarantine is empty", async () => {
    assert.deepEqual(await device.run("restore", "--all"), {
      code: 0,
      stdout: "The quarantine is empty.\n",
      stderr: "",
    });
  });
});
