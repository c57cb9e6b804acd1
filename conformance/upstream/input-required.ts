/** The suite's tools and prompt that respond to a modern caller with an input request instead of a result. */
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequest,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { saying, text } from "./samples.ts";

interface Round {
  readonly round: number;
}

/** One key for all servers, because any of them may receive the state of another one. */
export const requestStates = createRequestStateCodec<Round>({
  key: "a key that protects nothing but the states of a test",
});

const NAME = z.object({ name: z.string() });
const CONFIRMATION = z.object({ ok: z.boolean() });
const askName = inputRequired.elicit({ message: "What is your name?", requestedSchema: NAME });
const askConfirmation = inputRequired.elicit({ message: "Please confirm", requestedSchema: CONFIRMATION });
const askRoots = inputRequired.listRoots();

function askModel(question: string): InputRequest {
  return inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: question } }],
    maxTokens: 100,
  });
}

export function addQuestions(server: McpServer): void {
  addSingleQuestions(server);
  addQuestionsWithState(server);
  addCapabilityChecks(server);
  server.registerPrompt("test_input_required_result_prompt", { description: "Asks for its context first" }, (ctx) => {
    const given = acceptedContent(ctx.mcpReq.inputResponses, "user_context", z.object({ context: z.string() }));
    if (!given) return inputRequired({ inputRequests: { user_context: askContext } });
    return { messages: [{ role: "user" as const, content: text(`In the context of ${given.context}`) }] };
  });
}

const askContext = inputRequired.elicit({
  message: "What context should the prompt use?",
  requestedSchema: z.object({ context: z.string() }),
});

function addSingleQuestions(server: McpServer): void {
  server.registerTool("test_input_required_result_elicitation", { description: "Asks for a name" }, (ctx) => {
    const given = acceptedContent(ctx.mcpReq.inputResponses, "user_name", NAME);
    return given ? saying(`Hello, ${given.name}!`) : inputRequired({ inputRequests: { user_name: askName } });
  });
  server.registerTool("test_input_required_result_sampling", { description: "Asks the caller's model" }, (ctx) => {
    const given = inputResponse(ctx.mcpReq.inputResponses, "capital_question");
    if (given.kind === "sampling") return saying(JSON.stringify(given.result.content));
    return inputRequired({ inputRequests: { capital_question: askModel("What is the capital of France?") } });
  });
  server.registerTool(
    "test_input_required_result_list_roots",
    { description: "Asks for the caller's roots" },
    (ctx) => {
      const given = inputResponse(ctx.mcpReq.inputResponses, "client_roots");
      if (given.kind === "roots") return saying(given.roots.map((root) => root.uri).join(" "));
      return inputRequired({ inputRequests: { client_roots: askRoots } });
    },
  );
  server.registerTool("test_streaming_elicitation", { description: "Asks for a name, and nothing before" }, () =>
    inputRequired({ inputRequests: { user_name: askName } }),
  );
}

function addQuestionsWithState(server: McpServer): void {
  for (const name of ["test_input_required_result_request_state", "test_input_required_result_tampered_state"])
    server.registerTool(name, { description: "Asks for a confirmation and knows again what it asked" }, async (ctx) => {
      const confirmed = acceptedContent(ctx.mcpReq.inputResponses, "confirm", CONFIRMATION);
      if (confirmed && roundOf(ctx) === 1) return saying("state-ok");
      return inputRequired({
        inputRequests: { confirm: askConfirmation },
        requestState: await requestStates.mint({ round: 1 }),
      });
    });
  server.registerTool(
    "test_input_required_result_multiple_inputs",
    { description: "Asks three things" },
    async (ctx) => {
      const { inputResponses } = ctx.mcpReq;
      const name = acceptedContent(inputResponses, "user_name", NAME);
      const greeting = inputResponse(inputResponses, "greeting");
      const roots = inputResponse(inputResponses, "client_roots");
      if (name && greeting.kind === "sampling" && roots.kind === "roots" && roundOf(ctx) === 1)
        return saying(name.name);
      return inputRequired({
        inputRequests: { user_name: askName, greeting: askModel("Generate a greeting"), client_roots: askRoots },
        requestState: await requestStates.mint({ round: 1 }),
      });
    },
  );
  server.registerTool("test_input_required_result_multi_round", { description: "Asks twice" }, async (ctx) => {
    const { inputResponses } = ctx.mcpReq;
    const round = roundOf(ctx);
    const color = acceptedContent(inputResponses, "step2", z.object({ color: z.string() }));
    if (round === 2 && color) return saying(color.color);
    if (round === 1 && acceptedContent(inputResponses, "step1", NAME))
      return inputRequired({
        inputRequests: { step2: askColor },
        requestState: await requestStates.mint({ round: 2 }),
      });
    return inputRequired({ inputRequests: { step1: askName }, requestState: await requestStates.mint({ round: 1 }) });
  });
}

const askColor = inputRequired.elicit({
  message: "Step 2: What is your favorite color?",
  requestedSchema: z.object({ color: z.string() }),
});

function addCapabilityChecks(server: McpServer): void {
  // The package rejects input requests to callers without the capability, with -32021.
  server.registerTool("test_missing_capability", { description: "Needs the caller's model" }, () =>
    inputRequired({ inputRequests: { greeting: askModel("Generate a greeting") } }),
  );
  server.registerTool(
    "test_input_required_result_capabilities",
    { description: "Asks what the caller can answer" },
    (ctx) => {
      if (ctx.mcpReq.inputResponses) return saying("Asked and answered");
      const { elicitation, sampling } = capabilitiesOf(ctx);
      const inputRequests = {
        ...(elicitation ? { user_name: askName } : {}),
        ...(sampling ? { greeting: askModel("Generate a greeting") } : {}),
      };
      return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : saying("Nothing to ask");
    },
  );
}

function capabilitiesOf(ctx: ServerContext): ClientCapabilities {
  // The package declares the envelope without its keys; the server has read it as the protocol defines it.
  const envelope = ctx.mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
}

function roundOf(ctx: ServerContext): number | undefined {
  return ctx.mcpReq.requestState<Round>()?.round;
}
