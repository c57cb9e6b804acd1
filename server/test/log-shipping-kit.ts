import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { presentCall } from "#api/presenters/log-entry";
import { createEgress, type Egress, LOOPBACK_ALLOW, parseAllowList } from "#egress/egress";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { LogShipper } from "#log-shipping/shipper";
import { type CallRecord, LogNames, moveCalls } from "#records/calls";
import {
  cursorSources,
  cursorsOf,
  type LogDestinationSecrets,
  newestPosition,
  sealLogSecrets,
  setCursors,
} from "#records/log-destinations";
import { newWebhookSecret } from "#records/webhooks";
import type { Databases } from "#storage/database";
import type { CursorSource, LogDestinationRow } from "#storage/log-destination-tables";
import { openVault } from "#storage/open-vault";
import type { Vault } from "#storage/vault";
import { wrappingKey } from "#storage/wrapping-key";
import { type ShiftableClock, shiftableClock } from "./clock.ts";
import type { OpenTestDatabase } from "./databases.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";

export const SECRET = newWebhookSecret(systemRandom);
const WRAPPING_KEY = wrappingKey(randomBytes(32));

/** A log, destinations, and processes that ship it, for one suite. */
export function shippingKit(open: OpenTestDatabase) {
  let databases: Databases;
  let vault: Vault;
  let egress: Egress;
  let clock: ShiftableClock;
  let receiver: WebhookReceiver;
  let folder: string;
  let calls = 0;
  const shippers: LogShipper[] = [];
  const logger = createLogger("silent");
  before(async () => {
    databases = (await open()).databases;
    egress = createEgress({ allow: parseAllowList(LOOPBACK_ALLOW) });
    folder = await mkdtemp(join(tmpdir(), "logs-"));
  });
  beforeEach(async () => {
    clock = shiftableClock();
    vault = await openVault(databases.main, [WRAPPING_KEY], { clock, logger });
    await databases.main.deleteFrom("log_destinations").execute();
    receiver = await startWebhookReceiver();
  });
  afterEach(async () => {
    await Promise.all(shippers.splice(0).map((one) => one.stop()));
    await receiver.close();
  });
  after(async () => {
    egress.close();
    await rm(folder, { recursive: true });
  });

  const newId = (prefix: "lgd" | "aud") => createIds(clock, systemRandom)(prefix);
  const start = (holder = "one") => {
    const shipper = new LogShipper({
      ...{ databases, vault, egress, clock, logger, random: systemRandom, holder, presentCall, filesFolder: folder },
      ...{ newId: createIds(clock, systemRandom), nextTurn: () => egress.pacer.nextTurn() },
    });
    shippers.push(shipper);
    shipper.start();
    return shipper;
  };
  const create = async (
    changes: Partial<LogDestinationRow> = {},
    secrets: LogDestinationSecrets = { secret: SECRET },
  ) => {
    const id = newId("lgd");
    const row: LogDestinationRow = {
      ...{ id, name: id, name_key: id, kind: "webhook", sources: ["calls"], outcomes: null, enabled: true },
      config: { url: receiver.url },
      sealed_secrets: sealLogSecrets(vault, id, secrets),
      ...{ created_by: "ada", created_at: clock.now(), updated_at: clock.now(), ...changes },
    };
    await databases.main.insertInto("log_destinations").values(row).execute();
    const positions = new Map<CursorSource, number>();
    for (const source of cursorSources(row.sources)) positions.set(source, await newestPosition(databases, source));
    await databases.main.transaction().execute((tx) => setCursors(tx, id, positions));
    return row;
  };
  const log = async (count: number, changes: Partial<CallRecord> = {}) => {
    const records = Array.from({ length: count }, (): CallRecord => {
      calls++;
      const request = { requestId: `req_${calls}`, at: clock.now(), method: "tools/call" as const, tool: "search" };
      const sizes = { requestBytes: 1, responseBytes: 1, durationUs: 1_000 };
      const user = { userId: "usr_1", userEmail: "ada@example.com", serverSlug: "wiki" };
      return { ...request, ...sizes, ...user, outcome: "ok", error: undefined, ...changes };
    });
    for (let first = 0; first < count; first += 1_000) {
      const step = { spool: `spl_${calls}_${first}`, from: 0, to: 1, records: records.slice(first, first + 1_000) };
      assert.ok(await moveCalls(databases.calls, new LogNames(), step, clock.now()));
    }
    return records.map(({ requestId }) => requestId);
  };
  const linesOf = (body: string) =>
    body
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  const received = () => receiver.requests.flatMap(({ body }) => linesOf(body));
  const requestIds = () => received().map(({ request_id }) => String(request_id));
  const cursor = async ({ id }: LogDestinationRow, source: CursorSource = "calls") => {
    const found = (await cursorsOf(databases.main, [id])).find((row) => row.source === source);
    assert.ok(found);
    return found;
  };
  const until = async (isTrue: () => boolean | Promise<boolean>, what: string) => {
    for (let tries = 0; tries < 1_200; tries++) {
      if (await isTrue()) return;
      await sleep(50);
    }
    assert.fail(`not within a minute: ${what}`);
  };
  const untilCurrent = (row: LogDestinationRow, source: CursorSource = "calls") =>
    until(
      async () => (await cursor(row, source)).position === (await newestPosition(databases, source)),
      `${source} is shipped`,
    );
  return {
    ...{ start, create, log, linesOf, received, requestIds, cursor, until, untilCurrent, shippers },
    get databases() {
      return databases;
    },
    get vault() {
      return vault;
    },
    get receiver() {
      return receiver;
    },
    get clock() {
      return clock;
    },
    get folder() {
      return folder;
    },
  };
}
