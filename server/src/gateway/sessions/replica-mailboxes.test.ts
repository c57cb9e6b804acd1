import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLogger } from "#lib/logger";
import { hastyClock } from "#test/clock";
import { ReplicaMailboxes } from "./replica-mailboxes.ts";

/** Two processes with a table of rows. */
function setUp(others = true) {
  const rows: { mailbox: string; text: string }[] = [];
  const dropped: string[] = [];
  let isDown = false;
  const records = {
    sendMail: async (mailbox: string, text: string) => {
      if (isDown) throw new Error("the database is down");
      rows.push({ mailbox, text });
    },
    takeMail: async (mailboxes: readonly string[]) => {
      const taken = rows.filter(({ mailbox }) => mailboxes.includes(mailbox));
      for (const row of taken) rows.splice(rows.indexOf(row), 1);
      return taken;
    },
    dropMail: async (mailbox: string) => {
      dropped.push(mailbox);
    },
  };
  const setDown = (down: boolean) => {
    isDown = down;
  };
  let ids = 0;
  const create = () =>
    new ReplicaMailboxes({
      records,
      replicas: { id: "this", others: () => others, has: () => others, look: async () => others },
      newId: () => String(++ids),
      clock: hastyClock(),
      logger: createLogger("silent"),
    });
  return { rows, dropped, here: create(), there: create(), setDown };
}

describe("mailboxes", () => {
  it("deliver within the process immediately, and to another process when it reads", async () => {
    const { here, there, rows } = setUp();
    const received: string[] = [];
    here.open("a", (text) => received.push(`here ${text}`));
    there.open("b", (text) => received.push(`there ${text}`));
    assert.equal(await here.sendOnce("a", "1"), true);
    assert.equal(await here.sendOnce("b", "2"), true);
    assert.deepEqual(received, ["here 1"]);
    await here.changed(["b"]);
    await there.changed(["a", "b"]);
    assert.deepEqual([received, rows], [["here 1", "there 2"], []]);
  });

  it("deliver texts of a sender in their order, whatever the order of the rows, and join large ones", async () => {
    const { here, there, rows, dropped } = setUp();
    const received: string[] = [];
    const close = there.open("b", (text) => received.push(text));
    const sender = here.sender("b");
    const large = "é".repeat(1_200_000);
    const texts = ["first", large, "", "last"];
    await Promise.all(texts.map((text) => sender.send(text)));
    assert.ok(rows.length > texts.length);
    rows.reverse();
    const half = rows.splice(3);
    await there.changed(["b"]);
    assert.deepEqual(received, []);
    rows.push(...half);
    await there.changed(["b"]);
    assert.deepEqual(received, texts);
    close();
    here.open("c", () => {})();
    assert.deepEqual(dropped, ["b"], "only what was stored needs to be deleted");
  });

  it("deliver the texts of a sender after an outage of the database", async () => {
    const { here, there, setDown } = setUp();
    const received: string[] = [];
    there.open("b", (text) => received.push(text));
    const sender = here.sender("b");
    setDown(true);
    const sent = sender.send("1");
    await Promise.resolve();
    setDown(false);
    assert.equal(await sent, true);
    await there.changed(["b"]);
    assert.deepEqual(received, ["1"]);
  });

  it("report what could not be delivered", async () => {
    const alone = setUp(false);
    assert.equal(await alone.here.sendOnce("unknown", "1"), false);
    const { here, there, setDown } = setUp();
    const sender = here.sender("b");
    assert.equal(await sender.send("1"), true);
    setDown(true);
    assert.deepEqual([await sender.send("2"), await here.sendOnce("b", "3")], [false, false]);
    const close = there.open("b", () => assert.fail("it is closed"));
    close();
    await there.changed(["b"]);
  });
});
