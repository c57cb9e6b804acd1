/** Models of agents and guards. The packages of the AI SDK speak the protocols of the providers; the loop is ours (decision 0120). */

import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { EgressFetch } from "#egress/egress";
import { loadOnUse } from "#lib/load-on-use";
import { MODEL_PROVIDERS } from "#lib/model-providers";
import { ScriptedModel, type ScriptLine } from "./scripted-model.ts";

export const PROVIDER_TYPES = [...MODEL_PROVIDERS, "scripted"] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

export interface ModelSettings {
  readonly type: ProviderType;
  readonly model: string;
  /** Required for `openai-compatible`. Default: the provider's. */
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** For `scripted`. */
  readonly script?: readonly ScriptLine[] | undefined;
}

/** Loads the provider's package on first use: most installations use one provider or none. */
export async function languageModel(settings: ModelSettings, fetch: EgressFetch): Promise<LanguageModelV3> {
  const { type, model, script = [] } = settings;
  if (type === "scripted") return new ScriptedModel(script);
  const shared = {
    fetch,
    // Without a key, the packages read environment variables.
    apiKey: settings.apiKey ?? "",
    ...(settings.baseUrl !== undefined && { baseURL: settings.baseUrl }),
    ...(settings.headers && { headers: { ...settings.headers } }),
  };
  switch (type) {
    case "openai": {
      const { createOpenAI } = await loadOnUse(() => import("@ai-sdk/openai"));
      return createOpenAI(shared).chat(model);
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await loadOnUse(() => import("@ai-sdk/openai-compatible"));
      return createOpenAICompatible({ ...shared, name: type, baseURL: settings.baseUrl ?? "" }).chatModel(model);
    }
    case "anthropic": {
      const { createAnthropic } = await loadOnUse(() => import("@ai-sdk/anthropic"));
      return createAnthropic(shared)(model);
    }
    case "google": {
      const { createGoogleGenerativeAI } = await loadOnUse(() => import("@ai-sdk/google"));
      return createGoogleGenerativeAI(shared)(model);
    }
  }
}
