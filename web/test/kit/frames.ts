import type { Page } from "playwright-core";

/** How long frames took while somebody did something. */
export interface FrameTimes {
  readonly frames: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly longestMs: number;
  /** Those that took longer than three of a screen with 60 a second: what an eye notices. */
  readonly noticed: number;
}

/** What people feel of a page, as the browser itself tells it. Null: nothing of the kind happened. */
export interface Vitals {
  readonly lcpMs: number | null;
  /** The slowest answer to a click or a key, until it was painted. */
  readonly inpMs: number | null;
  /** How far things moved that nobody had touched. */
  readonly layoutShift: number;
}

export interface FrameMeter {
  during(act: () => Promise<unknown>): Promise<FrameTimes>;
  /** Turns the wheel so many times, a notch each frame or as fast as the page follows. */
  wheel(turns: number, pixels: number): Promise<FrameTimes>;
  vitals(): Promise<Vitals>;
  /** How many rows of tables really exist. */
  rowsDrawn(): Promise<number>;
}

const NOTICED_MS = 50;

/** Runs in the page before anything of its own does. */
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

/** To be asked for before the page is opened. */
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

export function inWords({ frames, medianMs, p95Ms, longestMs, noticed }: FrameTimes): string {
  const ms = (value: number) => value.toFixed(1);
  return `${frames} frames: median ${ms(medianMs)}, p95 ${ms(p95Ms)}, longest ${ms(longestMs)} ms; ${noticed} over ${NOTICED_MS} ms`;
}
