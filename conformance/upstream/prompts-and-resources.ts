/** The prompts and resources of the suite. */
import { completable, type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { z } from "zod";
import { PNG, text } from "./samples.ts";

export function addPrompts(server: McpServer): void {
  const user = <Content>(content: Content) => ({ role: "user" as const, content });
  server.registerPrompt("test_simple_prompt", { description: "Takes no arguments" }, () => ({
    messages: [user(text("This is a simple prompt for testing."))],
  }));
  const word = completable(z.string(), (begun) =>
    ["testing", "tested", "paris"].filter((each) => each.startsWith(begun)),
  );
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "Takes two arguments", argsSchema: z.object({ arg1: word, arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "Embeds a resource", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [
        user({
          type: "resource" as const,
          resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." },
        }),
        user(text("Please process the embedded resource above.")),
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "Holds an image" }, () => ({
    messages: [
      user({ type: "image" as const, data: PNG, mimeType: "image/png" }),
      user(text("Please analyze the image above.")),
    ],
  }));
}

export function addResources(server: McpServer): void {
  for (const [name, content] of [
    ["static-text", "This is the content of the static text resource."],
    ["watched-resource", "Watched resource content"],
  ] as const)
    server.registerResource(
      name,
      `test://${name}`,
      { description: "A text", mimeType: "text/plain" },
      ({ href: uri }) => ({
        contents: [{ uri, mimeType: "text/plain", text: content }],
      }),
    );
  const image = { description: "An image", mimeType: "image/png" };
  server.registerResource("static-binary", "test://static-binary", image, ({ href: uri }) => ({
    contents: [{ uri, mimeType: "image/png", blob: PNG }],
  }));
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { description: "Data of an id", mimeType: "application/json" },
    ({ href: uri }, { id }) => {
      const data = { id, templateTest: true, data: `Data for ID: ${id}` };
      return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(data) }] };
    },
  );
}
