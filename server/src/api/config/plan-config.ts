import { z } from "zod";
import { read } from "#api/kit/operation";
import { planSteps, presentStep, readConfiguration } from "./plan.ts";
import { CONFIG_BODY_BYTES, ConfigBody, ConfigStep } from "./schema.ts";

/** F26. It compares secrets, so it needs the scope that can also set them. */
export const planConfig = read({
  id: "planConfig",
  route: "POST /api/config/plan",
  tag: "Configuration",
  summary: "Compare a configuration with the installation",
  description:
    "Returns the steps that `applyConfig` would take, and changes nothing. Values are validated when they are applied.",
  scope: "admin:write",
  body: ConfigBody,
  bodyLimitBytes: CONFIG_BODY_BYTES,
  answers: { 200: z.object({ data: z.array(ConfigStep) }) },
  refusals: [400],
  onCrash: "Failed to compare the configuration",
  async run({ db, invoke, context, body: { config, prune = false } }) {
    const steps = await planSteps({ db, invoke, context }, readConfiguration(config), prune);
    return { status: 200, body: { data: steps.map(presentStep) } };
  },
});
