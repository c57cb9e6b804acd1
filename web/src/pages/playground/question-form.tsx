import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useMemo, useState } from "react";
import type { Question, Reply } from "../../api/gateway.ts";
import { ErrorNote } from "../../components/error-state.tsx";
import { type Fault, faultsOf } from "./check.ts";
import { readSchema, startValue } from "./schema.ts";
import { SchemaField } from "./schema-form.tsx";

interface QuestionFormProps {
  readonly question: Question;
  onAnswered(): void;
}

/** What a server asks in the middle of a call. Its words and its form are its own, and shown as such. */
export function QuestionForm({ question, onAnswered }: QuestionFormProps) {
  const field = useMemo(() => readSchema(question.schema), [question.schema]);
  const [value, setValue] = useState(() => startValue(field, true) ?? {});
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const send = useMutation({ mutationFn: (reply: Reply) => question.answer(reply), onSuccess: onAnswered });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = faultsOf(question.schema, value) ?? [];
    setFaults(found);
    if (found.length === 0) send.mutate({ action: "accept", content: value });
  };
  return (
    <section aria-label="Question" className="gh-result gh-question">
      <form onSubmit={submit} className="gh-runner">
        <Text fw={600}>The server asks</Text>
        <p className="gh-tool-description">{question.message}</p>
        <SchemaField
          field={field}
          path=""
          isRequired
          value={value}
          faults={faults}
          onChange={(next) => setValue(next ?? {})}
        />
        <Text size="xs" c="dimmed">
          What you enter goes to this server. Give it no passwords or keys.
        </Text>
        <ErrorNote error={send.error} />
        <Group gap="xs">
          <Button type="submit" loading={send.isPending}>
            Answer
          </Button>
          <Button variant="default" disabled={send.isPending} onClick={() => send.mutate({ action: "decline" })}>
            Decline
          </Button>
        </Group>
      </form>
    </section>
  );
}
