import type { CheckType } from "./guards.ts";

export type ConfigField = CheckType["config"][number];
/** Objects are edited as JSON text; everything else as its value. */
export type ConfigValues = Readonly<Record<string, unknown>>;

/** What the form starts with: the stored settings, or the defaults. */
export function startOf(fields: readonly ConfigField[], config: Readonly<Record<string, unknown>>): ConfigValues {
  return Object.fromEntries(
    fields.map(({ name, type, default: fallback }) => {
      const value = config[name] ?? fallback;
      return [name, type === "object" ? JSON.stringify(value ?? {}, null, 2) : (value ?? emptyOf(type))];
    }),
  );
}

function emptyOf(type: ConfigField["type"]): unknown {
  if (type === "list") return [];
  return type === "boolean" ? false : "";
}

/**
 * The settings to send; undefined if an object is not valid JSON. Optional fields that are empty are omitted, and secret
 * ones then keep what is stored.
 */
export function configOf(fields: readonly ConfigField[], values: ConfigValues): Record<string, unknown> | undefined {
  const config: Record<string, unknown> = {};
  for (const { name, type, required, secret } of fields) {
    const value = values[name];
    if (type === "object") {
      const read = parsed(String(value));
      if (read === undefined) return undefined;
      if (!secret || !isEmptyObject(read)) config[name] = read;
    } else if (required || !isEmpty(value)) config[name] = value;
  }
  return config;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
