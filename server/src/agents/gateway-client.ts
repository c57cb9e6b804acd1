import { isObject } from "#lib/is-object";
import type { AgentGateway, AgentTool, GuardNote, SentCall, ToolOutcome } from "./loop/ports.ts";

/** The gateway of this process. */
export interface GatewayPort {
  request(request: {
    readonly target: string;
    readonly authorization: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Buffer;
    readonly signal: AbortSignal;
    readonly observer?: CallObserver;
  }): Promise<{ readonly status: number; readonly body: Buffer }>;
}

/** What the gateway reports about a call of this process. */
interface CallObserver {
  forwarded(call: Pick<SentCall, "arguments" | "removed">): void;
  guarded(report: {
    readonly slug: string | undefined;
    readonly action: string;
    readonly direction: "request" | "response";
  }): void;
}

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2025-11-25",
};
const APPROVAL_REQUIRED = /^Approval required: (apr_\w+)\n/;
/** More tools do not fit into a model. */
const MAX_TOOLS = 1_000;

export class GatewayFailure extends Error {}

/** An MCP client of the own gateway, with the token of a session: the same checks, guards and logs as for any caller. */
export class GatewayClient implements AgentGateway {
  readonly #port: GatewayPort;
  readonly #target: string;
  readonly #authorization: string;
  #lastId = 0;

  constructor(port: GatewayPort, token: string, toolkit: string | undefined) {
    this.#port = port;
    this.#authorization = `Bearer ${token}`;
    this.#target = toolkit === undefined ? "/mcp" : `/mcp?toolkit=${encodeURIComponent(toolkit)}`;
  }

  async listTools(signal: AbortSignal): Promise<readonly AgentTool[]> {
    const tools: AgentTool[] = [];
    let cursor: string | undefined;
    do {
      const params = cursor === undefined ? "{}" : JSON.stringify({ cursor });
      const { result } = await this.#send("tools/list", params, signal);
      if (!isObject(result) || !Array.isArray(result.tools)) throw new GatewayFailure("The gateway listed no tools");
      tools.push(...result.tools.filter(isObject).map(toolOf));
      cursor = typeof result.nextCursor === "string" ? result.nextCursor : undefined;
    } while (cursor !== undefined && tools.length < MAX_TOOLS);
    return tools.slice(0, MAX_TOOLS);
  }

  /** `input` is copied as it is, so numbers keep their text. */
  async callTool(
    name: string,
    input: string,
    signal: AbortSignal,
    sent: (call: SentCall) => void,
  ): Promise<ToolOutcome> {
    const notes = new GuardNotes();
    const observer: CallObserver = {
      forwarded: (call) => sent({ ...call, guard: notes.request }),
      guarded: (report) => notes.add(report),
    };
    const params = `{"name":${JSON.stringify(name)},"arguments":${input}}`;
    const { result, error } = await this.#send("tools/call", params, signal, observer);
    const guards = { requestGuard: notes.request, resultGuard: notes.response ?? notes.decisive };
    if (isObject(error)) return { text: String(error.message ?? "The call failed"), isError: true, ...guards };
    if (!isObject(result)) throw new GatewayFailure("The gateway returned no result");
    const text = textOf(result);
    const approvalId = result.isError === true ? APPROVAL_REQUIRED.exec(text)?.[1] : undefined;
    return { text, isError: result.isError === true, approvalId, ...guards };
  }

  async #send(
    method: string,
    params: string,
    signal: AbortSignal,
    observer?: CallObserver,
  ): Promise<Record<string, unknown>> {
    const body = Buffer.from(`{"jsonrpc":"2.0","id":${++this.#lastId},"method":"${method}","params":${params}}`);
    const request = { target: this.#target, authorization: this.#authorization, headers: HEADERS, body, signal };
    const { status, body: text } = await this.#port.request({ ...request, ...(observer && { observer }) });
    const message = parsed(text);
    if (message === undefined || !("result" in message || "error" in message)) {
      const reason = typeof message?.error === "string" ? `: ${message.error}` : "";
      throw new GatewayFailure(`The gateway refused the agent (${status})${reason}${adviceFor(status)}`);
    }
    if (status === 401 || status === 404) {
      throw new GatewayFailure(`The gateway refused the agent (${status})${adviceFor(status)}`);
    }
    return message;
  }
}

/** The gateway responds with 404 if the caller cannot use the toolkit. */
function adviceFor(status: number): string {
  if (status !== 404) return "";
  return ". Check that its toolkit is active, and that its machine user is in a group of the toolkit";
}

function parsed(text: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function toolOf({ name, description, inputSchema }: Record<string, unknown>): AgentTool {
  return {
    name: String(name),
    description: typeof description === "string" ? description : undefined,
    inputSchema: isObject(inputSchema) ? inputSchema : {},
  };
}

/** Texts, and a line for each part that is none. */
function textOf({ content, structuredContent }: Record<string, unknown>): string {
  const parts = (Array.isArray(content) ? content : []).filter(isObject).map((part) => {
    if (part.type === "text") return String(part.text ?? "");
    if (part.type === "resource_link") return `[resource: ${String(part.uri ?? "")}]`;
    return `[${String(part.type ?? "content")}${typeof part.mimeType === "string" ? `: ${part.mimeType}` : ""}]`;
  });
  if (parts.length === 0 && structuredContent !== undefined) return JSON.stringify(structuredContent);
  return parts.join("\n");
}

/** Which guards acted on a call, without those that only log. */
class GuardNotes {
  request: GuardNote | undefined;
  response: GuardNote | undefined;

  /** The guard of the request, if the result is its decision. */
  get decisive(): GuardNote | undefined {
    return this.request?.action === "block" || this.request?.action === "require_approval" ? this.request : undefined;
  }

  add({ slug, action, direction }: Parameters<CallObserver["guarded"]>[0]): void {
    if (slug !== undefined && action !== "log") this[direction] = { slug, action };
  }
}
