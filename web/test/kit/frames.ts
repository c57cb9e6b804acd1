import type { Page } from "playwright-core";

/** Frame durations during an interaction. */
export interface FrameTimes {
  readonly frames: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly longestMs: number;
  /** Frames longer than three frames at 60 Hz, which are noticeable. */
  readonly noticed: number;
}

/** Web vitals as reported by the browser. Null: not measured. */
export interface Vitals {
  readonly lcpMs: number | null;
  /** The slowest interaction until its paint. */
  readonly inpMs: number | null;
  /** Cumulative layout shift without user input. */
  readonly layoutShift: number;
}

export interface FrameMeter {
  during(act: () => Promise<unknown>): Promise<FrameTimes>;
  /** Scrolls with the mouse wheel, one turn per frame. */
  wheel(turns: number, pixels: number): Promise<FrameTimes>;
  vitals(): Promise<Vitals>;
  /** The number of rendered table rows. */
  rowsDrawn(): Promise<number>;
}

const NOTICED_MS = 50;

/** Runs before the page's scripts. */
const OBSERVE = `{
  const seen = (globalThis.__vitals = { lcp: null, shift: 0, slowest: null });
  const observe = (type, each, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true, ...options });
  observe("largest-contentful-paint", (entry) => (seen.lcp = entry.startTime));
  observe("layout-shift", (entry) => entry.hadRecentInput || (seen.shift += entry.value));
  observe("event", (entry) => entry.interactionId && (seen.slowest = Math.max(seen.slowest ?? 0, entry.duration)), {
    durationThreshold: 16,
  });
}`;

const BEGIN = `{
  const taken = (globalThis.__frames = []);
  let last = performance.now();
  const frame = (now) => {
    if (globalThis.__frames !== taken) return;
    taken.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}`;

const END = `(() => {
  const taken = globalThis.__frames;
  globalThis.__frames = undefined;
  return taken.slice(1);
})()`;

/** Call before the page is opened. */
export async function meterFrames(page: Page): Promise<FrameMeter> {
  await page.addInitScript(OBSERVE);
  const during: FrameMeter["during"] = async (act) => {
    await page.evaluate(BEGIN);
    await act();
    return summed(await page.evaluate<number[]>(END));
  };
  return {
    during,
    wheel: (turns, pixels) =>
      during(async () => {
        for (let turn = 0; turn < turns; turn++) {
          await page.mouse.wheel(0, pixels);
          await page.evaluate("new Promise((painted) => requestAnimationFrame(painted))");
        }
      }),
    async vitals() {
      const read = "globalThis.__vitals";
      const { lcp, shift, slowest } = await page.evaluate<Record<"lcp" | "slowest", number | null> & { shift: number }>(
        read,
      );
      return { lcpMs: lcp, inpMs: slowest, layoutShift: shift };
    },
    rowsDrawn: () => page.locator("tbody tr:not([aria-hidden])").count(),
  };
}

function summed(times: readonly number[]): FrameTimes {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return {
    frames: sorted.length,
    medianMs: at(0.5),
    p95Ms: at(0.95),
    longestMs: at(1),
    noticed: sorted.filter((ms) => ms > NOTICED_MS).length,
  };
}

export function formatFrameTimes({ frames, medianMs, p95Ms, longestMs, noticed }: FrameTimes): string {
  const ms = (value: number) => value.toFixed(1);
  return `${frames} frames: median ${ms(medianMs)}, p95 ${ms(p95Ms)}, longest ${ms(longestMs)} ms; ${noticed} over ${NOTICED_MS} ms`;
}
