/** What differs in a worker of a supervisor (decision 0145). Without a supervisor, nothing here does anything. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { forwardRequest } from "#egress/forward-request";
import type { Gateway } from "#gateway/gateway";
import type { Timer } from "#lib/clock";
import { Refusal } from "#lib/errors";
import type { Publisher } from "#publish/publisher";
import type { WorkerLink } from "#workers/worker-link";
import type { World } from "./app-shape.ts";

/** The parts of the data plane that other workers use. */
interface SharedPlane {
  readonly publisher: Pick<Publisher, "applyUpTo" | "catchUp" | "isRestored">;
  readonly gateway: Pick<Gateway, "callLimiter">;
  callsStored(): Promise<void>;
}

/** A request waits this long while the control worker restarts. */
const WAIT_FOR_CONTROL_MS = 60_000;
/** How far the counts of callers' limits can lag behind those of the other workers (decision 0146). */
const SHARE_COUNTS_MS = 100;

/** Whether this process has the control plane and the jobs. */
export function isControl({ worker }: Pick<World, "worker">): boolean {
  return worker?.isControl ?? true;
}

/** Resolves when the snapshots of this process and of all other workers hold the revision. */
export async function publishEverywhere(
  publisher: Pick<Publisher, "applyUpTo">,
  worker: WorkerLink | undefined,
  revision: number,
): Promise<void> {
  if (!worker) return publisher.applyUpTo(revision);
  const [isApplied] = await Promise.all([worker.applyElsewhere(revision), publisher.applyUpTo(revision)]);
  if (isApplied) return;
  throw new Refusal("unavailable", "The change is stored but not yet in effect in every worker", {
    retryAfterSeconds: 1,
  });
}

/** Handles the requests that are not for the gateway: only the control worker answers them. */
export function forwardToControl({
  worker,
  clock,
}: World): (request: IncomingMessage, response: ServerResponse) => void {
  const target = { socketPath: () => worker?.controlSocket, clock, waitMs: WAIT_FOR_CONTROL_MS };
  return (request, response) => void forwardRequest(request, response, target);
}

/** From the join on, every write waits for this worker; everything written before is read here. */
export async function joinWorkers(worker: WorkerLink, plane: SharedPlane, metrics: () => string): Promise<void> {
  const { publisher, gateway } = plane;
  await worker.join({
    apply: (revision) => publisher.applyUpTo(revision),
    storeCalls: () => plane.callsStored(),
    metrics,
    counted: (from, entries) => gateway.callLimiter.addReport(from, entries),
    gone: (from) => gateway.callLimiter.forgetReports(from),
  });
  // While the database is away, the stored snapshot is all there is.
  if (!publisher.isRestored()) await publisher.catchUp();
}

export function startSharingCounts(
  { worker, clock }: World,
  { callLimiter }: Pick<Gateway, "callLimiter">,
): { stop(): void } | undefined {
  if (!worker) return undefined;
  let timer: Timer;
  const share = () => {
    const report = callLimiter.takeReport();
    if (report.length > 0) worker.reportCounts(report);
    timer = clock.after(SHARE_COUNTS_MS, share);
  };
  share();
  return { stop: () => timer.cancel() };
}
