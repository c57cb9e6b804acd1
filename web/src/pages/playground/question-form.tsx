import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useMemo, useState } from "react";
import type { Question, Reply } from "../../api/gateway.ts";
import { ErrorNote } from "../../components/error-state.tsx";
import { type Problem, problemsOf } from "./check.ts";
import { readSchema, startValue } from "./schema.ts";
import { SchemaField } from "./schema-form.tsx";

interface QuestionFormProps {
  readonly question: Question;
  onAnswered(): void;
}

/** An elicitation request of the MCP server. Its message and fields are untrusted. */
export function QuestionForm({ question, onAnswered }: QuestionFormProps) {
  const field = useMemo(() => readSchema(question.schema), [question.schema]);
  const [value, setValue] = useState(() => startValue(field, true) ?? {});
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const send = useMutation({ mutationFn: (reply: Reply) => question.answer(reply), onSuccess: onAnswered });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOf(question.schema, value) ?? [];
    setProblems(found);
    if (found.length === 0) send.mutate({ action: "accept", content: value });
  };
  return (
    <section aria-label="Question" className="gh-result gh-question">
      <form onSubmit={submit} className="gh-runner">
        <Text fw={600}>Question from the server</Text>
        <p className="gh-playground-description">{question.message}</p>
        <SchemaField
          field={field}
          path=""
          isRequired
          value={value}
          problems={problems}
          onChange={(next) => setValue(next ?? {})}
        />
        <Text size="xs" c="dimmed">
          Your answer is sent to this server. Do not enter passwords or keys.
        </Text>
        <ErrorNote error={send.error} />
        <Group gap="xs">
          <Button type="submit" loading={send.isPending}>
            Send answer
          </Button>
          <Button variant="default" disabled={send.isPending} onClick={() => send.mutate({ action: "decline" })}>
            Decline
          </Button>
        </Group>
      </form>
    </section>
  );
}
