import { z } from "zod";
import { createdAt, isoTime, timestamp } from "#api/kit/answers";
import type { LibraryTokenRow } from "#records/credentials";

export const LibraryToken = z
  .object({
    id: z.string().meta({ description: "Identifies the token in the list", example: "crd_6yt2rc" }),
    name: z.string().meta({ description: "Where the token is used", example: "Laptop" }),
    prefix: z.string().meta({ description: "The part of the token that is not secret", example: "gh_lt_…" }),
    expires_at: timestamp("When the token expires"),
    created_at: createdAt,
  })
  .meta({ id: "LibraryToken", description: "A token that fetches the plugins and skills of a person" });

export function presentLibraryToken(row: LibraryTokenRow): z.input<typeof LibraryToken> {
  return {
    ...{ id: row.id, name: row.client_id ?? "", prefix: row.access_key },
    ...{ expires_at: isoTime(row.expires_at ?? row.created_at), created_at: isoTime(row.created_at) },
  };
}
