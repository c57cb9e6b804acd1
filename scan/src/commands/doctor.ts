import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { describeDevice } from "../device.ts";
import { EXIT, print } from "../output.ts";
import { currentPolicy, deviceIdOf } from "../policy-cache.ts";
import { Service } from "../service.ts";
import type { Flags, Settings } from "../settings.ts";
import { StateFolder } from "../state.ts";

interface Check {
  readonly name: string;
  readonly status: "ok" | "warning" | "failed";
  readonly detail: string;
}

export async function runDoctor(settings: Settings, { json }: Flags): Promise<number> {
  const checks = [
    checkRuntime(),
    checkHome(settings),
    checkState(settings),
    checkConfigFile(settings),
    ...(await checkService(settings)),
  ];
  if (json) print(JSON.stringify(checks, null, 2));
  else for (const { name, status, detail } of checks) print(`${status.padEnd(8)} ${name}: ${detail}`);
  return checks.some(({ status }) => status === "failed") ? EXIT.failure : EXIT.clean;
}

function checkRuntime(): Check {
  return { name: "Node.js", status: "ok", detail: process.version };
}

function checkHome({ home }: Settings): Check {
  return attempt("Home folder", () => {
    accessSync(home, constants.R_OK);
    return home;
  });
}

function checkState({ stateDir }: Settings): Check {
  return attempt("State folder", () => {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    accessSync(stateDir, constants.W_OK);
    return stateDir;
  });
}

/** The file can contain the token, so other users must not read it. */
function checkConfigFile({ configFile }: Settings): Check {
  const name = "Configuration file";
  let mode: number;
  try {
    mode = statSync(configFile).mode;
  } catch {
    return { name, status: "ok", detail: `${configFile} does not exist` };
  }
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    return {
      name,
      status: "warning",
      detail: `${configFile} is readable by other users. Run: chmod 600 ${configFile}`,
    };
  }
  return { name, status: "ok", detail: configFile };
}

async function checkService(settings: Settings): Promise<Check[]> {
  const name = "Service";
  try {
    const state = new StateFolder(settings.stateDir);
    const id = deviceIdOf(state, { device: describeDevice(settings, []) });
    const current = await currentPolicy(state, new Service(settings, 100), id, Date.now());
    if (current === undefined)
      return [{ name, status: "failed", detail: `${settings.url} is not reachable, or is not Gatehouse` }];
    const { policy, staleSince, unavailable } = current;
    if (unavailable !== undefined) {
      const stored = staleSince === undefined ? "The stored policy applies" : `The policy of ${staleSince} is too old`;
      return [{ name, status: "failed", detail: `${unavailable}. ${stored}.` }];
    }
    return [{ name, status: "ok", detail: `policy version ${policy.version}, ${policy.enforcement}` }];
  } catch (error) {
    return [{ name, status: "failed", detail: (error as Error).message }];
  }
}

function attempt(name: string, check: () => string): Check {
  try {
    return { name, status: "ok", detail: check() };
  } catch (error) {
    return { name, status: "failed", detail: (error as Error).message };
  }
}
