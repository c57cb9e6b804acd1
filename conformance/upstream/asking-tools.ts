/** The suite's tools that send requests to a legacy client during a call. */
import type { ElicitRequestFormParams, McpServer, ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { saying } from "./samples.ts";

type RequestedSchema = ElicitRequestFormParams["requestedSchema"];

export function addAskingTools(server: McpServer): void {
  server.registerTool(
    "test_sampling",
    { description: "Asks the caller's model", inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, ctx) => {
      const messages = [{ role: "user" as const, content: { type: "text" as const, text: prompt } }];
      const { content } = await ctx.mcpReq.requestSampling({ messages, maxTokens: 100 });
      return saying(`LLM response: ${JSON.stringify(content)}`);
    },
  );
  server.registerTool(
    "test_elicitation",
    { description: "Asks the user two things", inputSchema: z.object({ message: z.string() }) },
    ({ message }, ctx) => askUser(ctx, message, USER_SCHEMA),
  );
  server.registerTool("test_elicitation_sep1034_defaults", { description: "Asks the user with defaults" }, (ctx) =>
    askUser(ctx, "Please review the defaults", DEFAULTS_SCHEMA),
  );
  server.registerTool("test_elicitation_sep1330_enums", { description: "Lets the user choose" }, (ctx) =>
    askUser(ctx, "Please choose", ENUMS_SCHEMA),
  );
}

async function askUser(ctx: ServerContext, message: string, requestedSchema: RequestedSchema) {
  const { action, content } = await ctx.mcpReq.elicitInput({ mode: "form", message, requestedSchema });
  return saying(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

const USER_SCHEMA: RequestedSchema = {
  type: "object",
  properties: {
    username: { type: "string", description: "User's response" },
    email: { type: "string", description: "User's email address" },
  },
  required: ["username", "email"],
};

const DEFAULTS_SCHEMA: RequestedSchema = {
  type: "object",
  properties: {
    name: { type: "string", description: "User name", default: "John Doe" },
    age: { type: "integer", description: "User age", default: 30 },
    score: { type: "number", description: "User score", default: 95.5 },
    status: { type: "string", description: "Status", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", description: "Verified", default: true },
  },
  required: [],
};

const OPTIONS = ["option1", "option2", "option3"];
const TITLED = ["First", "Second", "Third"].map((title, index) => ({ const: `value${index + 1}`, title }));

const ENUMS_SCHEMA: RequestedSchema = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", description: "One of three", enum: OPTIONS },
    titledSingle: { type: "string", description: "One of three, with titles", oneOf: TITLED },
    legacyEnum: {
      type: "string",
      description: "One of three, with separate names",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: {
      type: "array",
      description: "Some of three",
      minItems: 1,
      maxItems: 3,
      items: { type: "string", enum: OPTIONS },
    },
    titledMulti: {
      type: "array",
      description: "Some of three, with titles",
      minItems: 1,
      maxItems: 3,
      items: { anyOf: TITLED },
    },
  },
  required: [],
};
