import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Refusal } from "#lib/errors";
import { systemRandom } from "#lib/random";
import { CHEAP } from "#test/passwords";
import { passwordFault } from "./password-rule.ts";
import { createPasswords } from "./passwords.ts";

const KNOWN = { isKnown: true };

describe("passwords (WEB-10)", () => {
  const passwords = createPasswords(systemRandom, CHEAP);

  it("are hashed with a salt and stored with their parameters; the default cost is high", async () => {
    const [first, second] = await Promise.all([passwords.hash("one"), passwords.hash("one")]);
    assert.match(first, /^scrypt\$1\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    assert.notEqual(first, second);
    assert.match(await createPasswords(systemRandom).hash("one"), /^scrypt\$15\$8\$3\$/);
  });

  it("are verified with the stored parameters and in any Unicode normalization", async () => {
    const hash = await createPasswords(systemRandom, { log2N: 2, r: 4, p: 2 }).hash("caf\u00e9 au lait");
    assert.equal(await passwords.verify("cafe\u0301 au lait", hash, KNOWN), true);
    for (const wrong of ["cafe au lait", "", "caf\u00e9 au lait "]) {
      assert.equal(await passwords.verify(wrong, hash, KNOWN), false);
    }
  });

  it("are rejected without a hash or with an unknown hash format", async () => {
    for (const hash of [undefined, "", "x", "scrypt$1$8$1$AA$AA", `bcrypt$${"a".repeat(40)}`]) {
      assert.equal(await passwords.verify("", hash, KNOWN), false);
    }
  });

  it("are rejected immediately beyond the queue limit, and the rest is verified", async () => {
    const flood = Array.from({ length: 200 }, () => passwords.hash("one"));
    const settled = await Promise.allSettled(flood);
    const refused = settled.filter((each) => each.status === "rejected");
    assert.equal(settled.length - refused.length, 50);
    assert.ok(refused.every(({ reason }) => reason instanceof Refusal && reason.retryAfterSeconds === 5));
    assert.match(await passwords.hash("one"), /^scrypt/);
  });

  it("of known browsers are verified while strangers fill their queue", async () => {
    const hash = await passwords.hash("one");
    const flood = Array.from({ length: 200 }, () => passwords.verify("wrong", hash, { isKnown: false }));
    const settled = Promise.allSettled(flood);
    assert.equal(await passwords.verify("one", hash, KNOWN), true);
    assert.equal((await settled).filter((each) => each.status === "rejected").length, 150);
  });
});

describe("a new password", () => {
  const fault = (password: string) => passwordFault(password, ["Ada Lovelace", "ada@example.com", "Example Corp"]);

  it("has 12 to 256 characters", () => {
    assert.equal(fault("k7#mQz!vP2x"), "must have at least 12 characters");
    assert.equal(fault("k7#mQz!vP2xw"), undefined);
    assert.equal(fault("🦊🐻".repeat(5)), "must have at least 12 characters");
    assert.equal(fault(`${"k7#mQz!vP2xw".repeat(21)}abcd`), undefined);
    assert.equal(fault("k7#mQz!vP2xw".repeat(22)), "must have at most 256 characters");
  });

  it("is not a common guess", () => {
    for (const easy of [
      "passwordpassword",
      "Password12345",
      "P@ssw0rd2026!",
      "qwertyuiop123",
      "aaaaaaaaaaaaaaa",
      "abcabcabcabcabc",
      "123456789012345",
      "abcdefghijklmnop",
      "AdaLovelace2026",
      "ada.example.com!",
      "GatehouseAdmin1",
      "changeme-changeme",
      "examplecorp2026!",
      "            ",
    ]) {
      assert.equal(fault(easy), "is too easy to guess", easy);
    }
  });

  it("can consist of long words, symbols, or any script", () => {
    for (const good of [
      "correct horse battery staple",
      "vermilion-otter-9-plinth",
      "xK9$mPq2!vRt",
      "пароли бывают разные",
      "我喜欢在山上看日出和星星啊",
    ]) {
      assert.equal(fault(good), undefined, good);
    }
  });
});
