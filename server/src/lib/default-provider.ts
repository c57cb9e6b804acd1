import type { ModelProvider } from "./model-providers.ts";

/** The operator's provider for agents that have none. */
export interface DefaultProvider {
  readonly type: ModelProvider;
  readonly model: string;
  /** Undefined: the provider's own. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
}
