import type { Schemas } from "../../api/client.ts";
import type { Tone } from "../../components/tone.ts";

export type AccessRequest = Schemas["AccessRequest"];
export type CatalogServer = Schemas["CatalogServer"];

export const requestsKey = ["access-requests"] as const;

export const REQUEST_STATUSES: Readonly<
  Record<AccessRequest["status"], { readonly tone: Tone; readonly label: string }>
> = {
  pending: { tone: "warn", label: "Pending" },
  approved: { tone: "good", label: "Approved" },
  denied: { tone: "bad", label: "Denied" },
  withdrawn: { tone: "quiet", label: "Withdrawn" },
};

/** "All tools", "create_issue and search", "5 tools" */
export function requestedTools({ tools }: Pick<AccessRequest, "tools">): string {
  if (tools.length === 0) return "All tools";
  return tools.length <= 2 ? tools.join(" and ") : `${tools.length} tools`;
}
