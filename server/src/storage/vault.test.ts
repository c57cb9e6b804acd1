import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createLogger } from "#lib/logger";
import { testClock } from "#test/clock";
import { type DataKey, KEY_REST_MS, VAULT_PURPOSES, Vault, VaultFault } from "./vault.ts";

const clock = testClock();
const lines: string[] = [];
const needs = { clock, logger: createLogger("error", { write: (line) => void lines.push(line) }) };
const newKey = (purpose: DataKey["purpose"], version = 1): DataKey => {
  const createdAt = clock.now() - KEY_REST_MS;
  return { purpose, version, createdAt, key: randomBytes(32) };
};
const keys = VAULT_PURPOSES.map((purpose) => newKey(purpose));
const vault = new Vault(keys, needs);
const place = { table: "connections", row: "con_1", column: "sealed_credential" };
const fails = (open: () => unknown) => assert.throws(open, VaultFault);

describe("the vault (SEC-1)", () => {
  it("opens what it sealed, whatever the text, and nothing of it can be read in between", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...VAULT_PURPOSES),
        fc.record({ table: fc.string(), row: fc.string(), column: fc.string() }),
        fc.string({ unit: "binary" }),
        (purpose, anyPlace, text) => {
          const sealed = vault.seal(purpose, anyPlace, text);
          assert.match(sealed, /^1\.[\w-]+$/);
          assert.equal(vault.open(purpose, anyPlace, sealed), text);
          if (text.length > 8) assert.ok(!Buffer.from(sealed.slice(2), "base64url").includes(text));
        },
      ),
    );
  });

  it("never seals the same text twice alike", () => {
    const sealed = Array.from({ length: 1_000 }, () => vault.seal("connection", place, "same").slice(0, 18));
    assert.equal(new Set(sealed).size, 1_000);
  });

  it("does not open two values that changed places", () => {
    const other = { ...place, row: "con_2" };
    const [mine, theirs] = [vault.seal("connection", place, "mine"), vault.seal("connection", other, "theirs")];
    fails(() => vault.open("connection", place, theirs));
    fails(() => vault.open("connection", other, mine));
    assert.equal(vault.open("connection", place, mine), "mine");
  });

  for (const elsewhere of [{ table: "users" }, { row: "con_2" }, { column: "sealed_secret" }]) {
    it(`does not open a value that stands in another ${Object.keys(elsewhere)}`, () => {
      const sealed = vault.seal("connection", place, "x");
      fails(() => vault.open("connection", { ...place, ...elsewhere }, sealed));
    });
  }

  it("binds table, row and column as three, not as one text", () => {
    const sealed = vault.seal("connection", { table: "a", row: "b,c", column: "d" }, "x");
    fails(() => vault.open("connection", { table: "a,b", row: "c", column: "d" }, sealed));
  });

  it("does not open for another purpose, even under the same key", () => {
    const key = randomBytes(32);
    const careless = new Vault(
      [
        { ...newKey("connection"), key },
        { ...newKey("server-secret"), key },
      ],
      needs,
    );
    const sealed = careless.seal("connection", place, "x");
    fails(() => careless.open("server-secret", place, sealed));
  });

  it("does not open a value of which any one bit is changed, or that is cut short", () => {
    const sealed = vault.seal("connection", place, "secret");
    const bytes = Buffer.from(sealed.slice(2), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8(damaged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      fails(() => vault.open("connection", place, `1.${damaged.toString("base64url")}`));
    }
    for (let length = 0; length < bytes.length; length++) {
      fails(() => vault.open("connection", place, `1.${bytes.subarray(0, length).toString("base64url")}`));
    }
  });

  for (const nonsense of ["", ".", "1", "1.", "2.AAAA", "x.AAAA", "-1.AAAA", "1e0", "no dot at all"]) {
    it(`fails closed on ${JSON.stringify(nonsense)}`, () => fails(() => vault.open("connection", place, nonsense)));
  }

  it("fails closed on anything", () => {
    fc.assert(fc.property(fc.string(), (text) => fails(() => vault.open("connection", place, text))));
  });

  it("seals under the newest key and opens under each it has", () => {
    const [old, young] = [newKey("connection", 1), newKey("connection", 2)];
    const before = new Vault([old], needs).seal("connection", place, "x");
    const both = new Vault([old, young], needs);
    assert.match(both.seal("connection", place, "x"), /^2\./);
    assert.equal(both.open("connection", place, before), "x");
    fails(() => new Vault([young], needs).open("connection", place, before));
    fails(() => both.open("connection", place, before.replace("1.", "2.")));
  });

  it("opens with a new key at once, but seals with it only when every process has had the time to read it", () => {
    const first = newKey("connection");
    const mine = new Vault([first], needs);
    const second = { ...newKey("connection", 2), createdAt: clock.now() };
    mine.hold([second, { ...second, key: randomBytes(32) }]);
    assert.deepEqual([mine.holds("connection", 2), mine.sealingVersion("connection")], [true, 1]);
    assert.deepEqual([mine.restMs, mine.olderVersions("connection")], [KEY_REST_MS, []]);
    clock.advance(KEY_REST_MS - 1);
    assert.match(mine.seal("connection", place, "x"), /^1\./);
    clock.advance(1);
    assert.deepEqual([mine.restMs, mine.olderVersions("connection")], [0, [1]]);
    const sealed = mine.seal("connection", place, "x");
    assert.match(sealed, /^2\./);
    assert.equal(new Vault([second], needs).open("connection", place, sealed), "x", "a held key is not replaced");
  });

  it("seals at once with the first key of a purpose", () => {
    const fresh = new Vault([{ ...newKey("connection"), createdAt: clock.now() }], needs);
    assert.match(fresh.seal("connection", place, "x"), /^1\./);
    assert.equal(fresh.restMs, 0);
  });

  it("raises the alarm over a value that does not open: where it stands, and nothing of it", () => {
    const sealed = vault.seal("connection", { ...place, row: "con_2" }, "theirs");
    lines.length = 0;
    fails(() => vault.open("connection", place, sealed));
    assert.equal(lines.length, 1);
    const { level, msg, ...told } = JSON.parse(lines[0] ?? "");
    assert.deepEqual([level, msg], ["error", "a sealed connection is damaged or stands in the wrong place"]);
    assert.deepEqual([told.table, told.row, told.column], [place.table, place.row, place.column]);
    assert.ok(!lines[0]?.includes(sealed.slice(2)));
  });

  it("has no key of last resort", () => {
    fails(() => new Vault([], needs).seal("connection", place, "x"));
    fails(() => new Vault([], needs).pepperVersion);
  });
});

describe("verifiers (SEC-3)", () => {
  it("are the same for the same secret, and others under another pepper", () => {
    const peppers = new Vault([newKey("machine-pepper", 1), newKey("machine-pepper", 2)], needs);
    assert.equal(peppers.pepperVersion, 2);
    const [one, two] = [peppers.verifier("s", 1), peppers.verifier("s", 2)];
    assert.deepEqual(one, peppers.verifier("s", 1));
    assert.notDeepEqual(one, two);
    assert.equal(one?.length, 32);
    assert.equal(peppers.verifier("s", 3), undefined);
  });
});
