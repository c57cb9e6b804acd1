import { Button, Drawer, Group, Skeleton, Space, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { Section } from "../../components/section.tsx";
import { type SchemaRow, schemaRows } from "../mcp-servers/schema-rows.ts";
import { serverQuery, serversKey } from "../mcp-servers/servers.ts";
import { ArgumentRows } from "./argument-rows.tsx";
import { argumentsOf, editsOf } from "./arguments.ts";
import { EntryTexts, isAlias, type Original } from "./entry-texts.tsx";
import type { Entry } from "./toolkits.ts";

interface EditEntryProps {
  /** Undefined: closed. */
  readonly entry: Entry | undefined;
  onClose(): void;
  onApply(entry: Entry): void;
  onDuplicate(entry: Entry): void;
}

export function EditEntry({ entry, onClose, ...rest }: EditEntryProps) {
  return (
    <Drawer opened={entry !== undefined} onClose={onClose} title={entry && `${entry.server} ${entry.tool}`} size="lg">
      {entry && <EditLoaded key={JSON.stringify(entry)} entry={entry} onClose={onClose} {...rest} />}
    </Drawer>
  );
}

type LoadedProps = EditEntryProps & { readonly entry: Entry };

function EditLoaded({ entry, ...rest }: LoadedProps) {
  const api = useApi();
  const { server: slug, tool: name } = entry;
  const server = useQuery(serverQuery(api, slug));
  const tool = server.data?.data.all_tools.find((each) => each.upstream_name === name);
  const definition = useQuery({
    queryKey: [...serversKey, "definition", slug, tool?.slug, tool?.digest],
    queryFn: ({ signal }) => api.getToolDefinition({ path: { slug }, query: { tool: tool?.slug ?? "" }, signal }),
    enabled: tool !== undefined,
  });
  if (definition.error) return <ErrorState error={definition.error} onRetry={() => void definition.refetch()} />;
  if (server.isPending || (tool && !definition.data)) return <Skeleton height={320} />;
  const known = definition.data?.data;
  return (
    <EditForm
      entry={entry}
      {...rest}
      rows={schemaRows(known?.input_schema)}
      original={known && { title: known.name, description: known.description, slug: known.slug }}
    />
  );
}

interface EditFormProps extends LoadedProps {
  readonly rows: readonly SchemaRow[];
  readonly original: Original | undefined;
}

function EditForm({ entry, rows, original, onClose, onApply, onDuplicate }: EditFormProps) {
  const [texts, setTexts] = useState({ alias: entry.alias, title: entry.title, description: entry.description });
  const [edits, setEdits] = useState(() => editsOf(entry, rows));
  const changes = argumentsOf(edits, rows);
  const edited = changes && isAlias(texts.alias) ? { ...entry, ...texts, arguments: changes } : undefined;
  const apply = () => {
    if (!edited) return;
    onApply(edited);
    onClose();
  };
  const duplicate = () => {
    if (edited) onDuplicate({ ...edited, alias: `${edited.alias ?? original?.slug ?? "tool"}-2` });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      {!original && <Note tone="warn">The server has no such tool now. The entry stays until you remove it.</Note>}
      <EntryTexts entry={entry} original={original} texts={texts} onChange={setTexts} />
      <Space h="lg" />
      <Section
        title="Arguments"
        description="Callers do not see fixed and hidden arguments. Calls that set a fixed one are refused."
      >
        {rows.length === 0 ? (
          <Text size="sm" c="dimmed">
            {original ? "The tool has no arguments" : "Unknown until the server has the tool"}
          </Text>
        ) : (
          <ArgumentRows rows={rows} edits={edits} onChange={setEdits} />
        )}
      </Section>
      <Group justify="space-between" gap="xs" mt="md">
        <Button variant="default" disabled={!edited} onClick={duplicate}>
          Duplicate
        </Button>
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!edited}>
            Apply
          </Button>
        </Group>
      </Group>
    </form>
  );
}
