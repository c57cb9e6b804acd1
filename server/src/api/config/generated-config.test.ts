import assert from "node:assert/strict";
import { before, it } from "node:test";
import { forEachApi } from "#test/api";
import { createPerson } from "#test/factories";
import { generateOrganization, type Objects, PEOPLE } from "#test/generated-organization";
import { seedFor } from "#test/seed";
import { KINDS } from "./kinds/index.ts";

/** API-22. */
const ROUNDS = 3;
/** Failed syncs and deliveries change these at any time. The export shows what people configured in them. */
const CHANGED_BY_JOBS = [
  ...["mcp_servers", "reported_health", "webhooks", "webhook_attempts", "webhook_deliveries"],
  ...["changes", "change_counter", "audit_shipping", "audit_checkpoints", "audit_verification", "discovery_policy"],
];

/** They are changed, and never deleted. */
const ALWAYS_THERE = ["settings", "discovery-policy"];

/** Some generated agents have no provider. */
const DEFAULT_PROVIDER = { type: "anthropic", model: "m", baseUrl: undefined, apiKey: "of the operator" } as const;

forEachApi(
  "a generated organization as files",
  (api) => {
    /** The values of exported references, as a CI has them in its environment. */
    const secrets = new Map<string, string>();
    const apply = async (config: Objects, prune = true) => {
      const answer = await api.call("POST", "/api/config/apply", { config, prune });
      assert.equal(answer.status, 200, answer.text);
    };
    const plan = async (config: Objects) => {
      const answer = await api.call("POST", "/api/config/plan", { config, prune: true });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data;
    };
    const exported = async (): Promise<{ text: string; config: Objects; secrets: string[] }> => {
      const answer = await api.call("GET", "/api/config");
      assert.equal(answer.status, 200, answer.text);
      return { text: answer.text, ...answer.body.data };
    };
    const stored = async () => {
      const tables = Object.entries(await api.everything()).filter(([table]) => !CHANGED_BY_JOBS.includes(table));
      return { ...Object.fromEntries(tables), exported: (await exported()).text };
    };
    const wipe = () =>
      apply(Object.fromEntries(KINDS.flatMap(({ name }) => (ALWAYS_THERE.includes(name) ? [] : [[name, []]]))));

    before(async () => {
      for (const email of PEOPLE) await createPerson(api.service, email, email);
    });

    it("exports the same bytes after everything was deleted and applied again", async (test) => {
      const seed = seedFor(test);
      for (let round = 0; round < ROUNDS; round++) {
        const organization = generateOrganization(seed + round);
        await apply(organization);
        assert.deepEqual(await plan(organization), [], `plan after apply, round ${round}`);
        const first = await exported();
        rememberSecrets(first.config, organization, secrets);
        const given = resolve(first.config, secrets);
        for (const secret of secrets.values()) assert.ok(!first.text.includes(secret));
        assert.deepEqual(await plan(given), [], `plan of the export, round ${round}`);
        await wipe();
        const empty = (await exported()).config;
        for (const { name } of KINDS.filter((kind) => ![...ALWAYS_THERE, "guards"].includes(kind.name))) {
          assert.deepEqual(empty[name], [], name);
        }
        await apply(given);
        const second = await exported();
        assert.deepEqual(second.config, first.config, `round ${round}`);
        assert.ok(second.text === first.text, `other bytes for the same configuration, round ${round}`);
        assert.deepEqual(await plan(given), [], `plan after the second apply, round ${round}`);
      }
    });

    it("changes nothing if any object is rejected, wherever it is", async (test) => {
      const seed = seedFor(test);
      await apply(generateOrganization(seed));
      const wanted = generateOrganization(seed + 1);
      const unchanged = await stored();
      for (const { name } of KINDS) {
        const objects = wanted[name] ?? [];
        for (const position of new Set([0, objects.length - 1])) {
          const broken = {
            ...wanted,
            [name]: objects.map((object, at) => (at === position ? breakObject(name, object) : object)),
          };
          const body = { config: broken, prune: true };
          const answer = await api.call("POST", "/api/config/apply", body);
          assert.equal(answer.status, 400, `${name} ${position}: ${answer.text}`);
          assert.match(answer.text, new RegExp(`${name} `), "the error names the object");
          assert.deepEqual(await stored(), unchanged, `${name} ${position}`);
          if (position > 0) continue;
          const planned = await api.call("POST", "/api/config/plan", body);
          assert.deepEqual([planned.status, planned.body.message], [400, answer.body.message]);
        }
      }
      assert.ok((await plan(wanted)).length > 0);
      assert.deepEqual(await stored(), unchanged, "a plan");
      await apply(wanted);
      assert.deepEqual(await plan(wanted), []);
    });
  },
  { config: { defaultProvider: DEFAULT_PROVIDER } },
);

/** A value that no operation accepts. */
function breakObject(kind: string, object: Record<string, unknown>): Record<string, unknown> {
  if (kind === "settings") return { ...object, call_log_retention_days: -1 };
  if (kind === "groups") return { ...object, members: ["unknown@example.com"] };
  // The name of a webhook is its key.
  if (kind === "webhooks") return { ...object, url: "no URL" };
  if (kind === "log-destinations") return { ...object, url: "no URL" };
  if (kind === "discovery-policy") return { ...object, enforcement: "no mode" };
  return kind === "machine-users" ? { ...object, owners: ["unknown@example.com"] } : { ...object, name: 7 };
}

const REFERENCE = /^\$\{env:(\w+)\}$/;

/** What the CLI does with references. */
function resolve(config: Objects, secrets: ReadonlyMap<string, string>): Objects {
  return JSON.parse(
    JSON.stringify(config, (_name, value: unknown) => {
      const name = typeof value === "string" ? REFERENCE.exec(value)?.[1] : undefined;
      return name === undefined ? value : secrets.get(name);
    }),
  );
}

/** Finds the values of the references of an export in the objects that were applied. */
function rememberSecrets(config: Objects, given: Objects, secrets: Map<string, string>): void {
  for (const { name: kind, key } of KINDS) {
    for (const object of config[kind] ?? []) {
      const source = given[kind]?.find((each) => each[key] === object[key]);
      if (source) collect(object, source, secrets);
    }
  }
}

function collect(exported: unknown, given: unknown, secrets: Map<string, string>): void {
  if (typeof exported === "string") {
    const name = REFERENCE.exec(exported)?.[1];
    // A secret of an earlier round stays if this one does not declare it.
    if (name !== undefined && typeof given === "string") secrets.set(name, given);
  } else if (typeof exported === "object" && exported !== null) {
    for (const [name, member] of Object.entries(exported)) collect(member, Object(given)[name], secrets);
  }
}
