/** Tokens of people's MCP clients, created next to a running service like another replica would. */
import { join } from "node:path";
import type { Clock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { type GatewayTokenMaking, insertGatewayToken } from "#records/credentials";
import { readKeyFile } from "#storage/key-file";
import { openVault } from "#storage/open-vault";
import { writeTransaction } from "#storage/transaction";
import type { TestDatabase } from "./databases.ts";

type Wanted = Pick<GatewayTokenMaking, "kind" | "userId" | "expiresAt" | "clientId" | "path">;

export async function makeGatewayToken(database: TestDatabase, clock: Clock, wanted: Wanted) {
  const db = database.databases.main;
  const key = readKeyFile(join(database.dataDir, "gatehouse.key"));
  const vault = await openVault(db, [key], { clock, logger: createLogger("silent") });
  const newId = createIds(clock, systemRandom);
  const id = newId("crd");
  const author = { actor: { kind: "system", id: "test", name: "test" } as const, requestId: "req_test" };
  const making = { ...wanted, id, now: clock.now(), vault, random: systemRandom };
  const { result: token } = await writeTransaction({ db, clock, newId }, author, (tx, trail) =>
    insertGatewayToken(tx, trail, making),
  );
  return { id, token };
}
