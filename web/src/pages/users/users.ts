import { linkOptions } from "@tanstack/react-router";
import type { Api, Schemas } from "../../api/client.ts";
import { findInPages, isSameName } from "../../api/find.ts";
import type { Pickable } from "../../components/pick.tsx";

export type User = Schemas["ListedUser"];
export type UserType = "person" | "machine";

/** Shared by users and machine users, because a machine user's page shows its owners. */
export const usersKey = ["users"] as const;

export interface UserFilters {
  readonly q?: string | undefined;
  readonly group?: string | undefined;
  readonly role?: User["role"] | undefined;
  readonly type?: UserType | undefined;
}

export function fetchUsers(api: Api, { q, ...filters }: UserFilters, skip: number, signal: AbortSignal) {
  return api.listUsers({ query: { search: q, ...filters, skip, limit: 100, include_details: true }, signal });
}

export function findPerson(api: Api, email: string, signal: AbortSignal): Promise<User | null> {
  return findInPages(
    (skip) => fetchUsers(api, { q: email, type: "person" }, skip, signal),
    (user) => isSameName(user.email, email),
  );
}

export function findMachineUser(api: Api, slug: string, signal: AbortSignal): Promise<User | null> {
  return findInPages(
    (skip) => fetchUsers(api, { q: slug, type: "machine" }, skip, signal),
    (user) => user.slug === slug,
  );
}

/** The link to the page of a user or machine user. */
export function userPageLink({ email, slug }: User) {
  return slug === undefined
    ? linkOptions({ to: "/users/$email", params: { email } })
    : linkOptions({ to: "/machine-users/$slug", params: { slug } });
}

export function asPickable({ email, name }: Pick<User, "email" | "name">): Pickable {
  return { value: email, label: name, description: email };
}
