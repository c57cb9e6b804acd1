/**
 * The same features for both eras on the official SDK: they need an elicitation, a sample or the roots of the caller. In
 * the legacy era they send requests during the call; in the modern era they return `input_required`.
 */
import {
  type InputRequest,
  inputRequired,
  type McpServer,
  type ServerContext,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/server";
import { z } from "zod";

const SCHEMA = { type: "object" as const, properties: { name: { type: "string" as const } }, required: ["name"] };
const SAMPLE = {
  messages: [{ role: "user" as const, content: { type: "text" as const, text: "Well?" } }],
  maxTokens: 10,
};
const URL_PARAMS = { mode: "url" as const, message: "Open it", url: "https://example.com/approve" };

const REQUESTS = {
  elicit: { method: "elicitation/create", params: { mode: "form", message: "Your name?", requestedSchema: SCHEMA } },
  open: { method: "elicitation/create", params: URL_PARAMS },
  sample: { method: "sampling/createMessage", params: SAMPLE },
  roots: { method: "roots/list" },
} as const;

type Kind = keyof typeof REQUESTS;

/** Legacy servers give such an elicitation an id. */
function legacyRequest(kind: Kind) {
  return kind === "open" ? { ...REQUESTS.open, params: { ...URL_PARAMS, elicitationId: "e-1" } } : REQUESTS[kind];
}

async function inquire(kinds: readonly Kind[], context: ServerContext) {
  const { mcpReq } = context;
  if (mcpReq.envelope === undefined) {
    const answers = await Promise.all(kinds.map((kind) => mcpReq.send(legacyRequest(kind))));
    return { answers: Object.fromEntries(kinds.map((kind, at) => [kind, answers[at]])) };
  }
  const given = mcpReq.inputResponses;
  if (given && kinds.every((kind) => given[kind] !== undefined))
    return { answers: Object.fromEntries(kinds.map((kind) => [kind, given[kind]])), state: mcpReq.requestState() };
  // These literals have the shape of the protocol's requests.
  const requests = Object.fromEntries(kinds.map((kind) => [kind, REQUESTS[kind] as InputRequest]));
  return inputRequired({ inputRequests: requests, requestState: "opaque: é" });
}

export function addInquiringTools(server: McpServer): void {
  const inputSchema = z.looseObject({});
  /** In this session. */
  let signedIn = false;
  const tools: Record<string, readonly Kind[]> = {
    elicit: ["elicit"],
    open: ["open"],
    sample: ["sample"],
    roots: ["roots"],
    everything: ["elicit", "sample", "roots"],
  };
  for (const [name, kinds] of Object.entries(tools)) {
    server.registerTool(name, { inputSchema }, async (_given, context) => {
      const result = await inquire(kinds, context);
      return "answers" in result ? { content: [{ type: "text", text: JSON.stringify(result.answers) }] } : result;
    });
  }
  server.registerTool("twice", { inputSchema }, async (_given, context) => {
    const { mcpReq } = context;
    if (mcpReq.envelope !== undefined) {
      if (mcpReq.requestState() === "second" && mcpReq.inputResponses?.again)
        return { content: [{ type: "text", text: JSON.stringify(mcpReq.inputResponses.again) }] };
      const key = mcpReq.inputResponses?.elicit ? "again" : "elicit";
      const state = key === "again" ? "second" : "first";
      // The literal has the shape of the protocol's request.
      return inputRequired({ inputRequests: { [key]: REQUESTS.elicit as InputRequest }, requestState: state });
    }
    await mcpReq.send(legacyRequest("elicit"));
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken !== undefined)
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1, total: 2 } });
    return { content: [{ type: "text", text: JSON.stringify(await mcpReq.send(legacyRequest("elicit"))) }] };
  });
  server.registerTool("sign_in", { inputSchema }, (_given, { mcpReq }) => {
    if (mcpReq.envelope === undefined && !signedIn) {
      signedIn = true;
      throw new UrlElicitationRequiredError([{ ...URL_PARAMS, elicitationId: "e-2" }]);
    }
    return { content: [{ type: "text", text: "signed in" }] };
  });
  server.registerPrompt("greeting", {}, async (context) => {
    const result = await inquire(["elicit"], context);
    if (!("answers" in result)) return result;
    return { messages: [{ role: "user", content: { type: "text", text: JSON.stringify(result.answers) } }] };
  });
  server.registerResource("note", "note://one", {}, async (uri, context) => {
    const result = await inquire(["roots"], context);
    return "answers" in result ? { contents: [{ uri: uri.href, text: JSON.stringify(result.answers) }] } : result;
  });
}
