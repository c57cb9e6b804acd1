import { BadSetting } from "#lib/bad-setting";
import type { DefaultProvider } from "#lib/default-provider";
import { MODEL_PROVIDERS } from "#lib/model-providers";

type Get = (name: string) => string | undefined;

const OTHERS = ["AGENT_MODEL", "AGENT_BASE_URL"] as const;

/** Undefined without `AGENT_PROVIDER`: each agent needs a provider. */
export function readDefaultProvider(get: Get, getSecret: Get): DefaultProvider | undefined {
  const name = get("AGENT_PROVIDER");
  const [model, baseUrl, apiKey] = [get("AGENT_MODEL"), get("AGENT_BASE_URL"), getSecret("AGENT_API_KEY")];
  if (name === undefined) {
    const unused = apiKey === undefined ? OTHERS.find((other) => get(other) !== undefined) : "AGENT_API_KEY";
    if (unused !== undefined) throw new BadSetting(`${unused} requires AGENT_PROVIDER`);
    return undefined;
  }
  const type = MODEL_PROVIDERS.find((each) => each === name);
  if (type === undefined)
    throw new BadSetting(`AGENT_PROVIDER must be one of ${MODEL_PROVIDERS.join(", ")}, not "${name}"`);
  if (model === undefined)
    throw new BadSetting("AGENT_PROVIDER requires AGENT_MODEL, the model's name at the provider");
  if (type === "openai-compatible" && baseUrl === undefined)
    throw new BadSetting("AGENT_PROVIDER=openai-compatible requires AGENT_BASE_URL");
  if (baseUrl !== undefined) requireUrl(baseUrl);
  return { type, model, baseUrl, apiKey };
}

/** The URL is shown to admins, so it must not contain a password. */
function requireUrl(text: string): void {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return;
  throw new BadSetting("AGENT_BASE_URL must be an http or https URL without a user name or password");
}
