import { ActionIcon, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { Section } from "../../components/section.tsx";
import type { HeaderRow } from "./auth-methods.ts";
import "./server-auth.css";

interface SharedHeadersProps {
  readonly rows: readonly HeaderRow[];
  readonly error: React.ReactNode;
  onChange(rows: HeaderRow[]): void;
}

export function SharedHeaders({ rows, error, onChange }: SharedHeadersProps) {
  const replace = (at: number, change: Partial<HeaderRow>) =>
    onChange(rows.map((row, n) => (n === at ? { ...row, ...change } : row)));
  return (
    <Section
      title="Headers"
      description="Sent with every request to this server. Values are stored encrypted and never shown again."
    >
      <Stack gap="sm" maw={640}>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity while their names are edited.
          <div className="gh-header-row" key={at}>
            <TextInput
              label="Header"
              placeholder="Authorization"
              value={row.name}
              readOnly={row.isSaved}
              spellCheck={false}
              onChange={(event) => replace(at, { name: event.currentTarget.value })}
            />
            <PasswordInput
              label="Value"
              placeholder={row.isSaved ? "•••••••• (saved)" : "Bearer …"}
              value={row.value}
              autoComplete="off"
              onChange={(event) => replace(at, { value: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Remove header ${row.name}`.trim()}
              onClick={() => onChange(rows.filter((_, n) => n !== at))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </div>
        ))}
        {error && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...rows, { name: "", value: "", isSaved: false }])}
          >
            Add header
          </Button>
        </div>
      </Stack>
    </Section>
  );
}
