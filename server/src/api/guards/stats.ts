import { z } from "zod";
import { isoTime, timestamp } from "#api/kit/answers";
import { guardCountsOf } from "#records/calls";
import type { CallsDb } from "#storage/database";
import { Guard, type PresentedGuard } from "./schema.ts";

/** Families 6. */
export const GuardWithStats = Guard.extend({
  stats: z
    .object({
      evaluated: z.int().meta({ description: "How many requests and results it examined", example: 1204 }),
      fired: z.int().meta({ description: "How often it objected", example: 3 }),
      last_fired_at: timestamp("When it last objected; null: never").nullable(),
    })
    .describe("What it did at the gateway, up to a few seconds ago"),
}).meta({ id: "GuardWithStats", description: "A guard, and what it did" });

export async function withStats(
  calls: CallsDb,
  guards: readonly PresentedGuard[],
): Promise<z.input<typeof GuardWithStats>[]> {
  const counts = await guardCountsOf(
    calls,
    guards.map(({ id }) => id),
  );
  return guards.map((guard) => {
    const { evaluated = 0, fired = 0, lastFiredAt } = counts.get(guard.id) ?? {};
    const last_fired_at = lastFiredAt === undefined ? null : isoTime(lastFiredAt);
    return { ...guard, stats: { evaluated, fired, last_fired_at } };
  });
}
