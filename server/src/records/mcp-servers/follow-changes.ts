/** What follows a server to its new slug and URL. */
import { requestEvaluationOfEndpoints } from "#records/discovery";
import { renameInGuards } from "#records/guards";
import { renameServerInToolkits } from "#records/toolkits";
import type { MainTransaction } from "#storage/database";
import type { WriteTrail } from "#storage/transaction";

export async function followNewSlug(tx: MainTransaction, trail: WriteTrail, id: string, slug: string): Promise<void> {
  const before = await tx.selectFrom("mcp_servers").select("slug").where("id", "=", id).executeTakeFirst();
  if (!before || before.slug === slug) return;
  await renameServerInToolkits(tx, trail, before.slug, slug);
  await renameInGuards(tx, trail, { kind: "server", from: before.slug, to: slug });
}

export async function followNewEndpoint(tx: MainTransaction, id: string, key: string | null): Promise<void> {
  const before = await tx.selectFrom("mcp_servers").select("endpoint_key").where("id", "=", id).executeTakeFirst();
  if (before && before.endpoint_key !== key) await requestEvaluationOfEndpoints(tx, [before.endpoint_key, key]);
}
