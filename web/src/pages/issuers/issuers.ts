import { queryOptions } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";

export type Issuer = Schemas["ExchangeProvider"];
export type IssuedCredential = Schemas["ExchangeCredential"];
export type IssuerBody = Schemas["CreateExchangeProvider"];

export const issuersKey = ["issuers"] as const;

export function fetchIssuers(api: Api, search: string | undefined, cursor: number, signal: AbortSignal) {
  return api.listExchangeProviders({ query: { search, cursor, limit: 100 }, signal });
}

export function issuerQuery(api: Api, slug: string) {
  return queryOptions({
    queryKey: [...issuersKey, "one", slug],
    queryFn: async ({ signal }) => (await api.getExchangeProvider({ path: { slug }, signal })).data,
  });
}

/** "ci@machine.example.com" or "Users by email" */
export function actsAs({ subject }: Issuer): string {
  if (subject.mode === "fixed") return subject.machine_user ?? "A deleted machine user";
  return MATCHES[subject.match ?? "email"];
}

export const MATCHES: Readonly<Record<NonNullable<Issuer["subject"]["match"]>, string>> = {
  email: "Users by email",
  slug: "Machine users by slug",
  external_id: "Users by external ID",
};

/** Only owners can trust such an issuer: its tokens can act as any of these people (decision 0056). */
export function actsAsPeople({ mode, match }: { readonly mode: string; readonly match?: string | undefined }): boolean {
  return mode === "map" && match !== "slug";
}

/** Why a credential is no longer valid. */
export const END_REASONS: Readonly<Record<NonNullable<IssuedCredential["end_reason"]>, string>> = {
  ended: "Ended",
  revoked: "Revoked",
  reused: "Token reused",
  replaced: "Replaced",
  provider: "Issuer changed",
};
