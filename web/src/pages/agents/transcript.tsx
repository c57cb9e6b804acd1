import { Loader } from "@mantine/core";
import { TextLink } from "../../components/links.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import type { Session, Step } from "./agents.ts";

/** What was asked, what happened, and the output. Live while the session runs. */
export function Transcript({ session, steps }: { session: Session; steps: readonly Step[] }) {
  return (
    <ol className="gh-transcript" aria-label="Transcript" aria-live="polite">
      <Entry title="Input">
        <pre>{session.input}</pre>
      </Entry>
      {steps.map((step) => (
        <StepEntry key={step.index} step={step} />
      ))}
      {session.ended_at === null && (
        <li className="gh-transcript-open">
          <Loader size="xs" aria-hidden />
          {session.status === "queued" ? "Waiting for its turn" : "Working"}
        </li>
      )}
    </ol>
  );
}

function StepEntry({ step }: { step: Step }) {
  const { type, text, tool_name: tool, arguments: input, is_error: isError, guard, duration_ms: ms, tokens } = step;
  // An answer that only calls tools has no text; the calls follow.
  if (type === "model" && !text) return null;
  const details = [
    ms > 0 ? `${ms.toLocaleString("en")} ms` : undefined,
    tokens ? `${(tokens.input + tokens.output).toLocaleString("en")} tokens` : undefined,
  ].filter((detail) => detail !== undefined);
  return (
    <Entry title={TITLES[type]} tool={tool} details={details.join(" · ")}>
      {(isError || guard) && (
        <div className="gh-transcript-marks">
          {isError && <StatusPill tone="bad">Error</StatusPill>}
          {guard && (
            <TextLink to="/guards/$slug" params={{ slug: guard }} size="sm">
              {`Guard ${guard}`}
            </TextLink>
          )}
        </div>
      )}
      <pre>{type === "tool_call" ? (input ?? "{}") : (text ?? "")}</pre>
      {step.truncated && <span className="gh-dim">The rest is not stored.</span>}
    </Entry>
  );
}

const TITLES: Readonly<Record<Step["type"], string>> = {
  model: "Agent",
  tool_call: "Tool call",
  tool_result: "Result",
  approval: "Approval",
  error: "Error",
};

interface EntryProps {
  readonly title: string;
  readonly tool?: string | null;
  readonly details?: string;
  readonly children: React.ReactNode;
}

function Entry({ title, tool, details, children }: EntryProps) {
  return (
    <li>
      <div className="gh-transcript-head">
        <strong>{title}</strong>
        {tool && <code className="gh-truncate">{tool}</code>}
        {details && <span className="gh-dim">{details}</span>}
      </div>
      {children}
    </li>
  );
}
