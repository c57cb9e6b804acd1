import { z } from "zod";

/** Shapes that many answers share. */
export const Message = z.object({ message: z.string() }).meta({ id: "Message" });
export const Success = z.object({ data: z.object({ success: z.boolean() }) }).meta({ id: "Success" });
export const CursorPagination = z
  .object({
    cursor: z.int(),
    limit: z.int(),
    hasMore: z.boolean(),
    nextCursor: z.int().nullable(),
  })
  .meta({ id: "CursorPagination" });
export const SkipPagination = z
  .object({ skip: z.number(), limit: z.number(), hasMore: z.boolean() })
  .meta({ id: "SkipPagination" });

/** Lists read one row more than asked for: whether it is there says whether there is more (Spec 2.8). */
export function pageOf<Row>(rows: readonly Row[], limit: number): { page: Row[]; hasMore: boolean } {
  return { page: rows.slice(0, limit), hasMore: rows.length > limit };
}

export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
