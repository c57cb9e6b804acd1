import { Button, Group, Skeleton, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { TextLink } from "../../components/links.tsx";
import type { Span } from "../../components/marked-text.ts";
import { Note } from "../../components/note.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { DefinitionDifference } from "./definition-difference.tsx";
import { useServerChanges } from "./server-changes.ts";
import { type Detail, serversKey } from "./servers.ts";
import "./tool-changes.css";

type Change = Schemas["ToolChange"];

const KINDS: Readonly<Record<Exclude<Change["kind"], "tool">, string>> = {
  prompt: "Prompt",
  resource: "Resource",
  resource_template: "Resource template",
  instructions: "Instructions",
};

/** Tools and other items whose definition differs from the accepted one, with the differences (decision 0029). */
export function ToolChanges({ server }: { server: Detail }) {
  const api = useApi();
  const { changes: mayChange } = useRights();
  const { slug } = server;
  const { data, error, refetch } = useQuery({
    queryKey: [...serversKey, "changes", slug],
    queryFn: ({ signal }) => api.listToolChanges({ path: { slug }, query: { limit: 50 }, signal }),
  });
  const review = useReview(server);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const shown = data?.data ?? [];
  const all = shown.length > 1 && mayChange && (
    <Button loading={review.isPending} onClick={() => review.mutate({ decision: "accept", changed: shown })}>
      Accept these {shown.length}
    </Button>
  );
  return (
    <Section
      title="Changed definitions"
      description="Models follow what a definition says. Review the differences before you accept them."
      actions={all}
    >
      {!data && <Skeleton height={96} />}
      {shown.map((change) => (
        <ChangedTool
          key={`${change.kind} ${change.tool}`}
          change={change}
          isWorking={review.isPending}
          onDecide={mayChange ? (decision) => review.mutate({ decision, changed: [change] }) : undefined}
        />
      ))}
      {data && data.totalCount > shown.length && (
        <Text size="sm" c="dimmed">
          {data.totalCount - shown.length} more are shown after these are reviewed.
        </Text>
      )}
    </Section>
  );
}

type Decision = "accept" | "reject" | "disable";

const DECISIONS: ReadonlyArray<{ readonly value: Decision; readonly label: string }> = [
  { value: "accept", label: "Accept" },
  { value: "reject", label: "Reject" },
  { value: "disable", label: "Disable" },
];

function useReview({ slug, name }: Detail) {
  const api = useApi();
  const { refresh } = useServerChanges({ slug, name });
  return useMutation({
    mutationFn: async ({ decision, changed }: { decision: Decision; changed: readonly Change[] }) => {
      const request = {
        path: { slug },
        body: { tools: changed.map(({ tool, kind, digest }) => ({ tool, kind, digest })) },
      };
      if (decision === "accept") return api.acceptTools(request);
      // A disabled tool must not come back with a definition that was never accepted.
      const disable = changed.map(({ tool }) => tool);
      if (decision === "disable") await api.updateMcpServerTools({ query: { slug }, body: { disable } });
      return api.rejectTools(request);
    },
    onSuccess: async (_answer, { decision, changed }) => {
      await refresh();
      const [first] = changed;
      if (decision === "accept" || !first) return;
      const outcome = first.change === "new" ? "stays hidden" : "keeps its accepted definition";
      notifications.show(
        decision === "reject"
          ? { title: `Rejected ${first.tool}`, message: `It ${outcome} until the server changes it again.` }
          : { message: `Disabled ${first.tool}` },
      );
    },
    onError: notifyFailure,
  });
}

/** A new tool differs in every part of its schema, so only its first parts are shown at first. */
const FIRST_PARTS = 4;

interface ChangedToolProps {
  readonly change: Change;
  readonly isWorking: boolean;
  readonly onDecide: ((decision: Decision) => void) | undefined;
}

function ChangedTool({ change, isWorking, onDecide }: ChangedToolProps) {
  const { tool, kind, held, differences, invisible_characters: invisible } = change;
  const [all, setAll] = useState(false);
  const ordered = flaggedFirst(change);
  const shown = all ? ordered : ordered.slice(0, FIRST_PARTS);
  return (
    <article className="gh-change">
      <Group gap="xs">
        {kind === "instructions" ? (
          <strong className="gh-change-name">{KINDS[kind]}</strong>
        ) : (
          <code className="gh-change-name">{tool}</code>
        )}
        {kind !== "tool" && kind !== "instructions" && <StatusPill tone="quiet">{KINDS[kind]}</StatusPill>}
        <StatusPill tone="info">{change.change === "new" ? "New" : "Changed"}</StatusPill>
        {held && <StatusPill tone="warn">Held for review</StatusPill>}
        {onDecide && (
          <Group gap="xs" ml="auto">
            {DECISIONS.filter(({ value }) => value !== "disable" || kind === "tool").map(({ value, label }) => (
              <Button
                key={value}
                variant="default"
                size="xs"
                disabled={isWorking}
                onClick={() => onDecide(value)}
                aria-label={`${label} ${tool}`}
              >
                {label}
              </Button>
            ))}
          </Group>
        )}
      </Group>
      <Flags change={change} />
      {invisible.length > 0 && (
        <Note tone="bad">The definition contains invisible characters: {invisible.join(", ")}</Note>
      )}
      {shown.map((difference) => (
        <DefinitionDifference
          key={difference.field}
          difference={difference}
          spans={spansIn(change, difference.field)}
        />
      ))}
      {shown.length < differences.length && (
        <Button variant="subtle" color="gray" size="compact-sm" justify="flex-start" onClick={() => setAll(true)}>
          Show {differences.length - shown.length} more
        </Button>
      )}
    </article>
  );
}

/** A finding must not be hidden below the first parts. */
function flaggedFirst({ differences, findings }: Change): Change["differences"] {
  const flagged = new Set(findings.map(({ field }) => field));
  return differences.toSorted((a, b) => Number(flagged.has(b.field)) - Number(flagged.has(a.field)));
}

/** What guards found: the reason why the definition is held, and texts in parts that have not changed. */
function Flags({ change }: { change: Change }) {
  const { blocked_by: by, findings, differences } = change;
  const shown = new Set(differences.filter(({ after }) => after !== null).map(({ field }) => field));
  const flagged = findings.filter(({ start, end }) => start < end);
  const elsewhere = [...new Set(flagged.map(({ field }) => field).filter((field) => !shown.has(field)))];
  return (
    <>
      {by && (
        <Note tone="bad">
          Held by guard{" "}
          <TextLink inherit to="/guards/$slug" params={{ slug: by.guard_slug }}>
            {by.guard_name}
          </TextLink>
          {by.check !== by.guard_name && ` (${by.check})`}. Callers do not get this definition unless you accept it.
        </Note>
      )}
      {flagged.length > 0 && (
        <Text size="xs" c="dimmed">
          <mark className="gh-flagged">Marked</mark>: text that looks like instructions to the model or that a guard
          objects to
          {elsewhere.length > 0 && `. Also in parts that have not changed: ${elsewhere.join(", ")}`}
        </Text>
      )}
    </>
  );
}

/** The findings in one part of the definition. */
function spansIn({ findings }: Change, field: string): Span[] {
  return findings
    .filter((finding) => finding.field === field)
    .map(({ start, end, guard_name: label }) => ({ start, end, label }));
}
