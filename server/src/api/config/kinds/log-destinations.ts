import { openLogSecrets } from "#records/log-destinations";
import { type ConfigObject, type Kind, type KindNeeds, pick, readAll, withoutNulls } from "../kind.ts";

const SECRETS = ["secret", "secret_access_key"];
const FIELDS = [
  ...["name", "kind", "sources", "outcomes", "enabled", "url", "region", "bucket", "addressing", "access_key_id"],
  ...["prefix", "headers", ...SECRETS],
];

/** The API identifies log destinations by ID, files by name. Positions are not part of the configuration. */
export const logDestinations: Kind = {
  name: "log-destinations",
  key: "name",
  fields: FIELDS,
  exact: ["headers"],
  fixed: ["kind"],
  secrets({ headers, ...object }) {
    const names = typeof headers === "object" && headers !== null ? Object.keys(headers) : [];
    return [...names.map((name) => `headers.${name}`), ...SECRETS.filter((name) => object[name] !== undefined)];
  },
  async read({ invoke, db, context }) {
    const rows = await readAll(invoke, "listLogDestinations");
    const stored = await db.selectFrom("log_destinations").selectAll().execute();
    return rows.map((row) => {
      const sealed = stored.find(({ id }) => id === row.id);
      return pick({ ...withoutNulls(row), ...(sealed && openLogSecrets(context.vault, sealed)) }, FIELDS);
    });
  },
  async create({ invoke }, object) {
    await invoke("createLogDestination", { body: withoutNulls(object) });
  },
  async update(needs, before, changes) {
    await needs.invoke("updateLogDestination", { query: { id: await idOf(needs, before) }, body: changes });
  },
  async remove(needs, object) {
    await needs.invoke("deleteLogDestination", { query: { id: await idOf(needs, object) } });
  },
};

async function idOf({ invoke }: KindNeeds, { name }: ConfigObject): Promise<string> {
  const rows = await readAll(invoke, "listLogDestinations");
  return String(rows.find((row) => row.name === name)?.id);
}
