import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, printError } from "../output.ts";
import { Service } from "../service.ts";
import type { Flags, Settings } from "../settings.ts";
import { StateFolder } from "../state.ts";
import { enforceOnce } from "./enforce.ts";
import { sendReport } from "./report.ts";

const DEFAULT_INTERVAL_S = 3600;
const MIN_INTERVAL_S = 60;

/** Reports until SIGTERM or SIGINT. A failure is printed, and the next interval tries again. */
export async function runDaemon(settings: Settings, flags: Flags): Promise<number> {
  const service = new Service(settings);
  const state = new StateFolder(settings.stateDir);
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort());
  while (!stop.signal.aborted) {
    const seconds = await runOnce(settings, flags, service, state);
    await sleep(withJitter(seconds) * 1000, undefined, { signal: stop.signal }).catch(() => undefined);
  }
  return EXIT.clean;
}

/** Returns how long to wait. */
async function runOnce(settings: Settings, flags: Flags, service: Service, state: StateFolder): Promise<number> {
  try {
    return await state.exclusively(async () => {
      const { answer } = await sendReport(settings, service, state);
      if (settings.enforce) await enforceOnce(settings, flags, service, state);
      const requested = Number(answer?.next_scan_seconds);
      return settings.interval ?? (requested >= MIN_INTERVAL_S ? Math.min(requested, 86_400) : DEFAULT_INTERVAL_S);
    });
  } catch (error) {
    printError((error as Error).message);
    return settings.interval ?? DEFAULT_INTERVAL_S;
  }
}

/** Devices that start together do not report together. */
function withJitter(seconds: number): number {
  return seconds * (0.9 + Math.random() * 0.2);
}
