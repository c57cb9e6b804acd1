import type { User } from "./users.ts";

export type Role = User["role"];

export const ROLES: readonly Role[] = ["owner", "admin", "auditor", "member"];

export const ROLE_WORDS: Readonly<Record<Role, { readonly label: string; readonly description: string }>> = {
  owner: { label: "Owner", description: "May do everything, also say who manages this installation." },
  admin: { label: "Admin", description: "Manages servers, groups and users, but not who else manages." },
  auditor: { label: "Auditor", description: "Sees everything here and changes nothing." },
  member: { label: "Member", description: "Sees and uses their own connections." },
};
