import { useRef, useState } from "react";
import { failsEveryRequest } from "./failure.ts";

/** One record that a bulk action changes. */
export interface BulkItem {
  readonly key: string;
  readonly name: string;
}

export interface BulkFailure {
  readonly item: BulkItem;
  readonly error: unknown;
}

export interface BulkRun {
  /** The action in progress: "Activating". */
  readonly title: string;
  readonly items: readonly BulkItem[];
  readonly done: number;
  readonly failures: readonly BulkFailure[];
  readonly state: "running" | "stopping" | "over";
}

export interface BulkRunner {
  readonly run: BulkRun | undefined;
  readonly isRunning: boolean;
  /** Runs sequentially, so that each item has its own result. Returns the items that failed or were not tried. */
  start(title: string, items: readonly BulkItem[], work: (item: BulkItem) => Promise<unknown>): Promise<BulkItem[]>;
  /** Finishes the current item and starts no other. */
  stop(): void;
  close(): void;
}

export function useBulkRunner(): BulkRunner {
  const [run, setRun] = useState<BulkRun>();
  const isStopped = useRef(false);
  return {
    run,
    isRunning: run !== undefined && run.state !== "over",
    async start(title, items, work) {
      isStopped.current = false;
      const failures: BulkFailure[] = [];
      let done = 0;
      const report = (state: BulkRun["state"]) => setRun({ title, items, done, failures: [...failures], state });
      report("running");
      for (const item of items) {
        if (isStopped.current) break;
        try {
          await work(item);
        } catch (error) {
          failures.push({ item, error });
          if (failsEveryRequest(error)) isStopped.current = true;
        }
        done++;
        report(isStopped.current ? "stopping" : "running");
      }
      report("over");
      return [...failures.map(({ item }) => item), ...items.slice(done)];
    },
    stop() {
      isStopped.current = true;
      setRun((now) => now && { ...now, state: "stopping" });
    },
    close: () => setRun(undefined),
  };
}
