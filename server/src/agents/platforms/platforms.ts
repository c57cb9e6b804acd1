import { AnthropicPlatform } from "./anthropic-platform.ts";
import type { Platform } from "./platform.ts";
import { WebhookPlatform, type WebhookPlatformNeeds } from "./webhook-platform.ts";

/** All platforms besides the loop of Gatehouse. */
export interface Platforms {
  readonly anthropic: AnthropicPlatform;
  readonly webhook: Platform;
}

export function createPlatforms(needs: WebhookPlatformNeeds): Platforms {
  return { anthropic: new AnthropicPlatform(needs), webhook: new WebhookPlatform(needs) };
}
