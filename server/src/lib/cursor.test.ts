import assert from "node:assert/strict";
import { it } from "node:test";
import { decodeCursor, encodeCursor } from "./cursor.ts";

const NUMBERS = /^\d{1,15}$/;

it("encodes a position and decodes it again", () => {
  for (const id of ["0", "7", "123456789012345"]) {
    assert.deepEqual(decodeCursor(encodeCursor({ at: 1_700_000_000_000, id }), NUMBERS), { at: 1_700_000_000_000, id });
  }
  assert.deepEqual(decodeCursor(encodeCursor({ at: 0, id: 7 }), NUMBERS), { at: 0, id: "7" });
});

it("rejects cursors of other lists, other spellings, and truncated ones", () => {
  const spelled = (text: string) => Buffer.from(text).toString("base64url");
  for (const cursor of [
    "",
    "x",
    spelled("1"),
    spelled("1."),
    spelled(".1"),
    spelled("1.2.3"),
    spelled("1.-2"),
    spelled("-1.2"),
    spelled("01.2"),
    spelled("1e3.2"),
    spelled("1.5.2"),
    spelled("NaN.2"),
    spelled("99999999999999999.2"),
    spelled("1.aud_x"),
    `${spelled("1.2")}=`,
    `${spelled("1.2")} `,
  ]) {
    assert.throws(() => decodeCursor(cursor, NUMBERS), { kind: "invalid", message: /^cursor: must be/ }, cursor);
  }
});
