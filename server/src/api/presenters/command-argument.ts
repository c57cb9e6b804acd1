import { z } from "zod";

export const CommandArgumentShape = z
  .object({
    name: z.string().meta({ description: "The name of its placeholder", example: "version" }),
    description: z.string().describe("What to enter"),
    required: z.boolean().describe("Whether callers must send it"),
    default: z.string().nullable().describe("Its value if callers send none"),
    enum: z.array(z.string()).nullable().describe("The allowed values. Null: any text"),
  })
  .meta({ id: "CommandArgument", description: "An argument of a command" });
