import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { systemRandom } from "#lib/random";
import { newInvitationToken } from "#lib/tokens";
import type { MainDb } from "#storage/database";
import { forEachDatabase } from "#test/databases";
import { userRow } from "#test/example-replica";
import { acceptInvitation, findInvitation, makeInvitation, voidInvitation } from "./index.ts";

const NOW = 1_800_000_000_000;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

forEachDatabase("an invitation", (open) => {
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.main;
    await db.insertInto("users").values(["usr_a", "usr_b"].map(userRow)).execute();
  });

  const make = (userId: string, now = NOW) => {
    const creator = { id: "tok_1", name: "Onboarding" };
    const making = {
      userId,
      creator,
      responsibleId: null,
      resetsAccount: false,
      requiredAll: false,
      now,
      random: systemRandom,
    };
    return db.transaction().execute((tx) => makeInvitation(tx, making));
  };
  const accept = async (token: string, now = NOW) =>
    (await db.transaction().execute((tx) => acceptInvitation(tx, token, now)))?.userId;
  const rowOf = (userId: string) =>
    db.selectFrom("invitations").selectAll().where("user_id", "=", userId).executeTakeFirst();

  it("is found by its token and stored as a hash", async () => {
    const { invitation, token } = await make("usr_a");
    assert.deepEqual(invitation, {
      userId: "usr_a",
      createdBy: "Onboarding",
      creatorKind: "api_token",
      resetsAccount: false,
      createdAt: NOW,
      expiresAt: NOW + WEEK_MS,
    });
    assert.deepEqual(await findInvitation(db, token, NOW), invitation);
    const row = await rowOf("usr_a");
    assert.deepEqual([row?.created_by, row?.accepted_at], ["tok_1", null]);
    assert.equal(JSON.stringify(row).includes(token), false);
  });

  it("is accepted once by twenty concurrent requests", async () => {
    const { token } = await make("usr_a");
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(token, NOW + 5)));
    assert.deepEqual(
      answers.filter((answer) => answer !== undefined),
      ["usr_a"],
    );
    assert.equal((await rowOf("usr_a"))?.accepted_at, NOW + 5);
    assert.deepEqual([await findInvitation(db, token, NOW + 5), await accept(token, NOW + 6)], [undefined, undefined]);
  });

  it("expires after exactly seven days", async () => {
    const { token } = await make("usr_a");
    assert.equal((await findInvitation(db, token, NOW + WEEK_MS - 1))?.userId, "usr_a");
    assert.deepEqual(
      [await findInvitation(db, token, NOW + WEEK_MS), await accept(token, NOW + WEEK_MS)],
      [undefined, undefined],
    );
    assert.equal(await accept(token, NOW + WEEK_MS - 1), "usr_a");
  });

  it("replaces the previous one, even an accepted one", async () => {
    const first = await make("usr_a");
    const second = await make("usr_a", NOW + 1);
    assert.equal(await accept(first.token), undefined);
    assert.equal(await accept(second.token), "usr_a");
    const third = await make("usr_a", NOW + 2);
    assert.equal((await findInvitation(db, third.token, NOW + 2))?.userId, "usr_a");
  });

  it("belongs to one user, and an unknown token finds none", async () => {
    const [a, b] = [await make("usr_a"), await make("usr_b")];
    assert.deepEqual([await accept(b.token), (await findInvitation(db, a.token, NOW))?.userId], ["usr_b", "usr_a"]);
    for (const token of [newInvitationToken(systemRandom), "", "x", `${a.token} `, a.token.toLowerCase()]) {
      assert.deepEqual([await findInvitation(db, token, NOW), await accept(token)], [undefined, undefined]);
    }
  });

  describe("that was revoked or whose user was deleted", () => {
    it("is not found", async () => {
      const { token } = await make("usr_a");
      await db.transaction().execute((tx) => voidInvitation(tx, "usr_a"));
      assert.equal(await accept(token), undefined);
      const other = await make("usr_b");
      await db.deleteFrom("users").where("id", "=", "usr_b").execute();
      assert.deepEqual([await accept(other.token), await rowOf("usr_b")], [undefined, undefined]);
    });
  });
});
