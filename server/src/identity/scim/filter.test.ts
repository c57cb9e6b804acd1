import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Filter, parseFilter, parsePath } from "./filter.ts";
import { matchesFilter } from "./match-filter.ts";
import { ScimError } from "./scim-error.ts";

const ADA = {
  id: "usr_1",
  userName: "Ada@Example.com",
  externalId: "00uA",
  displayName: 'Ada "the first" Lovelace',
  active: true,
  name: { givenName: "Ada", familyName: "Lovelace" },
  emails: [
    { value: "ada@example.com", type: "work", primary: true },
    { value: "ada@home.example", type: "home" },
  ],
  groups: [{ value: "grp_1", display: "Engineering" }],
  meta: { created: "2026-01-02T03:04:05.000Z", lastModified: "2026-05-06T00:00:00.000Z" },
};

const isScimError = (scimType: string) => (error: unknown) => error instanceof ScimError && error.scimType === scimType;

describe("SCIM filters", () => {
  it("compare attributes as RFC 7644 and providers write them", () => {
    const table: readonly [filter: string, matches: boolean][] = [
      ['userName eq "ada@example.com"', true],
      ['USERNAME EQ "ADA@EXAMPLE.COM"', true],
      ['userName ne "ada@example.com"', false],
      ['externalId eq "00uA"', true],
      ['externalId eq "00ua"', false],
      ['id eq "usr_1"', true],
      ['userName sw "ada@"', true],
      ['userName ew ".COM"', true],
      ['userName co "EXAMPLE"', true],
      ['userName co "nothing"', false],
      ["active eq true", true],
      ['active eq "True"', true],
      ["active eq false", false],
      ["active ne false", true],
      ['displayName eq "Ada \\"the first\\" Lovelace"', true],
      ['displayName eq "\\u0041da \\"the first\\" lovelace"', true],
      ['emails eq "ADA@home.example"', true],
      ['emails.value eq "ada@home.example"', true],
      ['emails[type eq "work"].value eq "ada@example.com"', true],
      ['emails[type eq "home"].value eq "ada@example.com"', false],
      ['emails[type eq "work" and value co "@example.com"]', true],
      ['emails[type eq "other"]', false],
      ['emails[primary eq true].value sw "ada"', true],
      ['name.familyName eq "lovelace"', true],
      ['urn:ietf:params:scim:schemas:core:2.0:User:name.givenName eq "ada"', true],
      ['groups.value eq "grp_1"', true],
      ["name.middleName pr", false],
      ["title pr", false],
      ["emails pr", true],
      ["name.givenName pr and active eq true", true],
      ["title eq null", true],
      ['title ne "x"', true],
      ['meta.lastModified gt "2026-05-05T00:00:00Z"', true],
      ['meta.created le "2026-01-01T00:00:00Z"', false],
      ['not (userName eq "ada@example.com")', false],
      ['not(active eq false) and (userName sw "x" or userName sw "a")', true],
      ['userName sw "x" or userName sw "a" and active eq false', false],
      ['(userName sw "a" or userName sw "x") and not (title pr)', true],
    ];
    for (const [filter, matches] of table) assert.equal(matchesFilter(parseFilter(filter), ADA), matches, filter);
  });

  it("reject everything else with invalidFilter", () => {
    const deep = `${"(".repeat(50)}active eq true${")".repeat(50)}`;
    const wide = Array.from({ length: 200 }, () => "active eq true").join(" or ");
    for (const filter of [
      "",
      "userName",
      "userName eq",
      'userName eq "open',
      "userName eq 'ada'",
      'userName is "ada"',
      'eq "ada"',
      'userName eq "a" "b"',
      'userName eq "a" and',
      "(active eq true",
      "active eq true)",
      'emails[type eq "work"',
      "emails[].value eq 1",
      "emails.value[type eq 1]",
      "a.b.c eq 1",
      "active eq maybe",
      "active eq true; drop table users",
      'userName eq "\\x"',
      'userName eq "\n"',
      'urn: eq "x"',
      "not active eq true",
      deep,
      wide,
      `userName eq "${"x".repeat(9_000)}"`,
    ]) {
      assert.throws(() => parseFilter(filter), isScimError("invalidFilter"), filter.slice(0, 60));
    }
  });

  it("read long hostile input in linear time", () => {
    for (const text of [
      "urn:".repeat(1_900),
      "a".repeat(7_999),
      `"${'\\"'.repeat(3_900)}`,
      "(".repeat(7_999),
      "-1".repeat(3_900),
    ]) {
      assert.throws(() => parseFilter(text), isScimError("invalidFilter"));
    }
  });

  it("ignore prototypes of resources", () => {
    for (const filter of ["constructor pr", "__proto__ pr", "toString pr", "name.constructor pr"]) {
      let parsed: Filter | undefined;
      try {
        parsed = parseFilter(filter);
      } catch (error) {
        assert.ok(error instanceof ScimError);
      }
      if (parsed) assert.equal(matchesFilter(parsed, ADA), false, filter);
    }
  });
});

describe("SCIM paths", () => {
  it("have an attribute, and optionally a schema, a filter and a sub-attribute", () => {
    assert.deepEqual(parsePath("name.givenName"), { attribute: "name", schema: undefined, sub: "givenname" });
    const email = parsePath('emails[type eq "work"].value');
    assert.deepEqual([email.attribute, email.sub, email.filter?.kind], ["emails", "value", "compare"]);
    const department = parsePath("urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department");
    assert.deepEqual(
      [department.schema, department.attribute],
      ["urn:ietf:params:scim:schemas:extension:enterprise:2.0:user", "department"],
    );
  });

  it("reject everything else with invalidPath", () => {
    for (const path of [
      "",
      " ",
      "[x eq 1]",
      "emails[",
      "emails[type]",
      'emails[type eq "work"]value',
      "a b",
      "a,b",
      ".a",
    ]) {
      assert.throws(() => parsePath(path), isScimError("invalidPath"), path);
    }
  });
});
