import { z } from "zod";
import { write } from "#api/kit/operation";
import { applyConfiguration, presentStep, readConfiguration } from "./plan.ts";
import { CONFIG_BODY_BYTES, ConfigBody, ConfigStep } from "./schema.ts";

/** F26. It applies the configuration on trial, so it rejects what `applyConfig` would reject (decision 0193). */
export const planConfig = write({
  id: "planConfig",
  route: "POST /api/config/plan",
  tag: "Configuration",
  summary: "Compare a configuration with the installation",
  description:
    "Returns the steps that `applyConfig` would take, or the error with which it would reject the configuration. Changes nothing.",
  scope: "admin:write",
  body: ConfigBody,
  bodyLimitBytes: CONFIG_BODY_BYTES,
  answers: { 200: z.object({ data: z.array(ConfigStep) }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to compare the configuration",
  isTrial: true,
  unaudited: "the transaction is rolled back",
  async run({ tx, invoke, context, body: { config, prune = false } }) {
    const steps = await applyConfiguration({ db: tx, invoke, context }, readConfiguration(config), prune);
    return { status: 200, body: { data: steps.map(presentStep) } };
  },
});
