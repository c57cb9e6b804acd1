import type { ApprovalRow } from "#storage/approval-tables";
import type { Vault } from "#storage/vault";

export function sealArguments(vault: Vault, id: string, json: string): string {
  return vault.seal("approval", placeOf(id), json);
}

/** The exact text of the arguments. Undefined: deleted by the retention. */
export function openArguments(vault: Vault, row: Pick<ApprovalRow, "id" | "sealed_arguments">): string | undefined {
  return row.sealed_arguments === null ? undefined : vault.open("approval", placeOf(row.id), row.sealed_arguments);
}

function placeOf(row: string) {
  return { table: "approvals", row, column: "sealed_arguments" };
}

/** What an approval is for: this user, this tool and exactly these arguments. */
export interface ApprovedCall {
  readonly userId: string;
  readonly serverId: string;
  readonly method: string;
  readonly tool: string;
  /** The bytes that would be sent. */
  readonly arguments: Uint8Array;
}

/** Keyed, so that the database does not reveal which arguments were used. The first is for new approvals. */
export function digestsOf(vault: Vault, { userId, serverId, method, tool, arguments: bytes }: ApprovedCall) {
  return vault.digests("approval", [userId, serverId, method, tool, bytes]);
}
