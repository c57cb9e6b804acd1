import { Button, Group, Progress, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconCheck, IconLink, IconPlayerPlay, IconPlayerStop } from "@tabler/icons-react";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import type { Gateway, GatewayTool } from "../../api/gateway.ts";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { useCopy } from "../../components/use-copy.ts";
import { duration } from "../logs/call-labels.ts";
import { type Problem, problemsOf } from "./check.ts";
import { JsonInput } from "./json-input.tsx";
import { QuestionForm } from "./question-form.tsx";
import { RunResult } from "./run-result.tsx";
import { type Run, type Running, useRunning } from "./runs.ts";
import { readSchema, startValue } from "./schema.ts";
import { SchemaField } from "./schema-form.tsx";
import { sharedArguments } from "./share.ts";

interface ToolRunnerProps {
  readonly gateway: Gateway;
  readonly tool: GatewayTool;
  /** Initial arguments from a link or the history. */
  readonly given: { readonly value: unknown; readonly isFromLink: boolean } | undefined;
  readonly run: Run | undefined;
  onRun(run: Run): void;
}

export function ToolRunner({ gateway, tool, given, run, onRun }: ToolRunnerProps) {
  const field = useMemo(() => readSchema(tool.inputSchema), [tool.inputSchema]);
  const [value, setValue] = useState(() => given?.value ?? startValue(field, true) ?? {});
  const [view, setView] = useState<"form" | "json">("form");
  const [isInvalid, setInvalid] = useState(false);
  /** Undefined until the first attempt to run: problems are not shown earlier. */
  const [problems, setProblems] = useState<readonly Problem[]>();
  const running = useRunning(gateway, onRun);
  const check = (next: unknown) => problemsOf(tool.inputSchema, next) ?? [];
  const change = (next: unknown) => {
    setValue(next ?? {});
    if (problems) setProblems(check(next ?? {}));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const found = check(value);
    setProblems(found);
    if (found.length === 0 && !isInvalid) return running.run(tool.name, value);
    // After the errors are rendered.
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  return (
    <>
      <form onSubmit={submit} className="gh-runner">
        <Group justify="space-between">
          <Text fw={600}>Arguments</Text>
          <SegmentedControl
            aria-label="Edit as"
            value={view}
            onChange={(next) => setView(next === "json" ? "json" : "form")}
            data={[
              { value: "form", label: "Form", disabled: isInvalid },
              { value: "json", label: "JSON" },
            ]}
          />
        </Group>
        {given?.isFromLink && (
          <Note tone="info">These arguments come from a link. Review them before you run the tool.</Note>
        )}
        {view === "json" ? (
          <JsonInput value={value} onChange={change} onInvalid={setInvalid} minRows={6} isRequired />
        ) : (
          <Form field={field} value={value} problems={problems ?? []} onChange={change} />
        )}
        <Problems problems={problems ?? []} isForm={view === "form"} />
        <RunBar
          running={running}
          canRunAnyway={problems !== undefined && problems.length > 0 && !isInvalid}
          onRunAnyway={() => running.run(tool.name, value)}
          shareLink={() => linkTo(tool.name, value)}
        />
      </form>
      {running.isRunning && <RunProgress running={running} />}
      {running.isRunning && running.question && (
        <QuestionForm key={running.question.message} question={running.question} onAnswered={running.nextQuestion} />
      )}
      {!running.isRunning && running.error && <Failed error={running.error} />}
      {!running.isRunning && !running.error && run && <RunResult run={run} tool={tool} />}
    </>
  );
}

function linkTo(tool: string, value: unknown): string {
  const { origin, pathname } = window.location;
  return `${origin}${pathname}?${new URLSearchParams({ tool })}#${sharedArguments(value)}`;
}

interface FormProps {
  readonly field: ReturnType<typeof readSchema>;
  readonly value: unknown;
  readonly problems: readonly Problem[];
  onChange(value: unknown): void;
}

function Form({ field, ...rest }: FormProps) {
  if (field.kind === "object" && field.members.length === 0) return <Text c="dimmed">This tool has no arguments</Text>;
  return <SchemaField field={field} path="" isRequired {...rest} />;
}

/** Lists the problems that the form does not show at a field. */
function Problems({ problems, isForm }: { problems: readonly Problem[]; isForm: boolean }) {
  const shown = isForm ? problems.filter(({ path }) => path === "") : problems;
  if (shown.length === 0) return null;
  return (
    <Note tone="bad">
      <ul className="gh-problems" role="alert">
        {shown.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path !== "" && <code>{path} </code>}
            {message}
          </li>
        ))}
      </ul>
    </Note>
  );
}

interface RunBarProps {
  readonly running: Running;
  readonly canRunAnyway: boolean;
  onRunAnyway(): void;
  shareLink(): string;
}

function RunBar({ running, canRunAnyway, onRunAnyway, shareLink }: RunBarProps) {
  const { copy, copied } = useCopy();
  return (
    <Group gap="xs">
      {running.isRunning ? (
        <Button variant="default" leftSection={<IconPlayerStop size={15} />} onClick={running.cancel}>
          Cancel
        </Button>
      ) : (
        <Button type="submit" leftSection={<IconPlayerPlay size={15} />}>
          Run
        </Button>
      )}
      {canRunAnyway && !running.isRunning && (
        <Button variant="subtle" color="gray" onClick={onRunAnyway}>
          Run anyway
        </Button>
      )}
      <Button
        ml="auto"
        variant="subtle"
        color="gray"
        leftSection={copied ? <IconCheck size={15} /> : <IconLink size={15} />}
        onClick={() => copy(shareLink())}
      >
        {copied ? "Copied" : "Copy link"}
      </Button>
    </Group>
  );
}

function RunProgress({ running: { startedAt, progress } }: { running: Running }) {
  const [now, setNow] = useState(startedAt);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, []);
  const { progress: done, total, message } = progress ?? {};
  const share = done !== undefined && total !== undefined && total > 0 ? (done / total) * 100 : undefined;
  return (
    <section aria-label="Running" className="gh-result">
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          Running for {duration(Math.max(0, now - startedAt))}
          {message !== undefined && ` · ${message}`}
        </Text>
        <Progress
          value={share ?? 100}
          animated={share === undefined}
          striped={share === undefined}
          aria-label="Progress"
        />
      </Stack>
    </section>
  );
}

function Failed({ error }: { error: Error }) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => void section.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <section ref={section} aria-label="Result" className="gh-result">
      {error.name === "AbortError" ? (
        <Note>Canceled. The MCP server was notified, but may have already completed part of the call.</Note>
      ) : (
        <ErrorNote error={error} />
      )}
    </section>
  );
}
