import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { isObject, stringifyExact } from "#openapi/json";
import { useMe, useRights } from "../../api/context.tsx";
import type { GatewayTool } from "../../api/gateway.ts";
import { CopyText } from "../../components/copy-text.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { LinkButton, TextLink } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { bytes, duration, OUTCOME_LABELS } from "../logs/call-labels.ts";
import { problemsOf, withoutPatterns } from "./check.ts";
import { ContentBlock } from "./content-block.tsx";
import { outcomeOf, type Run } from "./runs.ts";

type View = "result" | "raw";

export function RunResult({ run, tool }: { run: Run; tool: GatewayTool | undefined }) {
  const [view, setView] = useState<View>("result");
  const { tone, label } = OUTCOME_LABELS[outcomeOf(run)];
  const { verbatim: raw, requestId } = run.answer;
  const section = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once for each run.
  useEffect(() => void section.current?.scrollIntoView({ block: "nearest" }), [run.id]);
  return (
    <section ref={section} aria-label="Result" className="gh-result">
      <Group gap="sm">
        <StatusPill tone={tone}>{label}</StatusPill>
        <Text size="sm" c="dimmed">
          {duration(run.ms)} · {bytes(new TextEncoder().encode(stringifyExact(raw ?? null)).length)}
        </Text>
        <SegmentedControl
          ml="auto"
          aria-label="Show as"
          value={view}
          onChange={(next) => setView(next === "raw" ? "raw" : "result")}
          data={[
            { value: "result", label: "Result" },
            { value: "raw", label: "Raw JSON" },
          ]}
        />
      </Group>
      {view === "raw" ? <JsonView value={raw} label="response" /> : <Readable run={run} tool={tool} />}
      {requestId !== undefined && <RequestLine id={requestId} />}
    </section>
  );
}

function Readable({ run, tool }: { run: Run; tool: GatewayTool | undefined }) {
  const { answer } = run;
  const { base_url: baseUrl } = useMe();
  if (answer.error) {
    return (
      <Note tone="bad">
        <strong>{String(answer.error.message || OUTCOME_LABELS[outcomeOf(run)].sentence)}</strong>
        <Text size="xs">
          {OUTCOME_LABELS[outcomeOf(run)].sentence}
          {answer.error.code !== undefined && ` Error code: ${String(answer.error.code)}`}
        </Text>
      </Note>
    );
  }
  const result = isObject(answer.result) ? answer.result : {};
  const blocks: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  const structured = result.structuredContent;
  return (
    <Stack gap="sm">
      {result.isError === true && hasConnectLink(blocks, baseUrl) && (
        <Note tone="info">
          <Group gap="sm">
            This server requires you to connect your account first.
            <LinkButton to="/connections" size="compact-sm">
              Connect account
            </LinkButton>
          </Group>
        </Note>
      )}
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks of a result never move.
        <ContentBlock key={at} block={block} />
      ))}
      {structured !== undefined && (
        <div>
          <Text size="sm" fw={500} mb={4}>
            Structured content
          </Text>
          <JsonView value={structuredVerbatim(answer.verbatim)} label="structured content" />
        </div>
      )}
      <OutputCheck tool={tool} isError={result.isError === true} structured={structured} />
      {blocks.length === 0 && structured === undefined && <Note>The result is empty.</Note>}
    </Stack>
  );
}

function structuredVerbatim(result: unknown): unknown {
  return isObject(result) ? result.structuredContent : undefined;
}

/** Whether a block contains a connect link of this installation. Links of other hosts stay text. */
function hasConnectLink(blocks: readonly unknown[], baseUrl: string): boolean {
  const begin = `${baseUrl.replace(/\/+$/, "")}/connect/`;
  return blocks.some((block) => isObject(block) && typeof block.text === "string" && block.text.includes(begin));
}

interface OutputCheckProps {
  readonly tool: GatewayTool | undefined;
  readonly isError: boolean;
  readonly structured: unknown;
}

/** Validates the structured content against the tool's output schema. */
function OutputCheck({ tool, isError, structured }: OutputCheckProps) {
  if (tool?.outputSchema === undefined || isError) return null;
  if (structured === undefined) {
    return <Note tone="warn">The tool has an output schema, but the result has no structured content.</Note>;
  }
  const problems = problemsOf(withoutPatterns(tool.outputSchema), structured);
  if (problems === undefined) return <Note>The tool's output schema is not usable for validation.</Note>;
  if (problems.length === 0) return <Note tone="good">The result matches the tool's output schema.</Note>;
  return (
    <Note tone="warn">
      The result does not match the tool's output schema:
      <ul className="gh-problems">
        {problems.slice(0, 10).map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code>{path === "" ? "root" : path}</code> {message}
          </li>
        ))}
      </ul>
    </Note>
  );
}

function RequestLine({ id }: { id: string }) {
  const { administers } = useRights();
  return (
    <Group gap={6} c="dimmed" fz="xs">
      Request ID
      <CopyText value={id} label="Copy request ID" />
      {administers && (
        <TextLink to="/logs" search={{ request_id: id }} inherit>
          View in Logs
        </TextLink>
      )}
    </Group>
  );
}
