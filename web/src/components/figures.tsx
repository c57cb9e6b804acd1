import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import "./figures.css";

interface FiguresProps {
  /** A value that is not known yet is undefined. */
  readonly items: ReadonlyArray<{ readonly label: string; readonly value: string | undefined }>;
  readonly children?: ReactNode;
}

/** A few numbers in a row, and a picture of how they came about. */
export function Figures({ items, children }: FiguresProps) {
  return (
    <div className="gh-figures">
      <dl>
        {items.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value ?? <Skeleton height={20} width={48} />}</dd>
          </div>
        ))}
      </dl>
      {children}
    </div>
  );
}

interface BarsProps {
  readonly label: string;
  readonly values: ReadonlyArray<{ readonly whole: number; readonly bad: number }>;
}

/** Many small bars: a shape to see at a glance, the numbers stand beside it. */
export function Bars({ label, values }: BarsProps) {
  const most = Math.max(1, ...values.map(({ whole }) => whole));
  return (
    <div className="gh-bars" role="img" aria-label={label}>
      {values.map(({ whole, bad }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is known by its place alone.
        <span key={at} style={{ height: `${(100 * whole) / most}%` }}>
          <span style={{ height: whole === 0 ? 0 : `${(100 * bad) / whole}%` }} />
        </span>
      ))}
    </div>
  );
}
