import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { it } from "node:test";
import { makeDataDir } from "#test/databases";
import { manyItems } from "#test/discovery-report";
import { spawnService } from "./service-process.ts";

/** Fewer for a quick look: `DISCOVERY_DEVICES=1000`. */
const DEVICES = Number(process.env.DISCOVERY_DEVICES ?? 10_000);
/** Devices that send at the same time. Reports wait briefly for others, which are stored together. */
const CONCURRENT = 32;
const READS = 15;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

it(`ingests, lists, summarizes and evaluates ${DEVICES} devices`, async (test) => {
  const dataDir = await makeDataDir();
  const token = randomBytes(24).toString("hex");
  const service = await spawnService({ token, environment: { DATA_DIR: dataDir } }).ready;
  try {
    const sendAll = async () => {
      let next = 0;
      const startedAt = performance.now();
      const worker = async () => {
        for (let device = next++; device < DEVICES; device = next++) {
          const { status, text } = await service.api("POST", "/api/ai-discovery/reports", manyItems(device));
          assert.equal(status, 200, text);
        }
      };
      await Promise.all(Array.from({ length: CONCURRENT }, worker));
      return DEVICES / ((performance.now() - startedAt) / 1000);
    };
    test.diagnostic(`first reports: ${(await sendAll()).toFixed(0)}/s`);
    test.diagnostic(`repeated reports: ${(await sendAll()).toFixed(0)}/s`);
    for (const path of [
      "summary",
      "mcp-servers?sort=risk&order=desc",
      "agent-memory?search=project-1",
      "devices",
      "violations?status=open",
    ]) {
      const times: number[] = [];
      for (let read = 0; read < READS; read++) {
        const startedAt = performance.now();
        assert.equal((await service.api("GET", `/api/ai-discovery/${path}`)).status, 200);
        times.push(performance.now() - startedAt);
      }
      test.diagnostic(`${path}: p50 ${median(times).toFixed(0)} ms`);
    }
    const rule = { name: "All", kind: "mcp_server", action: "block", match: { name: ["*"] } };
    const dryRunAt = performance.now();
    const dry = await service.api("POST", "/api/ai-discovery-policy/dry-run", { rules: [rule] });
    assert.equal(dry.body.data.totals.warn, 0);
    test.diagnostic(`dry run: ${((performance.now() - dryRunAt) / 1000).toFixed(1)} s`);
    const startedAt = performance.now();
    await service.api("POST", "/api/ai-discovery-policy/rules", rule);
    for (;;) {
      const { data } = (await service.api("GET", "/api/ai-discovery-policy")).body;
      if (data.devices_to_evaluate === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    test.diagnostic(`evaluation of every instance: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    const { data } = (await service.api("GET", "/api/ai-discovery/summary")).body;
    assert.equal(data.violations.block, DEVICES * 12);
    assert.deepEqual([data.violations.warn, data.devices.active], [0, DEVICES]);
  } finally {
    await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
});
