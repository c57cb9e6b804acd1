import type { Actor } from "#storage/transaction";
import type { Visitor } from "./web-session.ts";

/** A caller without an API token or web session. It has no scopes. */
export const ANYONE: Caller = { actor: { kind: "system", id: "anyone", name: "Anyone" }, scopes: [] };

export interface Caller {
  readonly actor: Actor;
  readonly scopes: readonly string[];
  /** Set if the caller is a person. */
  readonly visitor?: Visitor;
}
