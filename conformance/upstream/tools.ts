/** The suite's tools without requests to the client: every kind of content, errors, progress, log messages, schemas. */
import { setTimeout as sleep } from "node:timers/promises";
import { fromJsonSchema, type McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { PNG, saying, text, WAV } from "./samples.ts";

const PAUSE_MS = 50;

export function addTools(server: McpServer): void {
  addContentTools(server);
  addSchemaTools(server);
  server.registerTool("test_error_handling", { description: "Always fails" }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  server.registerTool("test_tool_with_progress", { description: "Reports its progress three times" }, reportProgress);
  server.registerTool("test_tool_with_logging", { description: "Sends three log messages" }, async (ctx) => {
    for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await ctx.mcpReq.log("info", message);
      await sleep(PAUSE_MS);
    }
    return saying("Logged three messages");
  });
  server.registerTool(
    "test_logging_tool",
    { description: "Sends a log message to those who want any" },
    async (ctx) => {
      await ctx.mcpReq.log("info", "Logged");
      return saying("Logged if asked for");
    },
  );
  server.registerTool(
    "test_reconnection",
    { description: "Closes its own event stream before it answers" },
    async (ctx) => {
      ctx.http?.closeSSE?.();
      await sleep(2 * PAUSE_MS);
      return saying("Answered on another stream");
    },
  );
}

function addContentTools(server: McpServer): void {
  server.registerTool("test_simple_text", { description: "Answers with a text" }, () =>
    saying("This is a simple text response for testing."),
  );
  const image = { type: "image" as const, data: PNG, mimeType: "image/png" };
  server.registerTool("test_image_content", { description: "Answers with an image" }, () => ({ content: [image] }));
  server.registerTool("test_audio_content", { description: "Answers with a sound" }, () => ({
    content: [{ type: "audio" as const, data: WAV, mimeType: "audio/wav" }],
  }));
  const embedded = (uri: string, mimeType: string, value: string) => ({
    type: "resource" as const,
    resource: { uri, mimeType, text: value },
  });
  server.registerTool("test_embedded_resource", { description: "Answers with a resource" }, () => ({
    content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
  }));
  server.registerTool(
    "test_multiple_content_types",
    { description: "Answers with a text, an image, a resource" },
    () => ({
      content: [
        text("Multiple content types test:"),
        image,
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
      ],
    }),
  );
}

function addSchemaTools(server: McpServer): void {
  server.registerTool(
    "test_structured_content",
    {
      description: "Adds two numbers",
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    ({ a, b }) => ({ ...saying(String(a + b)), structuredContent: { sum: a + b } }),
  );
  server.registerTool(
    "json_schema_2020_12_tool",
    {
      description: "Has a schema with the keywords of JSON Schema 2020-12",
      inputSchema: fromJsonSchema(CONTACT_SCHEMA),
    },
    (args) => saying(JSON.stringify(args)),
  );
  server.registerTool(
    "test_mirrored_header",
    { description: "Has an argument that is mirrored in a header", inputSchema: fromJsonSchema(MIRRORED_SCHEMA) },
    (args) => saying(JSON.stringify(args)),
  );
}

const CONTACT_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object" as const,
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object" as const,
      properties: { street: { type: "string" as const }, city: { type: "string" as const } },
    },
  },
  properties: {
    name: { type: "string" as const },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string" as const, enum: ["phone", "email"] },
    phone: { type: "string" as const },
    email: { type: "string" as const },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const MIRRORED_SCHEMA = {
  type: "object" as const,
  properties: { region: { type: "string" as const, "x-mcp-header": "Region" }, query: { type: "string" as const } },
  required: ["region", "query"],
};

async function reportProgress(ctx: ServerContext) {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) {
      const params = { progressToken, progress, total: 100, message: `Completed step ${progress} of 100` };
      await ctx.mcpReq.notify({ method: "notifications/progress", params });
    }
    await sleep(PAUSE_MS);
  }
  return saying("Reported progress three times");
}
