import type { User } from "./users.ts";

export type Role = User["role"];

export const ROLES: readonly Role[] = ["owner", "admin", "auditor", "member"];

export const ROLE_LABELS: Readonly<Record<Role, { readonly label: string; readonly description: string }>> = {
  owner: { label: "Owner", description: "Full access, including roles and organization settings." },
  admin: { label: "Admin", description: "Manages servers, groups, and users. Cannot change roles." },
  auditor: { label: "Auditor", description: "Read-only access to servers, groups, users, logs, and settings." },
  member: { label: "Member", description: "Uses tools and manages their own connections." },
};
