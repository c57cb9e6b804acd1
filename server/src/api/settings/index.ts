import type { Operation } from "#api/kit/operation";
import { getSettings } from "./get-settings.ts";
import { previewSsoSignIn } from "./preview-sso.ts";
import { updateSettings } from "./update-settings.ts";

/** In document order. */
export const settingsOperations: readonly Operation[] = [getSettings, updateSettings, previewSsoSignIn];
