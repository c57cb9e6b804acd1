import { it } from "node:test";
import { forEachApi } from "#test/api";
import { scimClient } from "#test/scim-client";
import { checkDirectory } from "#test/scim-model";
import { seedFor } from "#test/seed";

forEachApi("SCIM directory", (api) => {
  it("equals a simple model after any series of requests", async (t) => {
    const idp = scimClient(api.service, () => api.service.token);
    const clear = async () => {
      await api.db.deleteFrom("users").execute();
      await api.db.deleteFrom("groups").execute();
    };
    await checkDirectory(idp, { conversations: 8, seed: seedFor(t), clear });
  });
});
