import { openWebhookSecrets } from "#records/webhooks";
import { type ConfigObject, type Kind, type KindNeeds, pick, readAll, withSortedSets } from "../kind.ts";

const FIELDS = ["name", "url", "events", "format", "enabled", "secret"];

/** The API identifies webhooks by ID, files by name. */
export const webhooks: Kind = {
  name: "webhooks",
  key: "name",
  fields: FIELDS,
  normalize: (object) => withSortedSets(object, ["events"]),
  secrets: ({ secret }) => (secret === undefined ? [] : ["secret"]),
  async read({ invoke, db, context }) {
    const rows = await readAll(invoke, "listWebhooks");
    const stored = await db.selectFrom("webhooks").selectAll().execute();
    return rows.map((row) => {
      const sealed = stored.find(({ id }) => id === row.id);
      const secret = sealed && openWebhookSecrets(context.vault, sealed, context.clock.now())[0];
      return pick({ ...row, secret }, FIELDS);
    });
  },
  async create({ invoke }, object) {
    await invoke("createWebhook", { body: object });
  },
  async update(needs, before, changes) {
    await needs.invoke("updateWebhook", { query: { id: await idOf(needs, before) }, body: changes });
  },
  async remove(needs, object) {
    await needs.invoke("deleteWebhook", { query: { id: await idOf(needs, object) } });
  },
};

async function idOf({ invoke }: KindNeeds, { name }: ConfigObject): Promise<string> {
  const rows = await readAll(invoke, "listWebhooks");
  return String(rows.find((row) => row.name === name)?.id);
}
