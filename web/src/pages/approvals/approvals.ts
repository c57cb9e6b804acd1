import type { Schemas } from "../../api/client.ts";
import type { Tone } from "../../components/tone.ts";

export type ApprovalEntry = Schemas["ApprovalEntry"];
export type Approval = Schemas["Approval"];
export type MyApproval = Schemas["MyApproval"];

export const approvalsKey = ["approvals"] as const;

export const APPROVAL_STATUSES: Readonly<
  Record<ApprovalEntry["status"], { readonly tone: Tone; readonly label: string }>
> = {
  pending: { tone: "warn", label: "Pending" },
  approved: { tone: "good", label: "Approved" },
  denied: { tone: "bad", label: "Denied" },
  expired: { tone: "quiet", label: "Expired" },
};

/** What the decision means for the call, in one sentence. */
export function effectOf({ status, used_at: usedAt, expires_at: expiresAt }: MyApproval): string {
  if (status === "pending") return "The call waits for the decision of an owner or admin.";
  if (status === "expired") return "No one decided in time. Sending the call again requests a new approval.";
  const isOver = new Date(expiresAt).getTime() <= Date.now();
  if (status === "denied")
    return isOver ? "The call was denied." : "The call was denied. Identical calls are denied too, for an hour.";
  if (usedAt !== null) return "The call continued. The approval is used up.";
  return isOver
    ? "The approval was not used within an hour."
    : "The same call with identical arguments passes once, within an hour.";
}
