import { z } from "zod";

const ConfigObject = z.record(z.string(), z.unknown());

export const ConfigShape = z.record(z.string(), z.array(ConfigObject)).meta({
  description: "Objects by kind: settings, servers, groups, and so on",
  example: { groups: [{ name: "Engineering", members: ["ada@example.com"] }] },
});

const EXAMPLE = { config: { groups: [{ name: "Engineering", members: ["ada@example.com"] }] }, prune: false };

export const ConfigBody = z
  .object({
    config: z
      .record(z.string(), z.unknown(), { error: "must be an object" })
      .describe("Objects by kind. Omitted kinds and omitted fields keep their values"),
    prune: z
      .boolean({ error: "must be a boolean" })
      .optional()
      .describe("Delete objects of these kinds that are not declared. Default: false"),
  })
  .meta({
    id: "PlanConfig",
    description: "The wanted configuration",
    example: EXAMPLE,
  });

export const ConfigStep = z
  .object({
    kind: z.string().meta({ description: "Kind of the object", example: "groups" }),
    action: z.enum(["create", "update", "delete"]).describe("What happens to it"),
    key: z.string().meta({ description: "Its name or slug", example: "Engineering" }),
    changes: z
      .array(
        z.object({
          field: z.string().describe("The field"),
          before: z.unknown().describe("Its value now; secrets are hidden"),
          after: z.unknown().describe("Its value afterwards; secrets are hidden"),
        }),
      )
      .describe("The fields that change; empty for a deletion"),
  })
  .meta({ id: "ConfigStep", description: "One change of the configuration" });

export const ApplyConfigBody = ConfigBody.extend({
  planned: z
    .array(ConfigStep, { error: "must be a list of steps" })
    .optional()
    .describe("The steps of a plan that was confirmed. If others are necessary by now, nothing changes"),
}).meta({ id: "ApplyConfig", description: "The wanted configuration", example: EXAMPLE });

/** Many skills with files fit. An export that does not fit fails, so that each written one can be applied. */
export const CONFIG_BODY_BYTES = 64 * 1024 * 1024;
