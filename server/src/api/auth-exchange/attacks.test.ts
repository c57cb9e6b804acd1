import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, it } from "node:test";
import { exportSPKI, importJWK, type JWTPayload } from "jose";
import { bearer, forEachApi } from "#test/api";
import { signedInAs } from "#test/browser";
import { createMachineUser, createPerson } from "#test/factories";
import { AUDIENCE, startTokenIssuer, type TokenIssuer } from "#test/token-issuer";

const ADA = "ada@example.com";
const PROVIDERS = "/api/auth-exchange/providers";

const INVALID = [401, { error: "invalid_token" }] as const;
const CONDITIONS = [403, { error: "Token claims do not satisfy provider conditions" }] as const;
const NO_USER = [403, { error: "User not found for subject" }] as const;

forEachApi(
  "attacks on auth exchange",
  (api) => {
    let idp: TokenIssuer;
    let other: TokenIssuer;
    before(async () => {
      idp = await startTokenIssuer(api.clock);
      other = await startTokenIssuer(api.clock);
      await createPerson(api.service, "Ada", ADA);
      await createPerson(api.service, "Kim", "kim@example.com");
      await createMachineUser(api.service, "Robot");
      await signedInAs(api.service, "owner", "owner@example.com");
      await signedInAs(api.service, "admin", "admin@example.com");
      await provider({ name: "Acme", audiences: [AUDIENCE] });
      await provider({ name: "Once", audiences: ["once"], one_time_jti: true });
    });
    after(() => Promise.all([idp?.close(), other?.close()]));

    const provider = async (body: object) => {
      const answer = await api.call("POST", PROVIDERS, { issuer: idp.issuer, ...body });
      assert.equal(answer.status, 201, answer.text);
    };
    const person = (rest: object = {}): JWTPayload => ({ sub: "u1", email: ADA, email_verified: true, ...rest });
    const exchange = async (token: string) => {
      const headers = { ...bearer(token), "x-api-key": api.service.token };
      const answer = await api.service.http("/api/auth-exchange", { method: "POST", headers });
      return [answer.status, answer.body] as const;
    };
    const refused = async (token: string, expected: readonly [number, object]) => {
      assert.deepEqual(await exchange(token), expected);
    };
    const checksOf = async (slug: string, token: string) => {
      const { data } = (await api.call("POST", `${PROVIDERS}/${slug}/test`, { token })).body;
      return data;
    };
    const failedIn = async (slug: string, token: string): Promise<string[]> => {
      const { checks } = await checksOf(slug, token);
      return checks.filter(({ ok }: { ok: boolean }) => !ok).map(({ name }: { name: string }) => name);
    };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const unsigned = (header: object, claims: object) => {
      const nowS = Math.floor(api.clock.now() / 1000);
      return `${part(header)}.${part({ iss: idp.issuer, aud: AUDIENCE, iat: nowS, exp: nowS + 600, ...claims })}`;
    };

    it("accepts the token that all attacks start from, and every check of its test succeeds", async () => {
      const token = await idp.sign(person());
      assert.equal((await exchange(token))[0], 200);
      const data = await checksOf("acme", token);
      assert.equal(data.valid, true, JSON.stringify(data.checks));
      assert.deepEqual(data.user, { email: ADA, is_machine_user: false, created: false });
      assert.equal(data.claims.sub, "u1");
    });

    it("refuses tokens without a signature and with the public key as a shared secret", async () => {
      for (const alg of ["none", "None", "NONE"]) await refused(`${unsigned({ alg, typ: "JWT" }, person())}.`, INVALID);
      const { kid, jwk } = idp.current;
      const publicKey = await importJWK({ ...jwk }, "RS256", { extractable: true });
      assert.ok(!(publicKey instanceof Uint8Array));
      for (const secret of [await exportSPKI(publicKey), String(jwk.n), JSON.stringify(jwk)]) {
        const input = unsigned({ alg: "HS256", kid, typ: "JWT" }, person());
        const token = `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
        await refused(token, INVALID);
        const failed = await failedIn("acme", token);
        assert.deepEqual(failed, ["algorithm", "signature"]);
      }
      const body = { name: "HS", issuer: other.issuer, audiences: ["hs"], algorithms: ["HS256"] };
      const { status } = await api.call("POST", PROVIDERS, body);
      assert.equal(status, 400);
      const jwks = { keys: [{ kty: "oct", k: "c2VjcmV0", kid: "s" }] };
      const symmetric = { name: "Oct", issuer: other.issuer, audiences: ["oct"], jwks };
      await api.invalid("jwks.keys: must contain only public keys", "POST", PROVIDERS, symmetric);
    });

    it("refuses tampered claims and signatures of other keys", async () => {
      const [header, , signature] = (await idp.sign(person())).split(".");
      const [, payload] = (await idp.sign(person({ email: "kim@example.com" }))).split(".");
      await refused(`${header}.${payload}.${signature}`, INVALID);
      const stolen = { ...(await other.newKey()), kid: idp.current.kid };
      await refused(await idp.sign(person(), { key: stolen }), INVALID);
      const embedded = await other.newKey();
      const jku = unsigned({ alg: "RS256", jwk: embedded.jwk, jku: `${other.issuer}/keys` }, person());
      await refused(`${jku}.${signature}`, INVALID);
      const critical = unsigned({ alg: "RS256", kid: idp.current.kid, crit: ["b64"], b64: false }, person());
      await refused(`${critical}.${signature}`, INVALID);
    });

    it("fetches keys once for many unknown ones, and accepts a rotated key without a restart", async () => {
      await exchange(await idp.sign(person()));
      api.clock.advance(31_000);
      idp.requests.length = 0;
      const flood = await Promise.all(
        Array.from({ length: 50 }, async (_, n) => exchange(await idp.sign(person(), { kid: `unknown-${n}` }))),
      );
      assert.deepEqual(new Set(flood.map(([status]) => status)), new Set([401]));
      assert.equal(idp.requests.filter((path) => path === "/keys").length, 1);
      await idp.rotate();
      await refused(await idp.sign(person()), INVALID);
      api.clock.advance(31_000);
      assert.equal((await exchange(await idp.sign(person())))[0], 200);
      assert.equal(idp.requests.filter((path) => path === "/keys").length, 2);
    });

    it("refuses expired, future, old and timeless tokens, with a minute of clock skew", async () => {
      const nowS = () => Math.floor(api.clock.now() / 1000);
      for (const [claims, status, check] of [
        [{ exp: nowS() - 59 }, 200, undefined],
        [{ exp: nowS() - 61 }, 401, "expiration"],
        [{ exp: undefined }, 401, "expiration"],
        [{ exp: "never" }, 401, "expiration"],
        [{ exp: 1e300 }, 401, "expiration"],
        [{ nbf: nowS() + 59 }, 200, undefined],
        [{ nbf: nowS() + 62 }, 401, "not_before"],
        [{ iat: nowS() + 59 }, 200, undefined],
        [{ iat: nowS() + 62 }, 401, "age"],
        [{ iat: nowS() - 3659 }, 200, undefined],
        [{ iat: nowS() - 3661 }, 401, "age"],
        [{ iat: undefined }, 401, "age"],
      ] as const) {
        const token = await idp.sign(person(claims) as JWTPayload);
        assert.equal((await exchange(token))[0], status, JSON.stringify(claims));
        assert.deepEqual(await failedIn("acme", token), check === undefined ? [] : [check]);
      }
    });

    it("accepts a token once where the provider says so, also from concurrent requests", async () => {
      const token = await idp.sign(person({ aud: "once", jti: "j1" }));
      assert.deepEqual(await failedIn("once", token), []);
      const answers = await Promise.all(Array.from({ length: 6 }, () => exchange(token)));
      assert.equal(answers.filter(([status]) => status === 200).length, 1);
      assert.equal(answers.filter(([status]) => status === 401).length, 5);
      assert.deepEqual(await failedIn("once", token), ["replay"]);
      await refused(await idp.sign(person({ aud: "once" })), INVALID);
    });

    it("refuses unverified emails, and spellings that only look like a user's", async () => {
      const unverified = [403, { error: "The email claim is not verified" }] as const;
      for (const email_verified of [false, undefined, "false", 1, null]) {
        await refused(await idp.sign(person({ email_verified })), unverified);
      }
      assert.equal((await exchange(await idp.sign(person({ email: "ADA@Example.COM" }))))[0], 200);
      for (const email of [
        "\u212aim@example.com",
        " ada@example.com",
        "ada@example.com\u0000",
        "ada@example.com.",
        "ada",
      ]) {
        await refused(await idp.sign(person({ email })), NO_USER);
      }
    });

    it("never acts as an owner, an admin or, by email, as a machine user", async () => {
      for (const email of ["owner@example.com", "admin@example.com", "robot@machine.example.com"]) {
        await refused(await idp.sign(person({ email })), NO_USER);
      }
      const subject = { mode: "map", allow_admins: true };
      await provider({ name: "Admins", audiences: ["admins"], subject });
      const allowed = await idp.sign(person({ aud: "admins", email: "owner@example.com" }));
      const [status, { data }] = await exchange(allowed);
      assert.equal(status, 200);
      const asOwner = await api.service.http("/api/users", { headers: bearer(data.access_token) });
      assert.equal(asOwner.status, 401);
    });

    it("refuses other types of tokens, audiences and issuers", async () => {
      for (const typ of ["logout+jwt", "oauth-id-jag+jwt", "dpop+jwt", "secevent+jwt"]) {
        await refused(await idp.sign(person(), { typ }), INVALID);
      }
      for (const typ of ["", "jwt", "at+jwt", "application/at+jwt"]) {
        assert.equal((await exchange(await idp.sign(person(), { typ })))[0], 200, typ);
      }
      for (const aud of ["other", ["a", "b"], undefined, "", 1, { [AUDIENCE]: true }]) {
        await refused(await idp.sign(person({ aud }) as JWTPayload), INVALID);
      }
      assert.equal((await exchange(await idp.sign(person({ aud: ["x", AUDIENCE] }))))[0], 200);
      for (const iss of [`${idp.issuer}/`, other.issuer, idp.issuer.toUpperCase()]) {
        const error = `No trusted provider is configured for issuer ${iss}`;
        await refused(await idp.sign(person({ iss })), [400, { error }]);
      }
    });

    it("answers malformed and empty tokens, and tokens without a subject", async () => {
      for (const token of ["x", "a.b", "a.b.c", "a.b.c.d.e", `${part({})}.${part({ sub: "x" })}.x`]) {
        await refused(token, [400, { error: "JWT is malformed" }]);
      }
      await refused("", [400, { error: "JWT is empty" }]);
      const error = "JWT must contain a sub, email or client_id claim";
      await refused(await idp.sign({}), [400, { error }]);
    });

    it("does not let claims escape conditions", async () => {
      await provider({
        ...{ name: "Conditions", audiences: ["conditions"] },
        conditions: [
          { claim: "repository", operator: "matches", value: "acme/*" },
          { claim: "environment", operator: "not_equals", value: "dev" },
          { claim: ["k8s.io", "ns"], operator: "in", value: ["prod"] },
          { claim: "admin", operator: "exists", value: false },
        ],
      });
      const good = {
        ...person({ aud: "conditions" }),
        repository: "acme/app",
        environment: "live",
        "k8s.io": { ns: "prod" },
      };
      assert.equal((await exchange(await idp.sign(good)))[0], 200);
      for (const change of [
        { repository: "evil/acme/app" },
        { repository: "acme" },
        { repository: undefined },
        { repository: { "acme/x": 1 } },
        { environment: ["live", "dev"] },
        { environment: undefined },
        { "k8s.io": { ns: "dev" } },
        { "k8s.io": "prod" },
        { admin: null },
      ]) {
        await refused(await idp.sign({ ...good, ...change } as JWTPayload), CONDITIONS);
      }
    });

    it("refuses two providers with one issuer and overlapping audiences, and selects by audience", async () => {
      const message = "issuer: another provider accepts this issuer and audience";
      const body = { name: "Twin", issuer: idp.issuer, audiences: ["twin", AUDIENCE] };
      await api.invalid(message, "POST", PROVIDERS, body);
      await provider({ ...body, enabled: false });
      await api.invalid(message, "PATCH", `${PROVIDERS}?slug=twin`, { enabled: true });
      await api.invalid(message, "PATCH", `${PROVIDERS}?slug=once`, { audiences: [AUDIENCE] });
      const answers = await Promise.all(
        ["race-1", "race-2", "race-3"].map((name) =>
          api.call("POST", PROVIDERS, { name, issuer: other.issuer, audiences: ["race"] }),
        ),
      );
      assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    });

    it("records why a token was refused in the audit log only", async () => {
      // After the minute in which refusals are counted.
      api.clock.advance(60_001);
      const audits = await api.auditOf(async () => {
        for (let n = 0; n < 40; n++) await refused(await idp.sign(person({ aud: "other" })), INVALID);
      });
      assert.equal(audits.length, 30);
      assert.deepEqual(
        audits.slice(0, 1).map(({ operation, target_name, after }) => [operation, target_name, after]),
        [["refuseAuthExchange", "acme", { check: "audience", reason: "aud is other, expected gatehouse" }]],
      );
    });
  },
  { clock: "by-hand" },
);
