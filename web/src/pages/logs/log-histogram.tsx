import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import "./log-histogram.css";
import { calls as formatCalls } from "./call-labels.ts";
import { type Bars, formatSpan } from "./time-range.ts";

interface LogHistogramProps {
  readonly bars: Bars;
  readonly barMs: number;
  /** The ends of the time axis, in epoch milliseconds. */
  readonly from: number;
  readonly to: number;
  /** The user selected a time span. */
  onSelect(from: number, to: number): void;
}

interface Hovered {
  readonly index: number;
  readonly left: number;
}

const HEIGHT = 112;
const AXIS_WIDTH = 48;
const MINUTE_MS = 60_000;

/** Calls over time, with failed calls in the foreground. Dragging selects a time span. */
export function LogHistogram(props: LogHistogramProps) {
  const { bars, barMs, from, to } = props;
  const scheme = useComputedColorScheme("light");
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const [hovered, setHovered] = useState<Hovered>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chart reads its colors from the scheme's style sheet.
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const made = new uPlot(chartOptions(element, latest, setHovered), dataOf(latest.current.bars), element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [scheme]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chart reads the ends while it draws.
  useEffect(() => plot.current?.setData(dataOf(bars)), [bars, from, to]);
  return (
    <div ref={frame} className="gh-histogram" role="img" aria-label={summaryOf(bars)}>
      {hovered && <Tip bars={bars} barMs={barMs} hovered={hovered} />}
    </div>
  );
}

function Tip({ bars, barMs, hovered: { index, left } }: { bars: Bars; barMs: number; hovered: Hovered }) {
  const at = bars.at[index];
  if (at === undefined) return null;
  const errors = bars.errors[index] ?? 0;
  const x = left + AXIS_WIDTH;
  const side = left > 260 ? { right: `calc(100% - ${x - 8}px)` } : { left: `${x + 8}px` };
  return (
    <div className="gh-histogram-tip" style={side}>
      {formatSpan(at * 1000, at * 1000 + barMs)} · {formatCalls(bars.calls[index] ?? 0)}
      {errors > 0 && `, ${errors.toLocaleString("en")} failed`}
    </div>
  );
}

function summaryOf({ calls, errors }: Bars): string {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return `Calls over time: ${formatCalls(sum(calls))}, ${sum(errors).toLocaleString("en")} failed`;
}

function dataOf({ at, calls, errors }: Bars): uPlot.AlignedData {
  return [at, calls, errors];
}

function chartOptions(
  element: HTMLElement,
  latest: { readonly current: LogHistogramProps },
  onHover: (hovered: Hovered | undefined) => void,
): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const font = `11px ${style.fontFamily}`;
  const axis = { stroke: color("--mantine-color-dimmed"), font, ticks: { show: false } };
  const paths = uPlot.paths.bars?.({ size: [0.82, 28], align: 1, radius: 0.15 });
  const bar = (fill: string) => ({ fill, width: 0, points: { show: false }, ...(paths ? { paths } : {}) });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    padding: [8, 16, 0, 0],
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: true, y: false, setScale: false },
    },
    scales: {
      x: { time: true, range: () => [latest.current.from / 1000, latest.current.to / 1000] },
      y: { range: (_self, _min, most) => [0, Math.max(4, most * 1.08)] },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 24, space: 80, values: clockValues },
      {
        ...axis,
        size: AXIS_WIDTH,
        space: 32,
        grid: { stroke: color("--gh-line"), width: 1 },
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 1e7],
        values: (_self, values) => values.map((value) => compact.format(value)),
      },
    ],
    series: [{}, bar(color("--gh-bar")), bar(color("--gh-bar-bad"))],
    hooks: {
      setCursor: [
        (self) => {
          const { left = -1 } = self.cursor;
          // Selects the bar under the pointer, not the one whose start is nearest.
          const index = lastAtOrBefore(self.data[0], self.posToVal(left, "x"));
          onHover(left < 0 ? undefined : { index, left });
        },
      ],
      setSelect: [
        (self) => {
          const { left, width } = self.select;
          if (width < 2) return;
          const at = (position: number) => self.posToVal(position, "x") * 1000;
          const from = Math.floor(at(left) / MINUTE_MS) * MINUTE_MS;
          const to = Math.ceil(at(left + width) / MINUTE_MS) * MINUTE_MS;
          self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          latest.current.onSelect(from, to);
        },
      ],
    },
  };
}

const compact = new Intl.NumberFormat("en", { notation: "compact" });
const day = new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short" });
const clock = new Intl.DateTimeFormat("en-US", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** The time of day, and the date at midnight. */
function clockValues(_self: uPlot, times: number[]): string[] {
  return times.map((seconds) => {
    const at = new Date(seconds * 1000);
    return at.getHours() === 0 && at.getMinutes() === 0 ? day.format(at) : clock.format(at);
  });
}

function lastAtOrBefore(times: ArrayLike<number>, x: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((times[middle] ?? 0) <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}
