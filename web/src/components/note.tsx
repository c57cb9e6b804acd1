import type { ReactNode } from "react";
import type { Tone } from "./tone.ts";
import "./states.css";

export type { Tone } from "./tone.ts";

/** An inline message. */
export function Note({ tone = "quiet", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div className="gh-note" data-tone={tone}>
      {children}
    </div>
  );
}
