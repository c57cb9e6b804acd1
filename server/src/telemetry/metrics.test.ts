import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { callText } from "#test/mcp-messages";
import { type OwnService, startService } from "#test/start-service";
import { until } from "#test/upstreams/caller";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

describe("metrics", () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let database: TestDatabase;
  let service: OwnService;
  let upstream: RawUpstream;
  let bot: MachineUser;
  let calls = 0;

  before(async () => {
    database = await openTestSqlite();
    upstream = await startRawUpstream({
      gate: ({ method }) => (method === "tools/call" && upstream.count("tools/call") > 2 ? released : undefined),
    });
    service = await startService(database, { config: { metricsPort: 0 } });
    await createSyncedServer(service, "Echo", upstream.url);
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { slugs: ["echo"], emails: [bot.email] });
  });
  after(async () => {
    release();
    await service.close();
    await upstream.close();
    await database.close();
  });

  const call = (tool = "echo__echo") =>
    service.mcp(bot.credential, callText({ era: "legacy", id: String(++calls), tool, arguments: "{}" }));
  const send = (path: string, options: { method?: string; headers?: Record<string, string> } = {}) =>
    new Promise<{ status: number | undefined; type: string | undefined; body: string }>((resolve, reject) => {
      get(`${service.metricsUrl}${path}`, { agent: false, ...options }, (response) => {
        text(response).then((body) => {
          resolve({ status: response.statusCode, type: response.headers["content-type"], body });
        }, reject);
      }).on("error", reject);
    });
  const scrape = async () => {
    const { status, type, body } = await send("/metrics");
    assert.deepEqual([status, type], [200, "text/plain; version=0.0.4; charset=utf-8"]);
    return body.split("\n");
  };
  const read = (lines: readonly string[], series: string) => {
    const line = lines.find((each) => each.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  };

  it("count calls at the gateway and requests to servers, with outcome and duration", async () => {
    for (const tool of ["echo__echo", "echo__echo", "echo__none"]) assert.equal((await call(tool)).status, 200);
    const lines = await scrape();
    const server = "mcp_server_operation_duration_seconds";
    assert.equal(read(lines, `${server}_count{mcp_method_name="tools/call",error_type=""}`), 2);
    assert.equal(read(lines, `${server}_count{mcp_method_name="tools/call",error_type="denied"}`), 1);
    const client = "mcp_client_operation_duration_seconds";
    assert.equal(read(lines, `${client}_count{server="echo",mcp_method_name="tools/call",error_type=""}`), 2);
    assert.equal(
      read(lines, `${client}_bucket{server="echo",mcp_method_name="tools/call",error_type="",le="+Inf"}`),
      2,
    );
    assert.ok((read(lines, `${client}_sum{server="echo",mcp_method_name="tools/call",error_type=""}`) ?? 0) > 0);
  });

  it("report the current state: requests in flight, call log, database, snapshot", async () => {
    const inProgress = call();
    await until(() => upstream.count("tools/call") === 3);
    const lines = await scrape();
    assert.equal(read(lines, 'gatehouse_upstream_in_flight{server="echo"}'), 1);
    assert.equal(read(lines, 'gatehouse_upstream_queued{server="echo"}'), 0);
    assert.equal(read(lines, 'gatehouse_upstream_paused{server="echo"}'), 0);
    assert.equal(read(lines, "gatehouse_upstream_calls"), 1);
    assert.equal(read(lines, "gatehouse_call_log_writable"), 1);
    assert.equal(read(lines, "gatehouse_database_up"), 1);
    assert.equal(read(lines, "gatehouse_overloaded"), 0);
    for (const reason of ["unread", "pipelined", "limit"])
      assert.equal(read(lines, `gatehouse_closed_connections_total{reason="${reason}"}`), 0);
    assert.equal(read(lines, "gatehouse_snapshot_servers"), 1);
    assert.ok((read(lines, "gatehouse_snapshot_revision") ?? 0) > 0);
    assert.ok((read(lines, "gatehouse_snapshot_age_seconds") ?? -1) >= 0);
    release();
    await inProgress;
    // Listing waits until all answered calls are in the database.
    await service.api("GET", "/api/logs");
    assert.equal(read(await scrape(), "gatehouse_call_log_waiting"), 0);
  });

  it("count invalid credentials on both planes", async () => {
    const series = (plane: string) => `gatehouse_auth_failures_total{plane="${plane}"}`;
    const before = await scrape();
    await service.mcp("wrong:wrong", { jsonrpc: "2.0", id: 1, method: "ping" });
    await service.http("/api/groups", { headers: { authorization: "Bearer wrong" } });
    const lines = await scrape();
    for (const plane of ["gateway", "api"]) {
      assert.equal(read(lines, series(plane)), (read(before, series(plane)) ?? 0) + 1, plane);
    }
  });

  it("are well formed: each family has a help text and a type, and no series is duplicated", async () => {
    const lines = await scrape();
    const families = new Set(
      lines.flatMap((line) => /^# TYPE (\w+) (?:gauge|counter|histogram)$/.exec(line)?.[1] ?? []),
    );
    const series = lines.filter((line) => line !== "" && !line.startsWith("#"));
    assert.ok(series.length > 50);
    for (const line of series) {
      const [, name = "", value] = /^(\w+)(?:\{(?:\w+="(?:[^"\\]|\\.)*",?)+\})? (\S+)$/.exec(line) ?? [];
      assert.ok(families.has(name) || families.has(name.replace(/_(?:bucket|sum|count)$/, "")), line);
      assert.ok(Number.isFinite(Number(value)), line);
      assert.doesNotMatch(line, /[{,](?:job|instance)="/, "a label that Prometheus sets itself");
    }
    const names = series.map((line) => line.slice(0, line.lastIndexOf(" ")));
    assert.equal(new Set(names).size, names.length);
  });

  it("include every metric that the dashboard and the alert rules in deploy/ use", async () => {
    const families = new Set((await scrape()).flatMap((line) => /^# TYPE (\w+) /.exec(line)?.[1] ?? []));
    for (const file of ["grafana/gatehouse.json", "prometheus/alerts.yml"]) {
      const content = readFileSync(new URL(`../../../deploy/${file}`, import.meta.url), "utf8");
      const named = new Set(content.match(/\b(?:mcp|gatehouse|process|nodejs)_[a-z0-9_]+/g));
      for (const label of ["mcp_method_name"]) named.delete(label);
      assert.ok(named.size > 10, file);
      for (const name of named) {
        const isExported = families.has(name) || families.has(name.replace(/_(?:bucket|sum|count)$/, ""));
        assert.ok(isExported, `${file} names ${name}`);
      }
    }
  });

  it("are served only at /metrics on their own port and host name", async () => {
    assert.equal((await send("/")).status, 404);
    assert.equal((await send("/metrics", { method: "POST" })).status, 405);
    assert.equal((await send("/metrics", { headers: { host: "evil.example.com" } })).status, 403);
    assert.equal((await service.http("/metrics")).status, 404);
  });
});
