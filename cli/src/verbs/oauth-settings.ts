import { ApiError, type Client } from "#openapi/client";
import { isObject } from "#openapi/json";
import type { Schemas } from "#openapi/types";
import { EXIT, Failure } from "../failure.ts";
import type { Columns, Output } from "../output.ts";
import { verb, YES } from "../verb.ts";

/** Longer than the service waits for the authorization server. */
const DISCOVERY_SECONDS = 60;

type Step = Schemas["DiscoveryStep"];

const STEPS: Columns<Step> = {
  REQUEST: (step) => step.asked,
  RESPONSE: (step) => step.answered,
  RESULT: (step) => step.concluded,
};

/** A failed discovery has its steps too, which show what to fix. */
function showSteps(out: Output, source: unknown): void {
  if (out.json || !isObject(source) || !Array.isArray(source.steps)) return;
  // The service responds with steps of this type, also in an error.
  out.list(source.steps as Step[], STEPS, "No steps.");
}

export const discoverOAuth = verb({
  description: "Discover the OAuth settings of a server, and register a client there",
  args: ["slug"],
  example: "gatehouse servers discover-oauth wiki",
  timeoutSeconds: DISCOVERY_SECONDS,
  async run({ api, args, out }) {
    const { data } = await api()
      .discoverOAuth({ path: args })
      .catch((error: unknown) => {
        if (error instanceof ApiError) showSteps(out, error.body);
        throw error;
      });
    showSteps(out, data);
    out.record(data, ["steps"]);
    const { oauth_change: change } = data;
    if (change && !change.kept) {
      out.say(
        `The server names another authorization server: ${change.issuer}. To use it, run: gatehouse servers approve-oauth ${args.slug}`,
      );
    } else out.say(data.advice ?? "Users can connect.");
  },
});

async function readChange(client: Client, slug: string): Promise<Schemas["OAuthChange"]> {
  const { data } = await client.getMcpServer({ path: { slug } });
  if (data.oauth_change === null) throw new Failure(EXIT.failed, `${slug} names no other OAuth settings.`);
  return data.oauth_change;
}

/** Approves exactly the settings that were shown: the service refuses settings that changed since. */
export const approveOAuth = verb({
  description: "Show changed OAuth settings of a server, and approve them; users must reconnect",
  args: ["slug"],
  options: { yes: YES },
  example: "gatehouse servers approve-oauth wiki --yes",
  async run({ api, args, out, confirm }) {
    const client = api();
    const change = await readChange(client, args.slug);
    out.record(change);
    await confirm(`Let users of ${args.slug} sign in at ${change.issuer}?`);
    const { data } = await client.approveOAuthChange({ path: args, body: { digest: change.digest } });
    out.say(`Approved ${data.issuer}.`);
  },
});

export const keepOAuth = verb({
  description: "Keep the current OAuth settings of a server that names others",
  args: ["slug"],
  example: "gatehouse servers keep-oauth wiki",
  async run({ api, args, out }) {
    const client = api();
    const { digest, issuer } = await readChange(client, args.slug);
    await client.keepOAuthSettings({ path: args, body: { digest } });
    out.say(`Kept the current settings. ${issuer} is not used.`);
  },
});
