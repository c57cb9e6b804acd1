import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createLogger } from "#lib/logger";
import { testClock } from "#test/clock";
import { type DataKey, KEY_ACTIVATION_DELAY_MS, VAULT_PURPOSES, Vault, VaultFault } from "./vault.ts";

const clock = testClock();
const lines: string[] = [];
const needs = { clock, logger: createLogger("error", { write: (line) => void lines.push(line) }) };
const newKey = (purpose: DataKey["purpose"], version = 1): DataKey => {
  const createdAt = clock.now() - KEY_ACTIVATION_DELAY_MS;
  return { purpose, version, createdAt, key: randomBytes(32) };
};
const keys = VAULT_PURPOSES.map((purpose) => newKey(purpose));
const vault = new Vault(keys, needs);
const place = { table: "connections", row: "con_1", column: "sealed_credential" };
const fails = (open: () => unknown) => assert.throws(open, VaultFault);

describe("the vault (SEC-1)", () => {
  it("opens what it sealed, for any text, and the sealed value reveals nothing of it", () => {
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

  it("never produces the same sealed value twice", () => {
    const sealed = Array.from({ length: 1_000 }, () => vault.seal("connection", place, "same").slice(0, 18));
    assert.equal(new Set(sealed).size, 1_000);
  });

  it("does not open two values that were swapped", () => {
    const other = { ...place, row: "con_2" };
    const [mine, theirs] = [vault.seal("connection", place, "mine"), vault.seal("connection", other, "theirs")];
    fails(() => vault.open("connection", place, theirs));
    fails(() => vault.open("connection", other, mine));
    assert.equal(vault.open("connection", place, mine), "mine");
  });

  for (const elsewhere of [{ table: "users" }, { row: "con_2" }, { column: "sealed_secret" }]) {
    it(`does not open a value that was moved to another ${Object.keys(elsewhere)}`, () => {
      const sealed = vault.seal("connection", place, "x");
      fails(() => vault.open("connection", { ...place, ...elsewhere }, sealed));
    });
  }

  it("binds table, row and column separately, not as one text", () => {
    const sealed = vault.seal("connection", { table: "a", row: "b,c", column: "d" }, "x");
    fails(() => vault.open("connection", { table: "a,b", row: "c", column: "d" }, sealed));
  });

  it("does not open a value for another purpose, even with the same key", () => {
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

  it("does not open a value with any changed bit, or a truncated one", () => {
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
    it(`rejects ${JSON.stringify(nonsense)}`, () => fails(() => vault.open("connection", place, nonsense)));
  }

  it("rejects arbitrary text", () => {
    fc.assert(fc.property(fc.string(), (text) => fails(() => vault.open("connection", place, text))));
  });

  it("seals with the newest key and opens with every key it has", () => {
    const [old, young] = [newKey("connection", 1), newKey("connection", 2)];
    const before = new Vault([old], needs).seal("connection", place, "x");
    const both = new Vault([old, young], needs);
    assert.match(both.seal("connection", place, "x"), /^2\./);
    assert.equal(both.open("connection", place, before), "x");
    fails(() => new Vault([young], needs).open("connection", place, before));
    fails(() => both.open("connection", place, before.replace("1.", "2.")));
  });

  it("opens with a new key immediately, but seals with it only after every process has had time to read it", () => {
    const first = newKey("connection");
    const mine = new Vault([first], needs);
    const second = { ...newKey("connection", 2), createdAt: clock.now() };
    mine.hold([second, { ...second, key: randomBytes(32) }]);
    assert.deepEqual([mine.holds("connection", 2), mine.sealingVersion("connection")], [true, 1]);
    assert.deepEqual([mine.activationDelayMs, mine.olderVersions("connection")], [KEY_ACTIVATION_DELAY_MS, []]);
    clock.advance(KEY_ACTIVATION_DELAY_MS - 1);
    assert.match(mine.seal("connection", place, "x"), /^1\./);
    clock.advance(1);
    assert.deepEqual([mine.activationDelayMs, mine.olderVersions("connection")], [0, [1]]);
    const sealed = mine.seal("connection", place, "x");
    assert.match(sealed, /^2\./);
    assert.equal(
      new Vault([second], needs).open("connection", place, sealed),
      "x",
      "a key that is held is not replaced",
    );
  });

  it("seals immediately with the first key of a purpose", () => {
    const fresh = new Vault([{ ...newKey("connection"), createdAt: clock.now() }], needs);
    assert.match(fresh.seal("connection", place, "x"), /^1\./);
    assert.equal(fresh.activationDelayMs, 0);
  });

  it("logs an error with the place of a value that does not open, and nothing of its content", () => {
    const sealed = vault.seal("connection", { ...place, row: "con_2" }, "theirs");
    lines.length = 0;
    fails(() => vault.open("connection", place, sealed));
    assert.equal(lines.length, 1);
    const { level, msg, ...reported } = JSON.parse(lines[0] ?? "");
    assert.deepEqual([level, msg], ["error", "a sealed connection is damaged or was moved"]);
    assert.deepEqual([reported.table, reported.row, reported.column], [place.table, place.row, place.column]);
    assert.ok(!lines[0]?.includes(sealed.slice(2)));
  });

  it("has no fallback key", () => {
    fails(() => new Vault([], needs).seal("connection", place, "x"));
    fails(() => new Vault([], needs).pepperVersion);
  });
});

describe("verifiers (SEC-3)", () => {
  it("are equal for the same secret, and different with another pepper", () => {
    const peppers = new Vault([newKey("machine-pepper", 1), newKey("machine-pepper", 2)], needs);
    assert.equal(peppers.pepperVersion, 2);
    const [one, two] = [peppers.verifier("s", 1), peppers.verifier("s", 2)];
    assert.deepEqual(one, peppers.verifier("s", 1));
    assert.notDeepEqual(one, two);
    assert.equal(one?.length, 32);
    assert.equal(peppers.verifier("s", 3), undefined);
  });
});
