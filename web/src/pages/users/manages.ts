import { useMe, useRights } from "../../api/context.tsx";
import type { User } from "./users.ts";

/** Only owners change, invite, shut out and delete those who manage (decision 0009). */
export function useMayManage(user: Pick<User, "role">): { readonly manages: boolean; readonly isOwner: boolean } {
  const { changes } = useRights();
  const isOwner = useMe().data.scopes.includes("all");
  const isManager = user.role === "owner" || user.role === "admin";
  return { manages: changes && (isOwner || !isManager), isOwner };
}
