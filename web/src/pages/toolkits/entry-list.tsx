import { ActionIcon, Text, Title, Tooltip } from "@mantine/core";
import { IconPencil, IconTools, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { EmptyState } from "../../components/empty-state.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { ALL_TOOLS, BROKEN, changesOf, type Entry, type Toolkit } from "./toolkits.ts";

interface EntryListProps {
  readonly entries: readonly Entry[];
  readonly broken: Toolkit["broken_tools"];
  readonly estimate: ReactNode;
  readonly isReadOnly: boolean;
  onEdit(at: number): void;
  onRemove(at: number): void;
}

/** The toolkit as it will be saved. */
export function EntryList({ entries, broken, estimate, isReadOnly, onEdit, onRemove }: EntryListProps) {
  return (
    <section className="gh-builder-panel" aria-labelledby="toolkit-entries">
      <div className="gh-builder-title">
        <Title order={2} id="toolkit-entries">
          {entries.length === 1 ? "1 entry" : `${entries.length} entries`}
        </Title>
        {entries.length > 0 && estimate}
      </div>
      {entries.length === 0 && (
        <EmptyState icon={IconTools} title="No tools yet">
          Select servers and their tools.
        </EmptyState>
      )}
      <ul className="gh-builder-entries">
        {entries.map((entry, at) => (
          // Entries have no identity besides their place: the same tool can be in the list twice.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={at}>
            <EntryRow entry={entry} reason={broken.find(isOf(entry))?.reason} />
            {!isReadOnly && (
              <span className="gh-builder-actions">
                {entry.tool !== ALL_TOOLS && (
                  <Tooltip label="Edit name and arguments">
                    <ActionIcon aria-label={`Edit ${exposedName(entry)}`} onClick={() => onEdit(at)}>
                      <IconPencil size={16} />
                    </ActionIcon>
                  </Tooltip>
                )}
                <Tooltip label="Remove">
                  <ActionIcon aria-label={`Remove ${exposedName(entry)}`} onClick={() => onRemove(at)}>
                    <IconX size={16} />
                  </ActionIcon>
                </Tooltip>
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function EntryRow({ entry, reason }: { entry: Entry; reason: keyof typeof BROKEN | undefined }) {
  const changes = changesOf(entry);
  return (
    <span className="gh-builder-entry">
      {entry.tool === ALL_TOOLS ? (
        <Text size="sm" span>
          All other tools of <code>{entry.server}</code>
        </Text>
      ) : (
        <code className="gh-truncate">{exposedName(entry)}</code>
      )}
      {entry.alias !== null && (
        <Text size="xs" c="dimmed" span className="gh-truncate">
          {entry.tool}
        </Text>
      )}
      {(changes.length > 0 || reason) && (
        <span className="gh-builder-pills">
          {reason && <StatusPill tone="warn">{BROKEN[reason]}</StatusPill>}
          {changes.length > 0 && <StatusPill tone="info">{`Changed: ${changes.join(", ")}`}</StatusPill>}
        </span>
      )}
    </span>
  );
}

function exposedName({ server, tool, alias }: Entry): string {
  return tool === ALL_TOOLS ? `all tools of ${server}` : `${server}__${alias ?? tool}`;
}

function isOf({ server, tool }: Entry) {
  return (other: { server: string; tool: string }) => other.server === server && other.tool === tool;
}
