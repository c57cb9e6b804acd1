import assert from "node:assert/strict";
import { it } from "node:test";
import { gzipSync } from "node:zlib";
import { bearer, forEachApi } from "#test/api";
import { agent, localServer, memoryFile, remoteServer, reported, skill } from "#test/discovery-report";

const REPORTS = "/api/ai-discovery/reports";
const CANARY = "sk-canary1234567890abcdefABCDEF1234567890xyz";

forEachApi(
  "reports of devices",
  (api) => {
    const send = async (body: object) => {
      const answer = await api.call("POST", REPORTS, body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data;
    };
    const servers = async (query = "") => (await api.call("GET", `/api/ai-discovery/mcp-servers${query}`)).body.data;
    const byName = async (name: string, query = "") =>
      (await servers(query)).find((each: { name: string }) => each.name === name);
    const deviceOf = async (id: string) => (await api.call("GET", `/api/ai-discovery/devices/${id}`)).body.data;
    /** Later than every report before, because older ones are not applied. */
    const now = () => {
      api.clock.advance(1_000);
      return new Date(api.clock.now()).toISOString();
    };
    const report = (device: string, rest: Record<string, unknown> = {}) =>
      reported(device, { scanned_at: now(), ...rest });

    it("groups the same server over devices and clients, and counts exactly", async () => {
      const github = ["-y", "@acme/server-github"];
      const first = await send(
        report("one", {
          mcp_servers: [localServer("github", github), localServer("gh", github, { client: "cursor" })],
          skills: [skill("pdf")],
          agent_memory: [memoryFile("~/.claude/CLAUDE.md")],
          agents: [agent("Cursor")],
        }),
      );
      assert.deepEqual(first.accepted, { mcp_servers: 2, skills: 1, agent_memory: 1, agents: 1 });
      assert.deepEqual([first.device_id, first.applied, first.removed], ["one", true, 0]);
      assert.equal(first.next_scan_seconds, 3600);
      await send(report("two", { mcp_servers: [localServer("github", github)] }));
      const item = await byName("github");
      assert.deepEqual([item.devices_count, item.users_count], [2, 2]);
      assert.deepEqual([item.clients, item.package], [["claude-code", "cursor"], "npm:@acme/server-github"]);
      assert.deepEqual([item.action, item.rule_id, item.managed], ["warn", null, false]);
      assert.ok(item.risk.reasons.includes("unpinned_package"));
      const { body } = await api.call("GET", `/api/ai-discovery/mcp-servers/${item.fingerprint}`);
      assert.equal(body.data.instances.length, 3);
      assert.deepEqual((await deviceOf("one")).counts, { mcp_servers: 1, skills: 1, agent_memory: 1, agents: 1 });
    });

    it("removes what a full report lacks, keeps it after a partial one, and finds it again", async () => {
      const all = [remoteServer("a", "https://a.example.com/mcp"), remoteServer("b", "https://b.example.com/mcp")];
      await send(report("three", { mcp_servers: all }));
      assert.equal((await send(report("three", { full: false, mcp_servers: all.slice(0, 1) }))).removed, 0);
      assert.equal((await send(report("three", { mcp_servers: all.slice(0, 1) }))).removed, 1);
      assert.equal(await byName("b"), undefined);
      const gone = await byName("b", "?include_removed=true");
      const { body } = await api.call("GET", `/api/ai-discovery/mcp-servers/${gone.fingerprint}?include_removed=true`);
      assert.ok(body.data.instances[0].removed_at);
      await send(report("three", { mcp_servers: all }));
      assert.equal((await byName("b")).devices_count, 1);
    });

    it("keeps what was found in a file or folder that could not be read", async () => {
      const kept = localServer("kept", ["kept"], { config_path: "~/.codex/config.toml" });
      const below = skill("below", { path: "~/.claude/skills/below" });
      await send(report("four", { mcp_servers: [kept], skills: [below] }));
      const errors = [
        { path: "~/.codex/config.toml", code: "parse_error" },
        { path: "~/.claude/skills", code: "not_readable" },
      ];
      assert.equal((await send(report("four", { errors }))).removed, 0);
      assert.deepEqual((await deviceOf("four")).scan_errors, errors);
      assert.equal((await send(report("four"))).removed, 2);
    });

    it("keeps what belongs to accounts that were not scanned", async () => {
      const device = { id: "shared", hostname: "shared", os: "linux", users: ["ada", "kim"] };
      const entries = [
        localServer("of-ada", ["x"], { username: "ada" }),
        localServer("of-kim", ["y"], { username: "kim" }),
      ];
      await send(report("shared", { device, mcp_servers: entries }));
      const asAda = { ...device, users: ["ada"] };
      assert.equal((await send(report("shared", { device: asAda }))).removed, 1);
      assert.equal((await byName("of-kim")).users_count, 1);
    });

    it("applies a report once, and not after a newer one", async () => {
      const body = report("five", { mcp_servers: [remoteServer("once", "https://once.example.com/mcp")] });
      const [one, two] = await Promise.all([send(body), send(body)]);
      assert.deepEqual([one.applied, two.applied].sort(), [false, true]);
      assert.deepEqual(one.accepted, two.accepted);
      assert.equal(two.decisions.length, 1);
      await send(report("five"));
      const old = await send({ ...body, report_id: "older-than-the-last" });
      assert.deepEqual([old.applied, old.removed], [false, 0]);
      assert.equal(await byName("once"), undefined);
      const ahead = report("five", { scanned_at: "2099-01-01T00:00:00Z" });
      assert.equal((await send(ahead)).applied, true);
      assert.equal((await send(report("five"))).applied, true, "a clock that was ahead does not block later reports");
      assert.ok(Date.parse((await deviceOf("five")).last_seen) <= api.clock.now(), "the service's time counts");
    });

    it("separates devices that were cloned from one image", async () => {
      const of = (serial: string, name: string) =>
        report("clone", {
          device: { id: "clone", hostname: name, os: "win32", serial_hash: `sha256:${serial.repeat(64)}` },
          mcp_servers: [remoteServer(name, `https://${name}.example.com/mcp`)],
        });
      assert.equal((await send(of("a", "laptop-a"))).device_id, "clone");
      const second = await send(of("b", "laptop-b"));
      assert.match(second.device_id, /^clone~b{12}$/);
      assert.equal((await send(of("b", "laptop-b"))).device_id, second.device_id);
      assert.equal((await byName("laptop-a")).devices_count, 1, "the clone removed nothing");
      assert.deepEqual((await deviceOf("clone")).warnings, ["cloned_id"]);
      const forged = report("x", { device: { id: second.device_id, os: "linux" } });
      await api.invalid(
        "device.id: must contain only letters, digits, dots, colons, hyphens and underscores",
        "POST",
        REPORTS,
        forged,
      );
    });

    it("accepts gzip, and refuses bodies that are too large before or after it", async () => {
      const headers = { ...bearer(api.service.token), "content-type": "application/json", "content-encoding": "gzip" };
      const post = (bytes: Buffer, more: Record<string, string> = {}) =>
        api.service.http(REPORTS, { method: "POST", headers: { ...headers, ...more }, body: bytes });
      const ok = await post(gzipSync(JSON.stringify(report("zip"))));
      assert.equal(ok.status, 200, ok.text);
      const bomb = await post(gzipSync(Buffer.alloc(64 * 1024 * 1024, " ")));
      assert.deepEqual([bomb.status, bomb.body], [413, { error: "Request body is too large. The limit is 5 MiB" }]);
      assert.equal((await post(Buffer.from("no gzip"))).body.message, "body: must be valid gzip");
      assert.equal((await post(Buffer.from("{}"), { "content-encoding": "br" })).status, 400);
      const large = await post(Buffer.alloc(6 * 1024 * 1024, " "), { "content-encoding": "identity" });
      assert.equal(large.status, 413);
    });

    it("rejects faulty entries and accepts the others", async () => {
      const good = localServer("good", ["x"]);
      const data = await send(
        report("six", {
          mcp_servers: [
            good,
            7,
            { ...good, name: 1 },
            { ...good, name: "x".repeat(300) },
            { ...good, command: undefined },
            remoteServer("no-url", ""),
            { ...good, args: [["nested"]] },
            { ...good, name: "nul\u0000" },
          ],
          skills: [skill("ok"), skill("bad", { digest: "sha256:xyz" })],
        }),
      );
      assert.deepEqual(data.accepted, { mcp_servers: 1, skills: 1, agent_memory: 0, agents: 0 });
      assert.deepEqual(
        data.rejected.map(({ path, reason }: { path: string; reason: string }) => `${path}: ${reason}`),
        [
          "mcp_servers.1: must be an object",
          "mcp_servers.2.name: must be a string",
          "mcp_servers.3.name: must be at most 256 characters",
          "mcp_servers.4.command: command is required",
          "mcp_servers.5.url: url is required",
          "mcp_servers.6.args.0: must be a string",
          "mcp_servers.7.name: must be well-formed text without NUL characters",
          "skills.1.digest: must be sha256: and 64 hexadecimal digits",
        ],
      );
      const deep = JSON.stringify(report("deep", { mcp_servers: ["DEEP"] }));
      const nested = deep.replace('"DEEP"', `${"[".repeat(100_000)}${"]".repeat(100_000)}`);
      const headers = { ...bearer(api.service.token), "content-type": "application/json" };
      const answer = await api.service.http(REPORTS, { method: "POST", headers, body: nested });
      assert.deepEqual(answer.body.data.rejected, [{ path: "mcp_servers.0", reason: "must be an object" }]);
      for (const [message, body] of [
        ["device.id: device.id is required", report("x", { device: { os: "linux" } })],
        ["device: device is required", report("x", { device: undefined })],
        ["schema_version: must be 1", report("x", { schema_version: 2 })],
        ["scanned_at: must be an ISO 8601 timestamp", report("x", { scanned_at: "yesterday" })],
        ["mcp_servers: must be an array", report("x", { mcp_servers: {} })],
        ["device.os: must be one of darwin, linux, win32", report("x", { device: { id: "x", os: "plan9" } })],
      ] as const) {
        await api.invalid(message, "POST", REPORTS, body);
      }
    });

    it("stores no secrets, whatever the device sends", async () => {
      const html = "<img src=x onerror=alert(1)>";
      await send(
        report("seven", {
          user: { username: "ada" },
          mcp_servers: [
            localServer("leak", ["--api-key", CANARY, `--token=${CANARY}`, "run"], {
              env: { API_KEY: CANARY },
              env_keys: [`API_KEY=${CANARY}`],
              config_path: "/Users/ada/.cursor/mcp.json",
            }),
            remoteServer("leak-url", `https://ada:${CANARY}@leak.example.com/mcp?key=${CANARY}`, {
              headers: { Authorization: CANARY },
            }),
            localServer(html, ["html"]),
          ],
        }),
      );
      const all = JSON.stringify(await api.everything());
      assert.ok(!all.includes(CANARY), "a secret is stored");
      assert.ok(!JSON.stringify(await servers()).includes(CANARY));
      const leak = await byName("leak");
      assert.ok(leak.risk.reasons.includes("secret_in_arguments"));
      const { body } = await api.call("GET", `/api/ai-discovery/mcp-servers/${leak.fingerprint}`);
      assert.deepEqual(body.data.instances[0].env_keys, ["API_KEY"]);
      assert.equal(body.data.instances[0].config_path, "~/.cursor/mcp.json");
      assert.equal((await byName("leak-url")).url, "https://leak.example.com/mcp");
      assert.equal((await byName(html)).name, html, "text stays text");
    });

    it("lets a device token report and read its policy, and nothing else", async () => {
      const { token } = await api.tokenWith("discovery:ingest");
      const call = (method: string, path: string, body?: object) =>
        api.service.http(path, {
          method,
          headers: { ...bearer(token), "content-type": "application/json" },
          ...(body && { body: JSON.stringify(body) }),
        });
      assert.equal((await call("POST", REPORTS, report("eight"))).status, 200);
      assert.equal((await call("GET", "/api/ai-discovery-policy/effective?device_id=eight")).status, 200);
      for (const path of ["/api/ai-discovery/mcp-servers", "/api/ai-discovery/devices", "/api/ai-discovery-policy"]) {
        const answer = await call("GET", path);
        assert.deepEqual(
          [answer.status, answer.body],
          [403, { error: "Insufficient permissions: requires admin:read" }],
        );
      }
      const { token: other } = await api.tokenWith("discovery:ingest");
      const headers = { ...bearer(other), "content-type": "application/json" };
      await api.service.http(REPORTS, { method: "POST", headers, body: JSON.stringify(report("eight")) });
      assert.deepEqual((await deviceOf("eight")).warnings, ["token_changed"]);
      const admin = await api.tokenWith("admin:write");
      const refused = await api.service.http(REPORTS, {
        ...{ method: "POST", body: JSON.stringify(report("x")) },
        headers: { ...bearer(admin.token), "content-type": "application/json" },
      });
      assert.equal(refused.status, 403);
    });
  },
  { clock: "by-hand" },
);
