/** Tools on the official SDK that send requests to the caller during a call, as legacy servers do. */
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

const anyArguments = z.looseObject({});

export function addAskingTools(server: McpServer): void {
  const textResult = (value: unknown) => ({ content: [{ type: "text" as const, text: JSON.stringify(value) }] });
  server.server.registerCapabilities({ logging: {} });
  const question = (message: unknown) => ({ message: String(message), requestedSchema: NAME_SCHEMA });
  server.registerTool("ask", { inputSchema: anyArguments }, async ({ message }, context) =>
    textResult(await context.mcpReq.send({ method: "elicitation/create", params: question(message) })),
  );
  // Not related to the call, so the SDK sends it on the session's stream.
  server.registerTool("ask_aside", { inputSchema: anyArguments }, async ({ message }, context) =>
    textResult(await context.mcpReq.elicitInput({ mode: "form", ...question(message) })),
  );
  server.registerTool("ask_model", { inputSchema: anyArguments }, async (_given, context) => {
    const messages = [{ role: "user", content: { type: "text", text: "Well?" } }];
    return textResult(
      await context.mcpReq.send({ method: "sampling/createMessage", params: { messages, maxTokens: 10 } }),
    );
  });
  server.registerTool("ask_roots", { inputSchema: anyArguments }, async (_given, context) =>
    textResult(await context.mcpReq.send({ method: "roots/list" })),
  );
  server.registerTool("can_ask", { inputSchema: anyArguments }, () =>
    textResult(server.server.getClientCapabilities()),
  );
  server.registerTool("log", { inputSchema: anyArguments }, async (_given, context) => {
    for (const level of ["debug", "warning"] as const) await context.mcpReq.log(level, `said at ${level}`);
    return textResult("logged");
  });
}

const NAME_SCHEMA = { type: "object" as const, properties: { name: { type: "string" as const } }, required: ["name"] };
