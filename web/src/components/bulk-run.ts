import { useRef, useState } from "react";
import { failsEveryRequest } from "./failure.ts";

/** Something that a run works on. */
export interface BulkItem {
  readonly key: string;
  readonly name: string;
}

export interface BulkFailure {
  readonly item: BulkItem;
  readonly error: unknown;
}

export interface BulkRun {
  /** "Activating": what is done to each. */
  readonly title: string;
  readonly items: readonly BulkItem[];
  readonly done: number;
  readonly failures: readonly BulkFailure[];
  readonly state: "running" | "stopping" | "over";
}

export interface BulkRunner {
  readonly run: BulkRun | undefined;
  readonly isRunning: boolean;
  /** One after the other, so that each has its own outcome. Answers what is not done: what failed and what was not tried. */
  start(title: string, items: readonly BulkItem[], work: (item: BulkItem) => Promise<unknown>): Promise<BulkItem[]>;
  /** What is under way is finished, and nothing more is begun. */
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
      const tell = (state: BulkRun["state"]) => setRun({ title, items, done, failures: [...failures], state });
      tell("running");
      for (const item of items) {
        if (isStopped.current) break;
        try {
          await work(item);
        } catch (error) {
          failures.push({ item, error });
          if (failsEveryRequest(error)) isStopped.current = true;
        }
        done++;
        tell(isStopped.current ? "stopping" : "running");
      }
      tell("over");
      return [...failures.map(({ item }) => item), ...items.slice(done)];
    },
    stop() {
      isStopped.current = true;
      setRun((now) => now && { ...now, state: "stopping" });
    },
    close: () => setRun(undefined),
  };
}
