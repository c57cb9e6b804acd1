import { z } from "zod";
import { isoTime, timestamp } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { fieldsOf } from "./managed.ts";

/** The app shows a banner on the pages of these objects. */
export const listManagedObjects = read({
  id: "listManagedObjects",
  route: "GET /api/config/managed",
  tag: "Configuration",
  summary: "List the objects that files manage",
  description:
    "Objects that the last `applyConfig` of their kind declared. Other callers cannot change the declared fields or delete the object (409), until it is released.",
  scope: "admin:read",
  answers: {
    200: z.object({
      data: z.array(
        z.object({
          kind: z.string().meta({ description: "Kind of the object", example: "groups" }),
          key: z.string().meta({ description: "Its name or slug", example: "Engineering" }),
          fields: z.array(z.string()).meta({ description: "The declared fields", example: ["name", "servers"] }),
          applied_by: z.string().meta({ description: "Who applied it last", example: "ci" }),
          applied_at: timestamp("When it was applied last"),
        }),
      ),
    }),
  },
  refusals: [],
  onCrash: "Failed to retrieve managed objects",
  async run({ db }) {
    const rows = await db.selectFrom("managed_objects").selectAll().orderBy("kind").orderBy("object_key").execute();
    const data = rows.map((row) => ({
      ...{ kind: row.kind, key: row.object_key, fields: fieldsOf(row), applied_by: row.applied_by },
      applied_at: isoTime(row.applied_at),
    }));
    return { status: 200, body: { data } };
  },
});
