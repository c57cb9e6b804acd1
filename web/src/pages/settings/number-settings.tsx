import { Button, Group, NumberInput, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { SETTINGS } from "#openapi/constants";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { fieldError } from "../../components/failure.ts";
import { type NumberSetting, type Settings, settingsKey } from "./settings.ts";

interface NumberSettingsProps {
  readonly settings: Settings;
  readonly fields: readonly NumberSetting[];
}

type Typed = Partial<Record<NumberSetting, number | "">>;

/** Numbers that are saved together. An empty field restores the default. */
export function NumberSettings({ settings, fields }: NumberSettingsProps) {
  const { changes } = useRights();
  const [typed, setTyped] = useState<Typed>({});
  const save = useSaveSettings(() => setTyped({}));
  const fault = fieldError(save.error);
  const isChanged = fields.some((name) => typed[name] !== undefined && typed[name] !== settings[name]);
  const onSubmit = () => {
    const body = Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, value === "" ? null : value]));
    save.mutate(body);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) onSubmit();
      }}
    >
      <Stack gap="sm" maw={420}>
        {fields.map((name) => (
          <NumberInput
            key={name}
            {...inputProps(SETTINGS[name])}
            clampBehavior="blur"
            allowDecimal={false}
            thousandSeparator=","
            disabled={!changes}
            value={typed[name] ?? settings[name]}
            onChange={(value) => setTyped((old) => ({ ...old, [name]: typeof value === "number" ? value : "" }))}
            error={fault?.field === name ? fault.message : undefined}
          />
        ))}
        {!fields.some((name) => name === fault?.field) && <ErrorNote error={save.error} />}
        {changes && <SaveButtons isChanged={isChanged} isWorking={save.isPending} onUndo={() => setTyped({})} />}
      </Stack>
    </form>
  );
}

interface NumberDeclaration {
  readonly label: string;
  readonly hint?: string;
  readonly unit: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
}

function inputProps({ label, hint, unit, minimum, maximum, default: fallback }: NumberDeclaration) {
  return {
    label,
    description: hint,
    suffix: ` ${unit}`,
    placeholder: `${fallback} ${unit}`,
    min: minimum,
    max: maximum,
  };
}

interface SaveButtonsProps {
  readonly isChanged: boolean;
  readonly isWorking: boolean;
  onUndo(): void;
}

export function SaveButtons({ isChanged, isWorking, onUndo }: SaveButtonsProps) {
  return (
    <Group gap="xs">
      <Button type="submit" disabled={!isChanged} loading={isWorking}>
        Save
      </Button>
      {isChanged && (
        <Button variant="subtle" color="gray" onClick={onUndo} disabled={isWorking}>
          Undo
        </Button>
      )}
    </Group>
  );
}

export function useSaveSettings(onSaved?: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Parameters<typeof api.updateSettings>[0]["body"]) => api.updateSettings({ body }),
    onSuccess: ({ data }) => {
      queries.setQueryData(settingsKey, data);
      onSaved?.();
    },
  });
}
