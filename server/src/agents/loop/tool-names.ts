import type { LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import type { AgentTool } from "./ports.ts";

/** All providers accept these names. */
const ACCEPTED = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Names for the model. A name that providers do not accept becomes `t_<number>`. */
export class ToolNames {
  readonly definitions: LanguageModelV3FunctionTool[];
  readonly #originals = new Map<string, string>();

  constructor(tools: readonly AgentTool[]) {
    this.definitions = tools.map(({ name, description, inputSchema }, at) => {
      const shown = ACCEPTED.test(name) && !this.#originals.has(name) ? name : `t_${at}`;
      this.#originals.set(shown, name);
      return {
        ...{ type: "function", name: shown, inputSchema: { type: "object", ...inputSchema } },
        ...(description !== undefined && { description }),
      };
    });
  }

  /** The name at the gateway; undefined if the model invented it. */
  original(shown: string): string | undefined {
    return this.#originals.get(shown);
  }
}
