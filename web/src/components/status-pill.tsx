import type { ReactNode } from "react";
import type { Tone } from "./tone.ts";
import "./status-pill.css";

/** A status label. The color only repeats the text. */
export function StatusPill({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className="gh-pill" data-tone={tone}>
      {children}
    </span>
  );
}
