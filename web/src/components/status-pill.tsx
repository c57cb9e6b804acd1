import type { ReactNode } from "react";
import type { Tone } from "./tone.ts";
import "./status-pill.css";

/** How something stands, in a word; the colour only says it again. */
export function StatusPill({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className="gh-pill" data-tone={tone}>
      {children}
    </span>
  );
}
