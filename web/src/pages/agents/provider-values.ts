import type { Schemas } from "../../api/client.ts";
import type { Agent, DefaultProvider, ProviderType } from "./agents.ts";

type ProviderBody = NonNullable<Schemas["UpdateBackgroundAgent"]["provider"]>;

/** The fields of the form, as texts. */
export interface ProviderValues extends Record<string, unknown> {
  type: ProviderType | "default";
  model: string;
  base_url: string;
  api_key: string;
  headers: string;
  script: string;
}

export const NEW_PROVIDER: ProviderValues = {
  ...{ type: "anthropic", model: "", base_url: "", api_key: "", headers: "", script: "" },
};

/** New agents use the default if there is one. */
export function newProvider(installed: DefaultProvider | null): ProviderValues {
  return installed ? { ...NEW_PROVIDER, type: "default" } : NEW_PROVIDER;
}

export function providerValues({ model, provider }: Agent): ProviderValues {
  if (!provider) return { ...NEW_PROVIDER, type: "default", model: model ?? "" };
  const { type, base_url: url, script } = provider;
  const text = script.length === 0 ? "" : JSON.stringify(script, null, 2);
  return { type, model: model ?? "", base_url: url ?? "", api_key: "", headers: "", script: text };
}

/** Messages for fields that cannot be sent. The API checks the rest. */
export function providerProblems(values: ProviderValues): Partial<Record<keyof ProviderValues & string, string>> {
  const { type, model, base_url: url, headers, script } = values;
  return {
    ...(type !== "default" && model.trim() === "" && { model: "Enter the model's name" }),
    ...(type === "openai-compatible" && url.trim() === "" && { base_url: "Enter the URL of the server" }),
    ...(headersOf(headers) === undefined && { headers: "Write each line as Name: value" }),
    ...(type === "scripted" && scriptOf(script) === undefined && { script: "Enter a JSON array" }),
  };
}

/** Null: the default. */
export function providerBody(values: ProviderValues): ProviderBody | null {
  const { type, base_url: url, api_key: key, headers, script } = values;
  if (type === "default") return null;
  if (type === "scripted") return { type, script: scriptOf(script) ?? [] };
  const given = headersOf(headers) ?? {};
  return {
    type,
    base_url: url.trim() || null,
    ...(key.trim() !== "" && { api_key: key.trim() }),
    ...(Object.keys(given).length > 0 && { headers: given }),
  };
}

/** Null: the model of the default provider. */
export function modelBody({ model }: ProviderValues): string | null {
  return model.trim() || null;
}

/** The field of the form that a field of the body belongs to. */
export function providerField(field: string): string {
  if (field === "provider") return "type";
  const name = field.replace(/^provider\./, "");
  return /^(headers|script)\b/.exec(name)?.[0] ?? name;
}

/** A name without a value removes the header. Undefined: a line has no name. */
export function headersOf(text: string): Record<string, string | null> | undefined {
  const headers: Record<string, string | null> = {};
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, name = "", value = ""] = /^\s*([^:\s]+)\s*(?::(.*))?$/.exec(line) ?? [];
    if (name === "") return undefined;
    headers[name] = value.trim() === "" ? null : value.trim();
  }
  return headers;
}

/** Undefined: not a JSON array. */
export function scriptOf(text: string): ProviderBody["script"] | undefined {
  if (text.trim() === "") return [];
  try {
    const value: unknown = JSON.parse(text);
    // The API checks the entries.
    return Array.isArray(value) ? (value as ProviderBody["script"]) : undefined;
  } catch {
    return undefined;
  }
}
