/** What the access decision (`resolve.ts`) returns. */
import type { ServerResource } from "./resources.ts";
import type { GroupEntry, NamedItem, OwnSource, ServerEntry } from "./shape.ts";

export type Unreachable = "user-disabled" | "no-group" | "draft" | "not-selected";

export type Reach =
  | { readonly reached: true; readonly through: GroupEntry }
  | { readonly reached: false; readonly reason: Unreachable };

/** Callers get the same error for all of these (D26); the reason is for admins. */
export type Refused =
  | { readonly kind: "refused"; readonly reason: "malformed-name" | "unknown-server" }
  | {
      readonly kind: "refused";
      readonly reason: Unreachable | "no-upstream" | "not-synced" | "not-in-toolkit" | "unknown-tool";
      /** The server exists. */
      readonly server: ServerEntry;
    };

/** Send the request to this server, for this tool or prompt. */
export interface Forward {
  readonly kind: "forward";
  readonly server: ServerEntry;
  readonly item: NamedItem;
  /** One of the groups that give the caller access. */
  readonly through: GroupEntry;
  /** The slug of the toolkit that exposes the item; absent: none restricts the server. */
  readonly toolkit?: string | undefined;
  /** The slug of another toolkit that exposes something under the same name. */
  readonly toolkitConflict?: string | undefined;
}

/** The gateway answers the request itself. */
export interface AnswerHere {
  readonly kind: "here";
  readonly source: OwnSource;
  readonly item: NamedItem;
}

export type Decision = Forward | AnswerHere | Refused;

export type NamedKind = "tools" | "prompts";

export interface HereResource {
  readonly kind: "here";
  readonly source: OwnSource;
  readonly uri: string;
  readonly listed: string;
}

export interface ForwardResource extends ServerResource {
  readonly kind: "forward";
  readonly toolkit?: string | undefined;
}

export type ResourceDecision = ForwardResource | HereResource;

/** The tools of a source that a subject can access if not all. */
export interface Selection {
  /** Equal for the same selection, in one snapshot. */
  readonly key: string;
  /** By the server's name of the tool. */
  has(tool: string): boolean;
}
