import { z } from "zod";
import { read } from "#api/kit/operation";
import { personOf } from "#api/kit/web-session";
import { listLibraryTokens } from "#records/credentials";
import { LibraryToken, presentLibraryToken } from "./library-token.ts";

export const listMyLibraryTokens = read({
  id: "listMyLibraryTokens",
  route: "GET /api/me/library-tokens",
  tag: "Me",
  summary: "List the caller's tokens for git and scripts, newest first",
  scope: "any",
  callers: "people",
  answers: { 200: z.object({ data: z.array(LibraryToken) }) },
  refusals: [],
  onCrash: "Failed to retrieve tokens",
  async run({ db, visitor }) {
    const rows = await listLibraryTokens(db, personOf(visitor).user.id);
    return { status: 200, body: { data: rows.map(presentLibraryToken) } };
  },
});
