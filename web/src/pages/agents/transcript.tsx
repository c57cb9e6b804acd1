import { Loader, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { parseVerbatim } from "#openapi/json";
import { JsonView } from "../../components/json-view.tsx";
import { LinkButton, TextLink } from "../../components/links.tsx";
import { Markdown } from "../../components/markdown.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { duration } from "../logs/call-labels.ts";
import type { Session, Step } from "./agents.ts";
import { type Entry, entriesOf } from "./entries.ts";

/** What was asked, what happened, and the output. Live while the session runs. */
export function Transcript({ session, steps }: { session: Session; steps: readonly Step[] }) {
  return (
    <ol className="gh-transcript" aria-label="Transcript" aria-live="polite">
      <Item title="Input">
        <p className="gh-transcript-text">{session.input}</p>
      </Item>
      {entriesOf(steps).map((entry) =>
        entry.kind === "call" ? (
          <CallItem key={entry.key} entry={entry} />
        ) : (
          <TextItem key={entry.key} step={entry.step} />
        ),
      )}
      {session.ended_at === null && <OpenItem session={session} />}
    </ol>
  );
}

function OpenItem({ session: { status, approval_id: approvalId } }: { session: Session }) {
  if (status === "waiting_approval") {
    return (
      <li className="gh-transcript-open" data-tone="warn">
        <span>The last call waits for an approval.</span>
        {approvalId !== null && (
          <LinkButton to="/approvals/$id" params={{ id: approvalId }} variant="default" size="xs">
            Review call
          </LinkButton>
        )}
      </li>
    );
  }
  return (
    <li className="gh-transcript-open">
      <Loader size="xs" aria-hidden />
      {status === "queued" ? "Waiting for other sessions of this agent to end" : "Working"}
    </li>
  );
}

/** An answer of the model, or an error. */
function TextItem({ step }: { step: Step }) {
  const { type, text, duration_ms: ms, tokens, is_error: isError } = step;
  const count = tokens ? tokens.input + tokens.output : undefined;
  const details = [
    ...(ms > 0 ? [duration(ms)] : []),
    ...(count === undefined ? [] : [`${count.toLocaleString("en")} tokens`]),
  ];
  return (
    <Item
      title={type === "error" ? "Error" : "Agent"}
      tone={isError ? "bad" : undefined}
      details={details.join(" · ")}
      isCut={step.truncated}
    >
      {type === "model" && text ? <Markdown text={text} /> : <p className="gh-transcript-text">{text}</p>}
    </Item>
  );
}

/** A tool call with the decision about it and its result. */
function CallItem({ entry: { call, approvals, result } }: { entry: Extract<Entry, { kind: "call" }> }) {
  const guards = guardsOf(call, result);
  const tone = result?.is_error ? "bad" : undefined;
  return (
    <Item
      title="Tool call"
      tool={call.tool_name}
      tone={tone}
      details={result && result.duration_ms > 0 ? duration(result.duration_ms) : undefined}
      isCut={call.truncated || result?.truncated === true}
      marks={
        <>
          {result && (
            <StatusPill tone={result.is_error ? "bad" : "good"}>{result.is_error ? "Error" : "OK"}</StatusPill>
          )}
          {guards.map(({ slug, label }) => (
            <TextLink key={label} to="/guards/$slug" params={{ slug }} size="sm">
              {label}
            </TextLink>
          ))}
          {approvals.map(({ approval_id: id, duration_ms: waited }) =>
            id === null ? null : (
              <TextLink key={id} to="/approvals/$id" params={{ id }} size="sm">
                {`Approval after ${duration(waited)}`}
              </TextLink>
            ),
          )}
        </>
      }
    >
      {call.arguments === null ? <WithheldArguments call={call} /> : <Arguments text={call.arguments} />}
      {result && <Result text={result.text ?? ""} />}
    </Item>
  );
}

const ACTIONS = {
  warn: "Warning from",
  redact: "redacted by",
  block: "Blocked by",
  require_approval: "Held by",
} as const;

/** One mark for each guard and action; a redaction names what was redacted. */
function guardsOf(call: Step, result: Step | undefined): { slug: string; label: string }[] {
  const parts = [
    { step: call, part: "Arguments" },
    { step: result, part: "Result" },
  ];
  const marks = parts.flatMap(({ step, part }) => {
    if (!step?.guard || !step.guard_action) return [];
    // The result of a blocked or held call names the guard again.
    const isRepeated = step === result && step.guard === call.guard && step.guard_action === call.guard_action;
    if (isRepeated && step.guard_action !== "redact") return [];
    const action = ACTIONS[step.guard_action];
    const label = step.guard_action === "redact" ? `${part} ${action} ${step.guard}` : `${action} ${step.guard}`;
    return [{ slug: step.guard, label }];
  });
  return marks;
}

function WithheldArguments({ call: { guard_action: action } }: { call: Step }) {
  const reason =
    action === "require_approval"
      ? "Arguments are in the approval."
      : action === "block"
        ? "Arguments are not stored, because a guard blocked the call."
        : "Arguments are not stored, because the call did not leave the gateway.";
  return (
    <Text size="sm" c="dimmed">
      {reason}
    </Text>
  );
}

function Arguments({ text }: { text: string }) {
  const value = parsed(text);
  if (text === "{}") return null;
  return (
    <>
      <p className="gh-transcript-part">Arguments</p>
      {value === undefined ? <Plain text={text} /> : <JsonView value={value} label="Arguments" />}
    </>
  );
}

/** Many tools return JSON as text. */
function Result({ text }: { text: string }) {
  const value = /^\s*[[{]/.test(text) ? parsed(text) : undefined;
  return (
    <>
      <p className="gh-transcript-part">Result</p>
      {value === undefined ? <Plain text={text} /> : <JsonView value={value} label="Result" />}
    </>
  );
}

function Plain({ text }: { text: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
  return <pre tabIndex={0}>{text === "" ? "(empty)" : text}</pre>;
}

function parsed(text: string): unknown {
  try {
    return parseVerbatim(text);
  } catch {
    return undefined;
  }
}

interface ItemProps {
  readonly title: string;
  readonly tool?: string | null;
  readonly details?: string | undefined;
  readonly tone?: "bad" | undefined;
  readonly marks?: ReactNode;
  readonly isCut?: boolean;
  readonly children: ReactNode;
}

function Item({ title, tool, details, tone, marks, isCut = false, children }: ItemProps) {
  return (
    <li data-tone={tone}>
      <div className="gh-transcript-head">
        <strong>{title}</strong>
        {tool && <code>{tool}</code>}
        {marks}
        {details && <span className="gh-dim">{details}</span>}
      </div>
      {children}
      {isCut && (
        <Text size="sm" c="dimmed">
          The rest is not stored.
        </Text>
      )}
    </li>
  );
}
