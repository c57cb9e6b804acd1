import { Button, Group, SegmentedControl, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { actionLabel, type Guard } from "./guards.ts";
import { PickCall } from "./pick-call.tsx";
import "./guards.css";

type Result = Schemas["GuardCheckResult"];

/** Runs the saved guard over a text, with the functions that examine calls. Nothing is stored. */
export function GuardTest({ guard }: { guard: Guard }) {
  const api = useApi();
  const [text, setText] = useState("");
  const [direction, setDirection] = useState<"request" | "response">(
    guard.direction === "response" ? "response" : "request",
  );
  const test = useMutation({
    mutationFn: async () => {
      const body = { content: contentOf(text), guard_slug: guard.slug, ...(guard.type === "runtime" && { direction }) };
      // With one guard, the API answers with one result.
      return (await api.evaluateGuards({ body })).data as Result;
    },
  });
  return (
    <Section
      title="Test"
      description="Paste a text, or pick a logged call, to see what the guard finds. It also works while the guard is off. Nothing is stored."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          test.mutate();
        }}
      >
        <Stack gap="md" maw={720}>
          {guard.type === "runtime" && (
            <SegmentedControl
              aria-label="Direction"
              data={[
                { value: "request", label: "Request" },
                { value: "response", label: "Result" },
              ]}
              value={direction}
              onChange={(value) => setDirection(value === "response" ? "response" : "request")}
            />
          )}
          {guard.type === "runtime" && <PickCall direction={direction} onPick={setText} />}
          <Textarea
            label="Text"
            autosize
            minRows={5}
            maxRows={16}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group>
            <Button type="submit" loading={test.isPending} disabled={text === ""}>
              Test
            </Button>
          </Group>
          <ErrorNote error={test.error} />
          {test.data && <TestResult result={test.data} />}
        </Stack>
      </form>
    </Section>
  );
}

/** An object is examined like the arguments or the result of a call. */
function contentOf(text: string): string | Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : text;
  } catch {
    return text;
  }
}

function TestResult({ result }: { result: Result }) {
  const { passed, action, score, threshold, findings, error } = result;
  return (
    <div aria-live="polite">
      <Group gap="sm" mb="sm">
        {passed ? (
          <StatusPill tone="good">Passes</StatusPill>
        ) : (
          <StatusPill tone={actionLabel(action).tone}>{actionLabel(action).label}</StatusPill>
        )}
        <Text size="sm" c="dimmed">
          {score === 0 ? "Nothing found" : `Most certain finding: ${score} of 10, threshold ${threshold}`}
        </Text>
      </Group>
      {error !== undefined && <Note tone="warn">The text could not be examined completely: {error}</Note>}
      <ul className="gh-guard-findings" aria-label="Findings">
        {findings.map(({ check_name: name, certainty, excerpt, path, start, end }) => (
          <li key={`${path} ${start} ${end} ${name}`}>
            <span>{name}</span>
            <code>{excerpt}</code>
            <span className="gh-dim">
              characters {start} to {end}, certainty {certainty}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
