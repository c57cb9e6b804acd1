import { Button, Group, Skeleton, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
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
  const shown = all ? differences : differences.slice(0, FIRST_PARTS);
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
      {invisible.length > 0 && (
        <Note tone="bad">The definition contains invisible characters: {invisible.join(", ")}</Note>
      )}
      {shown.map((difference) => (
        <Difference key={difference.field} difference={difference} />
      ))}
      {shown.length < differences.length && (
        <Button variant="subtle" color="gray" size="compact-sm" justify="flex-start" onClick={() => setAll(true)}>
          Show {differences.length - shown.length} more
        </Button>
      )}
    </article>
  );
}

/** Instructions have only a text, which needs no label. */
function Difference({ difference }: { difference: Change["differences"][number] }) {
  const { field, before, after, words } = difference;
  return (
    <div className="gh-difference">
      {field !== "text" && (
        <Text size="xs" c="dimmed">
          {field}
        </Text>
      )}
      {words && isMostlyUnchanged(words) ? (
        <p>
          {words.map(({ kind, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: words repeat, so only their position is unique.
            <Words key={at} kind={kind} text={text} />
          ))}
        </p>
      ) : (
        <>
          {before !== null && <del>{before}</del>}
          {after !== null && <ins>{after}</ins>}
        </>
      )}
    </div>
  );
}

type Word = NonNullable<Change["differences"][number]["words"]>[number];

/** A word-level diff of a rewritten sentence is harder to read than both sentences. */
function isMostlyUnchanged(words: readonly Word[]): boolean {
  const lengthOf = (kind: Word["kind"]) =>
    words.reduce((sum, word) => sum + (word.kind === kind ? word.text.trim().length : 0), 0);
  return lengthOf("same") >= Math.max(lengthOf("removed"), lengthOf("added"));
}

function Words({ kind, text }: { kind: "same" | "removed" | "added"; text: string }) {
  if (kind === "removed") return <del>{text}</del>;
  return kind === "added" ? <ins>{text}</ins> : text;
}
