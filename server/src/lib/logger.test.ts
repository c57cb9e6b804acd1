import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createLogger, redact, redactText } from "./logger.ts";
import { systemRandom } from "./random.ts";
import * as tokens from "./tokens.ts";

/** Every function that creates a token, found by its name, so that a new kind cannot be missed. */
const NEW_TOKENS = Object.entries(tokens).flatMap(([name, make]) => {
  if (!/^new\w+(?:Token|Secret)$/.test(name) || typeof make !== "function") return [];
  if (name !== "newGatewayToken") return [String((make as (random: typeof systemRandom) => unknown)(systemRandom))];
  return (["oauth", "app"] as const).map((kind) => tokens.newGatewayToken(systemRandom, kind).token);
});

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger("trace", { write: (line) => void lines.push(line) }));
  return lines.join("");
}

const SECRET_NAMES = [
  "authorization",
  "Proxy-Authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
  "apiKey",
  "password",
  "secret",
  "client_secret",
  "clientSecret",
  "client-secret",
  "token",
  "access_token",
  "refreshToken",
  "id_token",
  "bootstrapToken",
  "code_verifier",
  "credentials",
  "client_credentials",
  "mcp-session-id",
  "key",
  "private_key",
  "pepper",
];

describe("the log (SEC-10)", () => {
  it("redacts a secret by its field name, at any depth and next to any values", () => {
    const canary = "canary-3f9d1c";
    const holding = fc.constantFrom(...SECRET_NAMES).map((name) => ({ [name]: canary }));
    const deep = fc.letrec((tie) => ({
      holder: fc.oneof(
        { depthSize: "small" },
        holding,
        fc.record({ inner: tie("holder"), other: fc.jsonValue() }),
        fc.tuple(fc.jsonValue(), tie("holder")),
        tie("holder").map((inner) => new Error("failed", { cause: inner })),
      ),
    })).holder;
    fc.assert(
      fc.property(deep, fc.string(), (object, message) => {
        const text = logged((logger) => logger.info(object, message));
        assert.ok(!text.includes(canary), text);
      }),
      { numRuns: 1_000 },
    );
  });

  it("leaks none of 10,000 secrets with the format of a token at any path of any object", () => {
    const random = fc.string({
      unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCDEFGH0123456789"),
      minLength: 24,
      maxLength: 40,
    });
    const secret = random.chain((text) =>
      fc.constantFrom(
        ...NEW_TOKENS.map((token) => [token, token] as const),
        [text, `Bearer ${text}`] as const,
        [text, `https://u:${text}@db.example/x`] as const,
        [text, `eyJ${text}.eyJ${text}.${text}`] as const,
        [text, `sk-${text}`] as const,
        [text, `ghp_${text}`] as const,
        [text, `https://a.example/cb?state=1&code=${text}&x=1`] as const,
        [text, `https://a.example/mcp?api_key=${text}`] as const,
        [text, `grant_type=refresh_token&refresh_token=${text}`] as const,
      ),
    );
    const { holder } = fc.letrec<{ holder: { secret: string; value: unknown } }>((tie) => ({
      holder: fc.oneof(
        { depthSize: "small" },
        secret.map(([part, value]) => ({ secret: part, value })),
        fc.tuple(tie("holder"), fc.jsonValue(), fc.string()).map(([inner, other, name]) => {
          return { secret: inner.secret, value: { other, [`_${name}`]: inner.value } };
        }),
        fc.tuple(tie("holder"), fc.jsonValue()).map(([inner, other]) => {
          return { secret: inner.secret, value: [other, inner.value] };
        }),
        tie("holder").map((inner) => ({ secret: inner.secret, value: new Error("failed", { cause: inner.value }) })),
      ),
    }));
    fc.assert(
      fc.property(holder, (held) => {
        const text = logged((logger) => logger.info({ held: held.value }, "message"));
        assert.ok(!text.includes(held.secret), text);
      }),
      { numRuns: 10_000 },
    );
  });

  it("redacts Gatehouse credentials by their format, in names, values, messages and errors", () => {
    assert.equal(NEW_TOKENS.length, 10);
    const credential = fc.constantFrom(...NEW_TOKENS);
    const text = fc.tuple(fc.string(), credential, fc.string()).map(([before, secret, after]) => ({
      secret,
      text: `${before} ${secret} ${after}`,
    }));
    const placed = fc.tuple(text, fc.integer({ min: 0, max: 4 }), fc.jsonValue()).map(([given, place, other]) => {
      const objects = [
        { other, note: given.text },
        { list: [other, [given.text]] },
        { [given.text]: other },
        { err: new Error(given.text, { cause: new Error(given.text) }) },
        { err: Object.assign(new Error("x"), { code: given.text }) },
      ];
      return { ...given, object: objects[place] };
    });
    fc.assert(
      fc.property(placed, ({ secret, text: message, object }) => {
        const written = logged((logger) => {
          logger.info(object, message);
          logger.warn(object, "%s of %s", message, message);
          logger.error(new Error(message));
        });
        assert.ok(!written.includes(secret), written);
      }),
      { numRuns: 1_000 },
    );
  });

  for (const [given, kept] of [
    ["Authorization: Bearer abc:def", "Authorization: Bearer [cut]"],
    ["authorization: bearer abc", "authorization: bearer [cut]"],
    ["Basic dXNlcjpwYXNz", "Basic [cut]"],
    ["postgres://gate:hunter2@db:5432/x", "postgres://gate:[cut]@db:5432/x"],
    ["https://:hunter2@proxy.example", "https://:[cut]@proxy.example"],
    ["https://example.com/invite#gh_iv_abc", "https://example.com/invite#[cut]"],
    ["gh_oa_abcdefghijklmnopqrst is an access key", "gh_oa_abcdefghijklmnopqrst is an access key"],
    ["https://example.com/a:b@c", "https://example.com/a:b@c"],
    ["nothing to hide at 10:30", "nothing to hide at 10:30"],
  ] as const) {
    it(`writes "${given}" as "${kept}"`, () => assert.equal(redactText(given), kept));
  }

  it("keeps values that are not secret, and the messages of errors", () => {
    const { err, ...rest } = redact({
      server: "echo",
      count: 3,
      off: null,
      err: Object.assign(new TypeError("no route"), { code: "E_ROUTE" }),
    }) as { err: Record<string, string> };
    assert.deepEqual(rest, { server: "echo", count: 3, off: null });
    assert.deepEqual([err.type, err.message, err.code], ["TypeError", "no route", "E_ROUTE"]);
    assert.match(err.stack ?? "", /logger\.test/);
  });

  it("writes circular objects, and omits bytes", () => {
    const object: Record<string, unknown> = { name: "a", bytes: Buffer.from("raw") };
    object.self = object;
    const text = logged((logger) => logger.info(object, "round"));
    assert.match(text, /"bytes":"\[cut\]"/);
    assert.match(text, /"msg":"round"/);
  });
});
