import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { makeDataDir } from "../databases.ts";

const BIN = fileURLToPath(new URL("../../../dist/bin/gatehouse.mjs", import.meta.url));
const REJECT_ON_SIGNAL = 'process.on("SIGUSR2", () => Promise.reject(new Error("no one awaits this")))';

it("an unhandled rejection ends the service with an error message (OPS-12)", async (t) => {
  const dataDir = await makeDataDir();
  const service = spawn(process.execPath, ["--import", `data:text/javascript,${REJECT_ON_SIGNAL}`, BIN, "serve"], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: "0", REGISTRY_SYNC: "off" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(async () => {
    service.kill("SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
  });
  const ended = once(service, "close");
  let stderr = "";
  service.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  let stdout = "";
  for await (const text of service.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    stdout += text;
    if (/Gatehouse is running/.test(stdout)) break;
  }
  service.stdout.resume();
  service.kill("SIGUSR2");
  assert.deepEqual((await ended)[0], 1);
  assert.match(stderr, /no one awaits this/);
});
