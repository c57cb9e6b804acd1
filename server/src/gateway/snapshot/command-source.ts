import type { CommandEntry } from "./commands.ts";
import { buildListing, EMPTY_LISTING, type Listing } from "./listing.ts";
import type { NamedItem, OwnSource, ServerEntry } from "./shape.ts";

/** Selects the answer in `gateway/own`. */
export const COMMANDS_CONTENT = "commands";

const BYTES_PER_ITEM = 200;

/** The commands that one caller can use, as a source of prompts. Its listing is built when it is first used. */
export class CommandSource implements OwnSource {
  readonly kind = "own";
  readonly content = COMMANDS_CONTENT;
  /** After the slugs of all servers. */
  readonly key = "~commands";
  readonly active = true;
  readonly groupIds: ReadonlySet<string> = new Set();
  readonly warnings = "";
  readonly tools = EMPTY_LISTING;
  readonly resources = EMPTY_LISTING;
  readonly resourceTemplates = EMPTY_LISTING;
  readonly #commands: readonly CommandEntry[];
  #prompts: Listing<NamedItem> | undefined;

  /** `commands` are ordered by slug. */
  constructor(commands: readonly CommandEntry[]) {
    this.#commands = commands;
  }

  get prompts(): Listing<NamedItem> {
    this.#prompts ??= buildListing(
      "prompts",
      this.#commands.map(({ slug, definition }) => {
        return { identifier: slug, definition, fields: { slug, upstreamName: slug } };
      }),
      ({ slug }) => [slug],
    );
    return this.#prompts;
  }

  /** The size of its listing, whether it is built or not. */
  get bytes(): number {
    return this.#commands.reduce((sum, { definition }) => sum + definition.length + BYTES_PER_ITEM, 0);
  }
}

/** For decisions, which need no lists. */
export const COMMANDS = new CommandSource([]);

/** Guards see prompts of the gateway itself as those of a server without a slug, which no scope can name. */
export const GATEWAY_AS_SERVER: ServerEntry = {
  ...{ kind: "server", id: "", slug: "", key: "", name: "Gatehouse", active: true, synced: true, warnings: "" },
  ...{ groupIds: new Set<string>(), upstream: undefined },
  ...{ tools: EMPTY_LISTING, prompts: EMPTY_LISTING, resources: EMPTY_LISTING, resourceTemplates: EMPTY_LISTING },
};
