import { ActionIcon, Button, Checkbox, Table, TagsInput, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import type { CommandArgument } from "./commands.ts";

interface Props {
  readonly value: readonly CommandArgument[];
  readonly isReadOnly: boolean;
  readonly onChange: (value: CommandArgument[]) => void;
}

const NEW: CommandArgument = { name: "", description: "", required: false, default: null, enum: null };

/** The arguments of a command as a table that can be edited in place. */
export function CommandArguments({ value, isReadOnly, onChange }: Props) {
  const change = (at: number, changed: Partial<CommandArgument>) =>
    onChange(value.map((argument, place) => (place === at ? { ...argument, ...changed } : argument)));
  return (
    <fieldset disabled={isReadOnly} className="gh-fieldset gh-command-arguments">
      {value.length === 0 ? (
        <span className="gh-dim">No arguments</span>
      ) : (
        <Table.ScrollContainer minWidth={680}>
          <Table verticalSpacing="xs" aria-label="Arguments">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Description</Table.Th>
                <Table.Th>Default</Table.Th>
                <Table.Th>Allowed values</Table.Th>
                <Table.Th>Required</Table.Th>
                <Table.Th />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {value.map((argument, at) => (
                // Names change while they are edited, so the position identifies a row.
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <Row key={at} at={at} argument={argument} onChange={(changed) => change(at, changed)}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove argument ${argument.name || at + 1}`}
                    onClick={() => onChange(value.filter((_, place) => place !== at))}
                  >
                    <IconX size={16} />
                  </ActionIcon>
                </Row>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {!isReadOnly && (
        <div>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...value, NEW])}
          >
            Add argument
          </Button>
        </div>
      )}
    </fieldset>
  );
}

interface RowProps {
  readonly at: number;
  readonly argument: CommandArgument;
  readonly onChange: (changed: Partial<CommandArgument>) => void;
  readonly children: React.ReactNode;
}

function Row({ at, argument, onChange, children }: RowProps) {
  const of = `of argument ${at + 1}`;
  return (
    <Table.Tr>
      <Table.Td>
        <TextInput
          aria-label={`Name ${of}`}
          placeholder="version"
          value={argument.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      </Table.Td>
      <Table.Td>
        <TextInput
          aria-label={`Description ${of}`}
          value={argument.description}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
        />
      </Table.Td>
      <Table.Td>
        <TextInput
          aria-label={`Default ${of}`}
          value={argument.default ?? ""}
          onChange={(event) => onChange({ default: event.currentTarget.value || null })}
        />
      </Table.Td>
      <Table.Td>
        <TagsInput
          aria-label={`Allowed values ${of}`}
          placeholder={argument.enum ? "" : "Any text"}
          value={[...(argument.enum ?? [])]}
          onChange={(values) => onChange({ enum: values.length === 0 ? null : values })}
        />
      </Table.Td>
      <Table.Td>
        <Checkbox
          aria-label={`Required, ${of}`}
          checked={argument.required}
          onChange={(event) => onChange({ required: event.currentTarget.checked })}
        />
      </Table.Td>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  );
}
