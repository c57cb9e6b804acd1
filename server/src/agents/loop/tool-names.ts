import type { LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import type { AgentTool } from "./ports.ts";

/** All providers accept these names. */
const ACCEPTED = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Names for the model. A name that providers do not accept becomes `t_<number>`. */
export class ToolNames {
  readonly definitions: LanguageModelV3FunctionTool[];
  readonly #originals = new Map<string, string>();

  constructor(tools: readonly AgentTool[]) {
    const names = new Set(tools.map(({ name }) => name));
    this.definitions = tools.map(({ name, description, inputSchema }, at) => {
      let shown = name;
      for (let number = at; !ACCEPTED.test(shown) || this.#originals.has(shown); number++) {
        // Not the name of another tool, which would be called instead.
        const free = `t_${number}`;
        if (!names.has(free)) shown = free;
      }
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
