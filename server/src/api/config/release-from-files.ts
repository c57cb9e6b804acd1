import { z } from "zod";
import { requiredText } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { Refusal } from "#lib/errors";

const ReleaseBody = z
  .object({
    kind: requiredText("kind").describe("Kind of the object"),
    key: requiredText("key").describe("Its name or slug"),
  })
  .meta({
    id: "ReleaseFromFiles",
    description: "An object that files manage",
    example: { kind: "groups", key: "Engineering" },
  });

/** Decision 0155: the way to change something when the files cannot be applied, such as in an emergency. */
export const releaseFromFiles = write({
  id: "releaseFromFiles",
  route: "POST /api/config/release",
  tag: "Configuration",
  summary: "Release an object from files",
  description:
    "The object can be changed and deleted again by everyone with permission. The next `applyConfig` that declares it manages it again, and restores the declared values.",
  scope: "admin:write",
  body: ReleaseBody,
  answers: { 200: z.object({ released: z.literal(true).describe("Always true") }) },
  refusals: [400, 404],
  onCrash: "Failed to release the object",
  async run({ tx, trail, body: { kind, key } }) {
    const rows = await tx.selectFrom("managed_objects").selectAll().where("kind", "=", kind).execute();
    const row = rows.find((each) => each.object_key.toLowerCase() === key.toLowerCase());
    if (!row) throw new Refusal("not-found", "No such object is managed by files");
    const { object_key: name } = row;
    await tx.deleteFrom("managed_objects").where("kind", "=", kind).where("object_key", "=", name).execute();
    const target = { kind: "config", id: kind, name };
    trail.audit({ operation: "releaseFromFiles", target, before: { kind, key: name, applied_by: row.applied_by } });
    return { status: 200, body: { released: true } };
  },
});
