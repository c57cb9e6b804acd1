import { sql } from "kysely";
import type { MainDb } from "#storage/database";

/** Creates copies of a server, with its tools and groups: `<slug>-1`, `<slug>-2` and so on. SQLite only. */
export async function copyServer(db: MainDb, slug: string, count: number): Promise<void> {
  const numbers = sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})`;
  const copies = [
    { table: "mcp_servers", own: ["id", "slug", "name", "search_text"], among: sql`original.slug = ${slug}` },
    ...["server_tools", "group_servers"].map((table) => ({
      table,
      own: ["server_id"],
      among: sql`original.server_id = (select id from mcp_servers where slug = ${slug})`,
    })),
  ];
  for (const { table, own, among } of copies) {
    const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db);
    const names = rows.map(({ name }) => name).filter((name) => name !== "endpoint_key");
    const values = names.map((name) =>
      own.includes(name) ? sql`original.${sql.ref(name)} || '-' || numbers.n` : sql`original.${sql.ref(name)}`,
    );
    await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
      ${numbers} select ${sql.join(values)} from ${sql.table(table)} as original, numbers where ${among}`.execute(db);
  }
}
