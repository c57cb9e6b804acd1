import type { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import type { AccessRequestEntry } from "#api/presenters/access-request";
import { queueEmails } from "#records/emails";
import type { MainTransaction } from "#storage/database";

interface Decided {
  readonly userId: string;
  readonly data: z.input<typeof AccessRequestEntry>;
}

/** Notifies the person who made the request. */
export async function emailDecision(
  tx: MainTransaction,
  { newId, clock }: Pick<ApiContext, "newId" | "clock">,
  { userId, data }: Decided,
): Promise<void> {
  const { email, server_name, status, decided_by, note } = data;
  await queueEmails(tx, newId, {
    ...{ kind: "access_decided", recipients: [{ id: userId, email }], now: clock.now() },
    data: { server: server_name, status, decided_by, note },
  });
}
