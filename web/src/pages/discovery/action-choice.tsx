import { Select } from "@mantine/core";
import type { Action } from "./discovery.ts";

const OPTIONS: { value: Action; label: string }[] = [
  { value: "allow", label: "Allow" },
  { value: "warn", label: "Warn" },
  { value: "block", label: "Block" },
];

interface ActionChoiceProps {
  readonly label: string;
  readonly value: Action;
  readonly disabled?: boolean;
  onChange(action: Action): void;
}

export function ActionChoice({ label, value, disabled = false, onChange }: ActionChoiceProps) {
  return (
    <Select
      label={label}
      data={OPTIONS}
      value={value}
      disabled={disabled}
      allowDeselect={false}
      onChange={(chosen) => {
        const action = OPTIONS.find((option) => option.value === chosen)?.value;
        if (action !== undefined) onChange(action);
      }}
    />
  );
}
