import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import "./figures.css";

interface FiguresProps {
  /** Undefined while the value loads. */
  readonly items: ReadonlyArray<{ readonly label: string; readonly value: string | undefined }>;
  readonly children?: ReactNode;
}

/** A row of numbers with a chart. */
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

/** A small bar chart without axes. */
export function Bars({ label, values }: BarsProps) {
  const most = Math.max(1, ...values.map(({ whole }) => whole));
  return (
    <div className="gh-bars" role="img" aria-label={label}>
      {values.map(({ whole, bad }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity other than their position.
        <span key={at} style={{ height: `${(100 * whole) / most}%` }}>
          <span style={{ height: whole === 0 ? 0 : `${(100 * bad) / whole}%` }} />
        </span>
      ))}
    </div>
  );
}
