import { useMe, useRights } from "../../api/context.tsx";
import type { User } from "./users.ts";

/** Only owners can change, invite, disable, and delete owners and admins (decision 0009). */
export function useCanManage(user: Pick<User, "role">): { readonly canManage: boolean; readonly isOwner: boolean } {
  const { changes } = useRights();
  const isOwner = useMe().data.scopes.includes("all");
  const isAdmin = user.role === "owner" || user.role === "admin";
  return { canManage: changes && (isOwner || !isAdmin), isOwner };
}
