import { ActionIcon, Button, Checkbox, TagsInput, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import type { CommandArgument } from "./commands.ts";

interface Props {
  readonly value: readonly CommandArgument[];
  readonly isReadOnly: boolean;
  readonly onChange: (value: CommandArgument[]) => void;
}

const NEW: CommandArgument = { name: "", description: "", required: false, default: null, enum: null };

/** The arguments of a command, edited in place. */
export function CommandArguments({ value, isReadOnly, onChange }: Props) {
  const change = (at: number, changed: Partial<CommandArgument>) =>
    onChange(value.map((argument, place) => (place === at ? { ...argument, ...changed } : argument)));
  return (
    <fieldset disabled={isReadOnly} className="gh-fieldset gh-command-arguments">
      {value.length === 0 && <span className="gh-dim">No arguments</span>}
      {value.map((argument, at) => (
        <Argument
          // Names change while they are edited, so the position identifies an argument.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={at}
          at={at}
          argument={argument}
          isReadOnly={isReadOnly}
          onChange={(changed) => change(at, changed)}
          onRemove={() => onChange(value.filter((_, place) => place !== at))}
        />
      ))}
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

interface ArgumentProps {
  readonly at: number;
  readonly argument: CommandArgument;
  readonly isReadOnly: boolean;
  readonly onChange: (changed: Partial<CommandArgument>) => void;
  readonly onRemove: () => void;
}

function Argument({ at, argument, isReadOnly, onChange, onRemove }: ArgumentProps) {
  const of = `of argument ${at + 1}`;
  return (
    <div className="gh-command-argument">
      <TextInput
        label="Name"
        aria-label={`Name ${of}`}
        placeholder="version"
        value={argument.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        label="Description"
        aria-label={`Description ${of}`}
        value={argument.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <TextInput
        label="Default"
        aria-label={`Default ${of}`}
        value={argument.default ?? ""}
        onChange={(event) => onChange({ default: event.currentTarget.value || null })}
      />
      <TagsInput
        label="Allowed values"
        aria-label={`Allowed values ${of}`}
        placeholder={argument.enum ? "" : "Any text"}
        value={[...(argument.enum ?? [])]}
        onChange={(values) => onChange({ enum: values.length === 0 ? null : values })}
      />
      <Checkbox
        label="Required"
        aria-label={`Required, ${of}`}
        checked={argument.required}
        onChange={(event) => onChange({ required: event.currentTarget.checked })}
      />
      {!isReadOnly && (
        <ActionIcon
          className="gh-command-remove"
          variant="subtle"
          color="gray"
          aria-label={`Remove argument ${argument.name || at + 1}`}
          onClick={onRemove}
        >
          <IconX size={16} />
        </ActionIcon>
      )}
    </div>
  );
}
