/** Who runs a model: for background agents (F21) and for guards that ask a model (families 6). */
export const MODEL_PROVIDERS = ["openai", "openai-compatible", "anthropic", "google"] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];
