/** A long run of the random conversations of `api/scim/model.test.ts`. */
import { it } from "node:test";
import { openTestPostgres, openTestSqlite } from "../databases.ts";
import { scimClient } from "../scim-client.ts";
import { checkDirectory } from "../scim-model.ts";
import { seedFor } from "../seed.ts";
import { startService } from "../start-service.ts";

for (const open of [openTestSqlite, openTestPostgres]) {
  it(`leaves the directory equal to a simple model (${open.name})`, async (t) => {
    const database = await open();
    const service = await startService(database);
    t.after(async () => {
      await service.close();
      await database.close();
    });
    const clear = async () => {
      await database.databases.main.deleteFrom("users").execute();
      await database.databases.main.deleteFrom("groups").execute();
    };
    const idp = scimClient(service, () => service.token);
    await checkDirectory(idp, { conversations: 150, seed: seedFor(t), clear });
  });
}
