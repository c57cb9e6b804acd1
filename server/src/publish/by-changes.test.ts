import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import type { Snapshot } from "#gateway/snapshot/shape";
import { toolkitLinks } from "#records/groups";
import { deleteToolkit } from "#records/toolkits";
import type { Databases, MainTransaction } from "#storage/database";
import type { WriteTrail } from "#storage/transaction";
import { forEachDatabase } from "#test/databases";
import { newId, Replica, serverRow, toolRow, userRow, write } from "#test/example-replica";
import { publishedKinds } from "./published-kinds.ts";
import { buildState } from "./published-state.ts";

/**
 * Copies sharded maps, whose entries are private, so that snapshots can be compared. Users and toolkits may still name
 * deleted groups, which readers ignore, so these are left out.
 */
function plain(snapshot: Snapshot) {
  const users = [...snapshot.usersById].map(([id, user]) => {
    return [id, { ...user, groupIds: user.groupIds.filter((groupId) => snapshot.groups.has(groupId)) }] as const;
  });
  const toolkits = [...snapshot.toolkits.byId].map(([id, toolkit]) => {
    const groupIds = [...toolkit.groupIds].filter((groupId) => snapshot.groups.has(groupId)).sort();
    const isFound = snapshot.toolkits.bySlug.get(toolkit.slug) === toolkit;
    return [id, { ...toolkit, groupIds, isFound }] as const;
  });
  return {
    revision: snapshot.revision,
    toolkits: new Map(toolkits),
    servers: new Map(snapshot.serversById),
    slugs: new Map(snapshot.serverIdBySlug),
    groups: new Map(snapshot.groups),
    users: new Map(users),
    credentials: new Map(snapshot.credentials),
  };
}

type Step = (tx: MainTransaction, trail: WriteTrail) => Promise<void>;
const few = fc.constantFrom("0", "1", "2");

/** Writes as the records make them, with their changes. Each leaves a valid database or does nothing. */
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(few, few).map(
    ([n, slug]): Step =>
      async (tx, trail) => {
        const taken = await tx.selectFrom("mcp_servers").select("id").where("slug", "=", `s${slug}`).execute();
        if (taken.length > 0) return;
        const id = `srv_${n}`;
        const known = await tx
          .updateTable("mcp_servers")
          .set({ slug: `s${slug}` })
          .where("id", "=", id)
          .returning("id")
          .execute();
        if (known.length === 0)
          await tx
            .insertInto("mcp_servers")
            .values(serverRow(id, `s${slug}`))
            .execute();
        trail.changed("server", id);
      },
  ),
  fc.tuple(few, fc.boolean(), fc.boolean()).map(
    ([n, draft, bare]): Step =>
      async (tx, trail) => {
        const values = {
          status: draft ? ("draft" as const) : ("active" as const),
          upstream_url: bare ? null : "http://[::1]/",
        };
        await tx.updateTable("mcp_servers").set(values).where("id", "=", `srv_${n}`).execute();
        trail.changed("server", `srv_${n}`);
      },
  ),
  fc.tuple(few, fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), fc.boolean(), { maxKeys: 4 })).map(
    ([n, tools]): Step =>
      async (tx, trail) => {
        const synced = { tools_synced_at: 5, eras: ["legacy" as const] };
        const known = await tx
          .updateTable("mcp_servers")
          .set(synced)
          .where("id", "=", `srv_${n}`)
          .returning("id")
          .execute();
        if (known.length === 0) return;
        await tx.deleteFrom("server_tools").where("server_id", "=", `srv_${n}`).execute();
        const rows = Object.entries(tools).map(([name, enabled]) => toolRow(`srv_${n}`, name, enabled));
        if (rows.length > 0) await tx.insertInto("server_tools").values(rows).execute();
        trail.changed("server", `srv_${n}`);
      },
  ),
  few.map(
    (n): Step =>
      async (tx, trail) => {
        const groups = await tx
          .selectFrom("group_servers")
          .select("group_id")
          .where("server_id", "=", `srv_${n}`)
          .execute();
        await tx.deleteFrom("mcp_servers").where("id", "=", `srv_${n}`).execute();
        trail.changed("server", `srv_${n}`);
        trail.changed("group", ...groups.map((link) => link.group_id));
      },
  ),
  fc.tuple(few, fc.boolean()).map(
    ([n, drafts]): Step =>
      async (tx, trail) => {
        const flags = { auto_assign_users: false, auto_assign_mcps: false, show_draft_mcps: drafts };
        // Ids are never reused, so a group with the name of a deleted one starts without its members (AZ-7).
        const row = { id: newId("grp"), name: n, name_key: n, ...flags, created_at: 1, updated_at: 1 };
        const { id } = await tx
          .insertInto("groups")
          .values(row)
          .onConflict((on) => on.column("name_key").doUpdateSet(flags))
          .returning("id")
          .executeTakeFirstOrThrow();
        trail.changed("group", id);
      },
  ),
  few.map(
    (n): Step =>
      async (tx, trail) => {
        const group = await tx.selectFrom("groups").select("id").where("name_key", "=", n).executeTakeFirst();
        if (!group) return;
        const servers = await tx
          .selectFrom("group_servers")
          .select("server_id")
          .where("group_id", "=", group.id)
          .execute();
        await tx.deleteFrom("groups").where("id", "=", group.id).execute();
        trail.changed("group", group.id);
        trail.changed("server", ...servers.map((link) => link.server_id));
      },
  ),
  fc.tuple(few, few, fc.boolean()).map(
    ([g, s, link]): Step =>
      async (tx, trail) => {
        const group = await tx.selectFrom("groups").select("id").where("name_key", "=", g).executeTakeFirst();
        const server = await tx.selectFrom("mcp_servers").select("id").where("id", "=", `srv_${s}`).executeTakeFirst();
        if (!group || !server) return;
        const row = { group_id: group.id, server_id: server.id };
        await tx
          .deleteFrom("group_servers")
          .where("group_id", "=", group.id)
          .where("server_id", "=", server.id)
          .execute();
        if (link) await tx.insertInto("group_servers").values(row).execute();
        trail.changed("group", group.id);
        trail.changed("server", server.id);
      },
  ),
  fc.tuple(few, fc.subarray(["0", "1", "2"]), fc.boolean()).map(
    ([n, groups, disabled]): Step =>
      async (tx, trail) => {
        const id = `usr_${n}`;
        await tx
          .insertInto("users")
          .values(userRow(id))
          .onConflict((on) => on.column("id").doUpdateSet({ disabled }))
          .execute();
        const living = await tx
          .selectFrom("groups")
          .select("id")
          .where("name_key", "in", ["", ...groups])
          .execute();
        await tx.deleteFrom("group_users").where("user_id", "=", id).execute();
        const rows = living.map((group) => ({ group_id: group.id, user_id: id }));
        if (rows.length > 0) await tx.insertInto("group_users").values(rows).execute();
        trail.changed("user", id);
      },
  ),
  few.map(
    (n): Step =>
      async (tx, trail) => {
        const keys = await tx.selectFrom("credentials").select("id").where("user_id", "=", `usr_${n}`).execute();
        await tx.deleteFrom("users").where("id", "=", `usr_${n}`).execute();
        trail.changed("user", `usr_${n}`);
        trail.changed("credential", ...keys.map((key) => key.id));
      },
  ),
  fc.tuple(few, few, fc.constantFrom("live", "revoked", "gone")).map(
    ([u, n, state]): Step =>
      async (tx, trail) => {
        const id = `crd_${n}`;
        await tx.deleteFrom("credentials").where("id", "=", id).execute();
        trail.changed("credential", id);
        const user = await tx.selectFrom("users").select("id").where("id", "=", `usr_${u}`).executeTakeFirst();
        if (!user || state === "gone") return;
        const secretless = { sealed_secret: null, scopes: null, toolkit: null, actor: null };
        const verifier = new Uint8Array([Number(u), Number(n)]);
        const times = { expires_at: n === "2" ? 9 : null, revoked_at: state === "revoked" ? 1 : null, created_at: 1 };
        const key = { id, kind: "machine_key" as const, user_id: user.id, access_key: `key_${n}_${u}`, verifier };
        await tx
          .insertInto("credentials")
          .values({ ...key, pepper_version: 1, ...secretless, ...times })
          .execute();
      },
  ),
  fc.tuple(few, few, few, fc.boolean()).map(
    ([n, slug, group, active]): Step =>
      async (tx, trail) => {
        const id = `tkt_${n}`;
        const taken = await tx.selectFrom("toolkits").select("id").where("slug", "=", `t${slug}`).execute();
        if (taken.some((other) => other.id !== id)) return;
        const texts = { slug: `t${slug}`, name: n, description: "", search_text: "", instructions: "" };
        const tools = [{ server: `s${group}`, tool: "a", alias: `x${n}` }];
        const content = {
          tools,
          prompts: [],
          resources: [],
          skills: [],
          commands: [],
          least_privilege: active,
          owner_id: null,
        };
        const status = active ? ("active" as const) : ("draft" as const);
        const row = { id, ...texts, ...content, status, created_at: 1, updated_at: 1 };
        await tx
          .insertInto("toolkits")
          .values(row)
          .onConflict((on) => on.column("id").doUpdateSet(row))
          .execute();
        const found = await tx.selectFrom("groups").select("id").where("name_key", "=", group).executeTakeFirst();
        if (found) await toolkitLinks.add(tx, trail, [{ groupId: found.id, memberId: id }]);
        trail.changed("toolkit", id);
      },
  ),
  few.map(
    (n): Step =>
      (tx, trail) =>
        deleteToolkit(tx, trail, `tkt_${n}`),
  ),
);

async function clear({ main }: Databases): Promise<void> {
  for (const table of ["mcp_servers", "groups", "toolkits", "users", "changes"] as const)
    await main.deleteFrom(table).execute();
  await main.updateTable("change_counter").set({ revision: 0 }).execute();
}

forEachDatabase("the snapshot", (open) => {
  it("equals a full build after any series of writes that are applied as changes", async () => {
    const { databases, close } = await open();
    const writes = fc.array(fc.array(steps, { minLength: 2, maxLength: 5 }), {
      minLength: 8,
      maxLength: 14,
      size: "max",
    });
    await fc.assert(
      fc.asyncProperty(writes, async (batches) => {
        await clear(databases);
        const { holder, publisher } = new Replica(databases);
        await publisher.start();
        try {
          for (const batch of batches) {
            let revision = 0;
            for (const step of batch) revision = Math.max(revision, await write(databases, step));
            await publisher.applyUpTo(revision);
            assert.ok(holder.current().revision >= revision);
            assert.deepEqual(plain(holder.current()), plain((await buildState(databases, publishedKinds())).snapshot));
          }
        } finally {
          await publisher.stop();
        }
      }),
      { numRuns: 16 },
    );
    await close();
  });
});
