import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { after, it } from "node:test";
import { makeDataDir } from "../databases.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
let child: ChildProcess | undefined;
let dataDir: string | undefined;
after(() => {
  child?.kill("SIGKILL");
  if (dataDir) rmSync(dataDir, { recursive: true, force: true });
});

it("a service started with npm start stops when npm is stopped, and leaves no process behind (OPS-1)", async () => {
  dataDir = await makeDataDir();
  const env = { PATH: process.env.PATH, PORT: "0", DATA_DIR: dataDir, DRAIN_SECONDS: "0", REGISTRY_SYNC: "off" };
  // Skips the prestart script, which builds the admin app.
  const npm = spawn("npm", ["start", "--ignore-scripts"], { cwd: ROOT, env, stdio: ["ignore", "pipe", "ignore"] });
  child = npm;
  let printed = "";
  for await (const chunk of npm.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (printed.includes("Gatehouse is running")) break;
  }
  npm.kill("SIGTERM");
  npm.stdout.resume();
  // The output closes when the last process that holds it exits.
  const [code] = await once(npm, "close", { signal: AbortSignal.timeout(60_000) });
  assert.notEqual(code, undefined);
});
