import assert from "node:assert/strict";
import { validateGuard } from "#guards/validate-guard";
import { systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { systemRandom } from "#lib/random";
import { deleteGuard, insertGuard, resolveScope } from "#records/guards";
import type { Databases } from "#storage/database";
import { writeTransaction } from "#storage/transaction";
import type { Service } from "./start-service.ts";

const AUTHOR = { actor: { kind: "system", id: "test", name: "Test" }, requestId: "test" } as const;
const newId = createIds(systemClock, systemRandom);

/** Replaces all guards except the built-in ones, and waits until they are published. All are enabled runtime guards. */
export async function publishGuards(
  service: Service,
  { main: db }: Databases,
  guards: readonly object[],
): Promise<void> {
  const old = await db.selectFrom("guards").select("id").where("builtin_key", "is", null).execute();
  await writeTransaction({ db, clock: systemClock, newId }, AUTHOR, async (tx, trail) => {
    for (const { id } of old) await deleteGuard(tx, trail, id);
    for (const fields of guards) {
      const { scope, checks, entity_types, ...guard } = validateGuard(
        { type: "runtime", enabled: true, ...fields },
        "g",
      );
      const now = systemClock.now();
      await insertGuard(tx, trail, {
        ...guard,
        ...{
          id: newId("grd"),
          builtin_key: null,
          search_text: "",
          sealed_headers: null,
          created_at: now,
          updated_at: now,
        },
        scope: await resolveScope(tx, scope),
        entity_types: [...entity_types],
        checks: checks.map(({ config, ...check }) => ({ ...check, config: { ...config } })),
      });
    }
  });
  // A write of the API waits until all earlier changes are published.
  const answer = await service.api("PATCH", "/api/settings", { call_log_retention_days: 90 });
  assert.equal(answer.status, 200, answer.text);
}
