/** Requests of a modern client as plain HTTP, for tests that must control what the client does with a question. */
import { eventsOf, MODERN_META, modernHeaders } from "./gateway-kit.ts";
import type { HttpAnswer, Service } from "./start-service.ts";

export const ALL_CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

export interface ModernCall {
  readonly capabilities?: object;
  readonly arguments?: object;
  readonly requestState?: string | undefined;
  readonly inputResponses?: unknown;
  readonly progressToken?: string;
  readonly id?: unknown;
}

export interface ModernAnswer extends HttpAnswer {
  /** The messages of the response: of its events, or the only one. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read messages of every shape
  readonly messages: any[];
  /** The response itself. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read messages of every shape
  readonly last: any;
}

export async function callAsModern(
  service: Service,
  credential: string,
  tool: string,
  call: ModernCall = {},
): Promise<ModernAnswer> {
  const answer = await service.mcp(credential, modernCall(tool, call), modernHeaders("tools/call", tool));
  const isStream = answer.headers["content-type"] === "text/event-stream";
  const events = isStream ? eventsOf(answer.text.replaceAll(": alive\n\n", "")) : [];
  const messages = isStream ? events.map((event) => JSON.parse(event)) : [answer.body];
  return { ...answer, messages, last: messages.at(-1) };
}

export function modernCall(tool: string, call: ModernCall = {}) {
  const { capabilities = ALL_CAPABILITIES, requestState, inputResponses, progressToken, id = 1 } = call;
  const _meta = {
    ...MODERN_META,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    ...(progressToken === undefined ? {} : { progressToken }),
  };
  const params = { name: tool, arguments: call.arguments ?? {}, requestState, inputResponses, _meta };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}
