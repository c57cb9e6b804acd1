import { NumberInput, Radio, Stack, Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { SETTINGS } from "#openapi/constants";
import { useRights } from "../../api/context.tsx";
import { defaultAndRange, type SettingName, type SettingValues } from "./settings.ts";

interface SettingFieldProps {
  readonly name: SettingName;
  readonly form: UseFormReturnType<SettingValues>;
  readonly disabled?: boolean;
  readonly placeholder?: string;
}

interface Described {
  readonly kind: string;
  readonly description: string;
  readonly hint?: string;
}

/** A declared setting with its description, default, and range. */
export function SettingField({ name, form, disabled = false, placeholder }: SettingFieldProps) {
  const { changes } = useRights();
  const declaration = SETTINGS[name];
  const props = {
    label: declaration.label,
    description: <Description name={name} />,
    disabled: disabled || !changes,
    ...form.getInputProps(name, { type: declaration.kind === "switch" ? "checkbox" : "input" }),
    key: name,
  };
  switch (declaration.kind) {
    case "number":
      return (
        <NumberInput
          {...props}
          key={name}
          classNames={ROW}
          suffix={` ${declaration.unit}`}
          placeholder={`${declaration.default} ${declaration.unit}`}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          hideControls
        />
      );
    case "switch":
      return <Switch {...props} key={name} labelPosition="left" className="gh-setting-switch" />;
    case "choice":
      return (
        <Radio.Group {...props} key={name}>
          <Stack gap="xs" mt="xs">
            {Object.entries(declaration.choiceLabels).map(([choice, { label, hint }]) => (
              <Radio key={choice} value={choice} label={label} description={hint} disabled={props.disabled} />
            ))}
          </Stack>
        </Radio.Group>
      );
    case "text":
      return <TextInput {...props} key={name} classNames={ROW} placeholder={placeholder} />;
  }
}

const ROW = { root: "gh-setting" };

function Description({ name }: { name: SettingName }) {
  const { kind, description, hint }: Described = SETTINGS[name];
  // The hint of a switch replaces its description, which starts with "Whether".
  const text = kind === "switch" && hint !== undefined ? hint : [`${description}.`, hint ?? ""].join(" ");
  return (
    <>
      {text} <span className="gh-setting-default">{defaultAndRange(name)}</span>
    </>
  );
}
