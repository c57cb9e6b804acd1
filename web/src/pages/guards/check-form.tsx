import {
  MultiSelect,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ChangeEvent } from "react";
import { useApi } from "../../api/context.tsx";
import { type ConfigField, type ConfigValues, configOf, startOf } from "./check-config.ts";
import { type Check, type CheckType, checkTypesQuery, type Guard } from "./guards.ts";

/** A check as it is edited. */
export interface CheckDraft {
  /** Undefined: a new check. */
  readonly id: string | undefined;
  readonly type: Check["type"];
  readonly name: string;
  readonly certainty: number;
  readonly values: ConfigValues;
  /** Whether secret settings are stored, which the form does not show. */
  readonly hasSecrets: boolean;
}

/** Checks that a type of guard can have. */
export function useCheckTypes(guard: Guard["type"]): readonly CheckType[] {
  const { data = [] } = useQuery(checkTypesQuery(useApi()));
  return data.filter(({ type }) => guard === "buildtime" || type !== "tool_poisoning");
}

export function newDraft(type: CheckType | undefined): CheckDraft {
  const fields = type?.config ?? [];
  return {
    id: undefined,
    type: type?.type ?? "keyword",
    name: type?.name ?? "",
    certainty: 8,
    values: startOf(fields, {}),
    hasSecrets: false,
  };
}

export function draftOf(check: Check, types: readonly CheckType[]): CheckDraft {
  const { id, type, name, certainty, config, header_names: headers, has_api_key: hasKey } = check;
  const fields = types.find((each) => each.type === type)?.config ?? [];
  const hasSecrets = headers !== undefined || hasKey === true;
  return { id, type, name, certainty, values: startOf(fields, config), hasSecrets };
}

/** For the API; undefined while it is incomplete. */
export function bodyOf({ id, type, name, certainty, values }: CheckDraft, types: readonly CheckType[]) {
  const config = configOf(types.find((each) => each.type === type)?.config ?? [], values);
  if (config === undefined || name.trim() === "") return undefined;
  return { ...(id !== undefined && { id }), type, name: name.trim(), certainty, config };
}

interface CheckFormProps {
  readonly types: readonly CheckType[];
  readonly draft: CheckDraft;
  onChange(draft: CheckDraft): void;
}

/** The form is built from what the API says about the type of check. */
export function CheckForm({ types, draft, onChange }: CheckFormProps) {
  const type = types.find((each) => each.type === draft.type);
  return (
    <Stack gap="md">
      <Select
        label="Check"
        data={types.map(({ type: value, name: label }) => ({ value, label }))}
        value={draft.type}
        allowDeselect={false}
        disabled={draft.id !== undefined}
        onChange={(chosen) => onChange(newDraft(types.find((each) => each.type === chosen)))}
      />
      {type && (
        <Text size="xs" c="dimmed">
          {type.description}
        </Text>
      )}
      <TextInput
        label="Name"
        description="Shown in findings"
        value={draft.name}
        onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
      />
      {type && !type.graded && (
        <NumberInput
          label="Certainty"
          description="1 to 10: how sure a finding is"
          min={1}
          max={10}
          value={draft.certainty}
          onChange={(value) => onChange({ ...draft, certainty: Number(value) })}
        />
      )}
      {type?.config.map((field) => (
        <ConfigInput
          key={field.name}
          field={field}
          isStored={field.secret === true && draft.hasSecrets}
          value={draft.values[field.name]}
          onChange={(value) => onChange({ ...draft, values: { ...draft.values, [field.name]: value } })}
        />
      ))}
    </Stack>
  );
}

interface ConfigInputProps {
  readonly field: ConfigField;
  /** Whether a secret is stored that is kept if nothing is entered. */
  readonly isStored: boolean;
  readonly value: unknown;
  onChange(value: unknown): void;
}

function ConfigInput({ field, isStored, value, onChange }: ConfigInputProps) {
  const { name, type, required, choices, secret, multiline } = field;
  const description = isStored ? `${field.description} Leave it empty to keep the stored value.` : field.description;
  const shared = { label: labelOf(name), description, required };
  switch (type) {
    case "boolean":
      return (
        <Switch
          label={shared.label}
          description={description}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case "integer":
      return <NumberInput {...shared} value={Number(value) || ""} onChange={(next) => onChange(Number(next))} />;
    case "list":
      return choices ? (
        <MultiSelect {...shared} data={[...choices]} value={texts(value)} onChange={onChange} searchable />
      ) : (
        <TagsInput {...shared} value={texts(value)} onChange={onChange} />
      );
    default: {
      if (choices) {
        return (
          <Select
            {...shared}
            data={[...choices]}
            value={String(value) || null}
            onChange={(next) => onChange(next ?? "")}
          />
        );
      }
      const text = {
        ...shared,
        ...{ spellCheck: multiline === true, value: String(value) },
        onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.currentTarget.value),
      };
      if (type === "object" || multiline) return <Textarea {...text} autosize minRows={4} />;
      return secret ? <PasswordInput {...text} autoComplete="off" /> : <TextInput {...text} />;
    }
  }
}

/** `whole_word` → "Whole word" */
function labelOf(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
