import { queryOptions } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";

export type Skill = Schemas["Skill"];
export type SkillFile = Schemas["SkillFile"];
export type SkillDetail = Skill & { readonly content: string; readonly files: readonly SkillFile[] };
export type SkillVersion = Schemas["SkillVersion"];
export type Validation = Schemas["SkillValidation"];

export const skillsKey = ["skills"] as const;
export const SKILL_MD = "SKILL.md";

export interface SkillFilters {
  readonly q?: string | undefined;
  readonly status?: Skill["status"] | undefined;
}

export async function fetchSkills(api: Api, { q, status }: SkillFilters, cursor: number, signal: AbortSignal) {
  const page = await api.listSkills({ query: { search: q, status, cursor, limit: 100, includeTotal: true }, signal });
  // Without `fields`, the API returns every field.
  return { ...page, data: page.data as Skill[] };
}

/** With the content of its files. */
export function skillQuery(api: Api, slug: string, version?: number) {
  return queryOptions({
    queryKey: [...skillsKey, "one", slug, version ?? "current"],
    queryFn: async ({ signal }): Promise<SkillDetail> => {
      const { data } = await api.getSkill({ path: { slug }, query: { version }, signal });
      // Without `fields`, the API returns every field.
      return data as SkillDetail;
    },
  });
}

/** Base64 of any number of bytes; `String.fromCharCode` takes only so many arguments. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}
