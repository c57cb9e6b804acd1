import { queryOptions } from "@tanstack/react-query";
import { SETTINGS } from "#openapi/constants";
import type { Api, Schemas } from "../../api/client.ts";

export type Settings = Schemas["Settings"];
export type SettingsChanges = Schemas["UpdateSettings"];
/** The settings that the server declares. Labels, units, ranges, and defaults are in `SETTINGS`. */
export type SettingName = keyof typeof SETTINGS;

/** Properties of the component of each section. */
export interface SectionProps {
  readonly settings: Settings;
  onSaved(): void;
}

export const settingsKey = ["settings"] as const;

export function settingsQuery(api: Api) {
  return queryOptions({
    queryKey: settingsKey,
    queryFn: async ({ signal }) => (await api.getSettings({ signal })).data,
  });
}

/** The values of a form. An empty field restores the default. */
export type SettingValues = Readonly<Record<string, number | string | boolean>>;

export function valuesOf(settings: Settings, names: readonly SettingName[]): SettingValues {
  return Object.fromEntries(names.map((name) => [name, settings[name] ?? ""]));
}

/** The changed settings as the body of the request; an empty value restores the default. */
export function changesOf(settings: Settings, values: SettingValues): SettingsChanges {
  const changed = Object.entries(values)
    .map(([name, value]) => [name, typeof value === "string" ? value.trim() : value] as const)
    .filter(([name, value]) => value !== (settings[name as SettingName] ?? ""));
  return Object.fromEntries(changed.map(([name, value]) => [name, value === "" ? null : value]));
}

/** Error messages by field, for numbers outside their range. */
export function rangeErrors(values: SettingValues): Record<string, string> {
  const names = Object.keys(values) as SettingName[]; // forms contain declared settings only
  return Object.fromEntries(
    names.flatMap((name) => {
      const declaration = SETTINGS[name];
      const value = values[name];
      if (declaration.kind !== "number" || typeof value !== "number") return [];
      const { minimum, maximum } = declaration;
      const isInRange = Number.isInteger(value) && value >= minimum && value <= maximum;
      return isInRange ? [] : [[name, `Enter a number from ${number(minimum)} to ${number(maximum)}`]];
    }),
  );
}

/** "Default: 90 days. Allowed: 1 to 3,650." */
export function defaultAndRange(name: SettingName): string | undefined {
  const declaration = SETTINGS[name];
  switch (declaration.kind) {
    case "number":
      return `Default: ${number(declaration.default)} ${declaration.unit}. Allowed: ${number(declaration.minimum)} to ${number(declaration.maximum)}.`;
    case "switch":
      return `Default: ${declaration.default ? "on" : "off"}.`;
    case "choice":
      return `Default: ${choiceLabel(declaration.choiceLabels, declaration.default)}.`;
    case "text":
      return "Default: not set.";
  }
}

function choiceLabel(labels: Readonly<Record<string, { readonly label: string }>>, choice: string): string {
  return labels[choice]?.label ?? choice;
}

function number(value: number): string {
  return value.toLocaleString("en");
}
