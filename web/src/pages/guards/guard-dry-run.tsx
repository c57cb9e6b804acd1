import { Button, Group, Progress, Select, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useApi, useMe } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { TextLink } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { formatCount } from "../../components/quantities.ts";
import { KeyValues, Section } from "../../components/section.tsx";
import { CapturePayloads } from "./capture-payloads.tsx";
import { type DryRun, type DryRunProgress, dryRunDays } from "./dry-run-days.ts";
import { actionLabel, type Guard } from "./guards.ts";
import "./guards.css";

const PERIODS = [
  { value: "1", label: "Last 24 hours" },
  { value: "3", label: "Last 3 days" },
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
];

/** F18: what the saved guard would have done with the logged calls of the last days. */
export function GuardDryRun({ guard }: { guard: Guard }) {
  const { data: me } = useMe();
  const mayRead = me.scopes.some((scope) => scope === "all" || scope === "logs:payloads");
  return (
    <Section
      title="Dry run"
      description="Shows what this guard would have done with logged calls. Nothing changes, and the text it finds is not stored. Each run is recorded in the audit log."
    >
      {mayRead ? <Run guard={guard} /> : <Note>Your role does not allow reading payloads. Owners and admins can.</Note>}
    </Section>
  );
}

function Run({ guard }: { guard: Guard }) {
  const api = useApi();
  const [days, setDays] = useState("7");
  const [progress, setProgress] = useState<DryRunProgress>();
  const run = useMutation({
    mutationFn: () =>
      dryRunDays(
        api,
        { slug: guard.slug, days: Number(days), now: Date.now() },
        setProgress,
        new AbortController().signal,
      ),
  });
  return (
    <Stack gap="md" maw={720}>
      <Group align="flex-end">
        <Select
          label="Period"
          data={PERIODS}
          value={days}
          allowDeselect={false}
          onChange={(next) => setDays(next ?? "7")}
        />
        <Button loading={run.isPending} onClick={() => run.mutate()}>
          Start dry run
        </Button>
      </Group>
      <ErrorNote error={run.error} />
      {run.isPending && progress && progress.days > 1 && <Days progress={progress} />}
      {progress && progress.daysDone > 0 && <Result progress={progress} isDone={!run.isPending} />}
    </Stack>
  );
}

function Days({ progress: { daysDone, days } }: { progress: DryRunProgress }) {
  return (
    <div>
      <Progress value={(100 * daysDone) / days} aria-label="Progress of the dry run" />
      <Text size="xs" c="dimmed" mt={4}>
        {daysDone} of {days} days
      </Text>
    </div>
  );
}

function Result({ progress: { result, warnings }, isDone }: { progress: DryRunProgress; isDone: boolean }) {
  const { calls_examined: examined, calls_without_payload: missing, would } = result;
  const acted = Object.values(would).reduce((total, count) => total + count, 0);
  if (examined === 0) return isDone ? <CapturePayloads calls={missing} /> : null;
  const actions = (Object.keys(would) as (keyof typeof would)[]).filter((action) => would[action] > 0);
  return (
    <div aria-live="polite">
      <KeyValues
        items={[
          ["Calls examined", formatCount(examined)],
          ["Calls without a stored payload", formatCount(missing)],
          ["Would have acted on", acted === 0 ? "No call" : formatCount(acted)],
          ...actions.map((action) => [actionLabel(action).label, formatCount(would[action])] as const),
        ]}
      />
      {warnings.map((warning) => (
        <Note key={warning} tone="warn">
          {warning}
        </Note>
      ))}
      <Counts title="By tool" rows={result.by_tool.map(({ tool, count }) => [tool, count])} />
      <Counts title="By caller" rows={result.by_user.map(({ email, count }) => [email, count])} />
      <Samples samples={result.samples} />
    </div>
  );
}

const MAX_ROWS = 10;

function Counts({ title, rows }: { title: string; rows: ReadonlyArray<readonly [string, number]> }) {
  if (rows.length === 0) return null;
  return (
    <>
      <h3 className="gh-guard-heading">{title}</h3>
      <ul className="gh-guard-findings" aria-label={title}>
        {rows.slice(0, MAX_ROWS).map(([name, count]) => (
          <li key={name}>
            <span>{name}</span>
            <span className="gh-dim">
              {formatCount(count)} {count === 1 ? "call" : "calls"}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Samples({ samples }: { samples: DryRun["samples"] }) {
  if (samples.length === 0) return null;
  return (
    <>
      <h3 className="gh-guard-heading">Examples</h3>
      <ul className="gh-guard-findings" aria-label="Examples">
        {samples.slice(0, MAX_ROWS).map(({ log_id: id, check_id: check, certainty, path }) => (
          <li key={id}>
            <TextLink inherit to="/logs" search={{ call: id }}>
              {new Date(Number(id.split("-")[0])).toLocaleString("en")}
            </TextLink>
            <span>{check}</span>
            <span className="gh-dim">
              {path}, certainty {certainty}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
