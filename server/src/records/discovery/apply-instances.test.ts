import assert from "node:assert/strict";
import { before, it } from "node:test";
import { systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { systemRandom } from "#lib/random";
import type { MainDb } from "#storage/database";
import type { DiscoveryInstanceRow, PolicyAction } from "#storage/discovery-tables";
import { forEachDatabase } from "#test/databases";
import { deviceRow, instanceRow, itemRow } from "#test/discovery-rows";
import { SeededRandom, seedFor } from "#test/seed";
import {
  applyInstances,
  clientsOfItems,
  countOpenViolations,
  forgetDevice,
  instancesOfDevices,
  lockDevice,
} from "./index.ts";

const DEVICES = ["d1", "d2", "d3"];
const ITEMS = ["i1", "i2", "i3", "i4"];
const newId = createIds(systemClock, systemRandom);

forEachDatabase("instances of devices", (open) => {
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.main;
    await db
      .insertInto("discovery_devices")
      .values(DEVICES.map((id) => deviceRow(id)))
      .execute();
    await db
      .insertInto("discovery_items")
      .values(ITEMS.map((id) => itemRow(id)))
      .execute();
  });

  const apply = (deviceId: string, after: DiscoveryInstanceRow[], now: number) =>
    db.transaction().execute(async (tx) => {
      await lockDevice(tx, deviceId);
      const stored = await instancesOfDevices(tx, [deviceId]);
      return applyInstances(tx, { before: stored, after }, { now, newId, policyVersion: 1 });
    });

  /** Everything that is stored about items, computed again from their instances. */
  const recount = async () => {
    const rows = await db.selectFrom("discovery_instances").selectAll().where("removed_at", "is", null).execute();
    const distinct = (of: DiscoveryInstanceRow[], field: keyof DiscoveryInstanceRow) =>
      new Set(of.map((row) => row[field])).size;
    return ITEMS.map((id) => {
      const of = rows.filter(({ item_id }) => item_id === id);
      const action = (["block", "warn", "allow"] as const).find((each) => of.some((row) => row.action === each));
      const score = Math.max(0, ...of.map(({ risk }) => Number.parseInt(risk, 10)));
      return {
        id,
        devices: distinct(of, "device_id"),
        users: distinct(of, "user_key"),
        instances: of.length,
        action,
        score,
      };
    });
  };
  const stored = async () => {
    const rows = await db.selectFrom("discovery_items").selectAll().orderBy("id").execute();
    return rows.map(({ id, ...row }) => {
      const isGone = row.devices_count === 0;
      const counts = { devices: row.devices_count, users: row.users_count, instances: row.instances_count };
      return { id, ...counts, action: isGone ? undefined : row.action, score: isGone ? 0 : row.risk_score };
    });
  };
  const openViolations = async () => {
    const rows = await db.selectFrom("discovery_violations").selectAll().where("resolved_at", "is", null).execute();
    return rows.map(({ instance_id, action }) => `${instance_id} ${action}`).sort();
  };
  const expectedViolations = async () => {
    const rows = await db.selectFrom("discovery_instances").selectAll().where("removed_at", "is", null).execute();
    const open = rows.filter(({ action }) => action !== "allow" && action !== null);
    return open.map(({ id, action }) => `${id} ${action}`).sort();
  };

  it("keeps counts, actions, risks and violations exact through random reports of several devices", async (test) => {
    const random = new SeededRandom();
    random.seed(seedFor(test));
    const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random.next() * values.length)] as Value;
    const someInstances = (device: string) => {
      const rows = Array.from({ length: Math.floor(random.next() * 6) }, () => {
        const item = pick(ITEMS);
        const client = pick(["cursor", "zed"]);
        const user = pick(["ada", "kim"]);
        const action = pick<PolicyAction>(["allow", "warn", "block"]);
        const rest = { client, user_key: user, action, risk: pick(["005 a", "040 b,c", "000 "]) };
        return instanceRow(`${device}-${item}-${client}`, { item_id: item, device_id: device, ...rest });
      });
      return [...new Map(rows.map((row) => [row.id, row])).values()];
    };
    for (let round = 0; round < 40; round++) {
      await Promise.all(DEVICES.map((device) => apply(device, someInstances(device), round)));
      assert.deepEqual(await stored(), await recount());
      assert.deepEqual(await openViolations(), await expectedViolations());
    }
    const open = await openViolations();
    const { warn, block } = await countOpenViolations(db);
    assert.equal(warn + block, open.length);
  });

  it("shows the most frequent name and the clients of an item", async () => {
    for (const device of DEVICES) await apply(device, [], 100);
    const of = (device: string, name: string, client: string) =>
      instanceRow(`${device}-name`, { item_id: "i1", device_id: device, name, client });
    await apply("d1", [of("d1", "GitHub", "zed")], 101);
    await apply("d2", [of("d2", "gh", "cursor")], 101);
    await apply("d3", [of("d3", "gh", "cursor")], 101);
    const item = await db.selectFrom("discovery_items").selectAll().where("id", "=", "i1").executeTakeFirstOrThrow();
    assert.deepEqual([item.name, item.search_text], ["gh", "gh"]);
    assert.deepEqual((await clientsOfItems(db, ["i1"])).get("i1"), ["cursor", "zed"]);
  });

  it("adjusts counts when a device is forgotten", async () => {
    const context = { now: 200, newId, policyVersion: 1 };
    assert.equal(await db.transaction().execute((tx) => forgetDevice(tx, "d2", context, 1)), false);
    assert.equal(await db.transaction().execute((tx) => forgetDevice(tx, "d2", context)), true);
    assert.deepEqual(await stored(), await recount());
    assert.equal(
      (await db.selectFrom("discovery_violations").where("device_id", "=", "d2").selectAll().execute()).length,
      0,
    );
  });
});
