import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { it } from "node:test";
import {
  ANY_CANARY,
  type ConfiguredFields,
  SECRET_NAMES,
  SECRET_PATH,
  SECRET_SERVERS,
  SECRET_SKILLS,
  SECRET_TOOL,
  SECRET_VERSION,
  TEXT_FORMS,
} from "#policy/secret-places";
import { type ApiUnderTest, forEachApi } from "#test/api";
import { agent, localServer, memoryFile, remoteServer, reported, skill } from "#test/discovery-report";

const REPORTS = "/api/ai-discovery/reports";
const LISTS = ["mcp_servers", "skills", "agent_memory", "agents"] as const;

/** A server of a configuration file as a device without redaction would report it. */
function unredacted({ command, url, args, env, headers }: ConfiguredFields, at: number): object {
  const keys = { env_keys: keysOf(env), header_keys: keysOf(headers) };
  if (typeof url === "string") return remoteServer(`s${at}`, url, keys);
  const [program, words] = programOf(command, args);
  return localServer(`s${at}`, words, { command: program, ...keys });
}

function programOf(command: unknown, args: unknown): [string, string[]] {
  if (Array.isArray(command)) return [command[0], command.slice(1)];
  if (typeof command === "object" && command !== null && "path" in command) return [String(command.path), []];
  return typeof args === "string" ? [`${command} ${args}`, []] : [String(command), (args ?? []) as string[]];
}

/** Short entries without a name are left out: nothing distinguishes such a value from a name. */
function keysOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (!Array.isArray(value)) return Object.keys(value).filter((key) => key.length <= 256);
  return value.filter((key) => typeof key === "string" && (key.length > 30 || /[=:]/.test(key)));
}

const withPath = (path: string) => ({ path, project: path, username: path, client: path, version: SECRET_VERSION });

/** Items with each secret in each of their fields. */
function itemsWithSecrets() {
  const digest = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;
  const texts = Object.values(TEXT_FORMS);
  return {
    mcp_servers: [
      ...SECRET_SERVERS.map(unredacted),
      ...SECRET_NAMES.filter((name) => name.length <= 256).map((name) => remoteServer(name, "https://n.example/mcp")),
      ...texts.map((text) => remoteServer("p", "https://p.example", { ...withPath(text), config_path: text })),
    ],
    skills: [
      skill("tool", { allowed_tools: SECRET_TOOL }),
      ...SECRET_SKILLS.map(({ description, allowedTools, body }, at) => {
        const allowed_tools = typeof allowedTools === "string" ? allowedTools : allowedTools.join(" ");
        return skill(`skill-${at}`, { description, allowed_tools, content: body || undefined, files_count: 1 });
      }),
      ...texts.map((text) => skill(text, { ...withPath(text), digest: digest(text), issues: [text], files_count: 1 })),
    ],
    agent_memory: texts.map((text) => memoryFile(text, { ...withPath(text), issues: [text], modified_at: text })),
    agents: texts.map((text) => agent(text, { ...withPath(text), version: text })),
  };
}

/** What surrounds the items, with a secret in each field. */
function envelope(device: string, text: string) {
  const { device: described, ...rest } = reported(device);
  const fields = { hostname: text, os_version: text, arch: text, serial_hash: text, users: [text] };
  return {
    ...rest,
    device: { ...described, ...fields },
    agent: { name: text, version: text },
    user: { username: text, email: `${device}@example.com` },
    errors: [{ path: text, code: text }],
  };
}

/** All tables and the log, and what the API returns about everything. */
async function written(api: ApiUnderTest): Promise<string> {
  const tables = Object.entries(await api.everything()).flatMap(([table, rows]) =>
    rows.map((row) => `${table} ${row}`),
  );
  return [...tables, ...api.lines].filter((line) => ANY_CANARY.test(line)).join("\n");
}

forEachApi(
  "reports of devices that redact nothing",
  (api) => {
    const send = async (report: object) => {
      const { status, text, body } = await api.call("POST", REPORTS, report);
      assert.equal(status, 200, text);
      assert.equal(ANY_CANARY.test(text), false, text);
      return body.data;
    };

    it("are stored without the secrets of any item", async () => {
      await api.call("PATCH", "/api/settings", { discovery_skill_texts: true });
      const items = itemsWithSecrets();
      const { accepted, rejected } = await send(reported("items", items));
      assert.deepEqual(rejected, []);
      for (const list of LISTS) assert.equal(accepted[list], items[list].length, list);
      assert.equal(await written(api), "");
      const texts = await api.db.selectFrom("discovery_skill_texts").select("skill_md").execute();
      assert.equal(
        texts.filter(({ skill_md }) => skill_md.includes("[REDACTED]")).length,
        Object.keys(TEXT_FORMS).length,
      );
    });

    for (const [form, text] of Object.entries(TEXT_FORMS)) {
      it(`are stored without a secret as ${form} in the description of device and scan`, async () => {
        const device = `envelope-${form}`;
        const mcp_servers = [remoteServer("blocked", `https://${form}.example/mcp`)];
        await send({ ...reported(device), mcp_servers });
        const servers = await api.call("GET", `/api/ai-discovery/mcp-servers?device_id=${device}`);
        const [{ fingerprint }] = servers.body.data;
        const enforcement = [{ fingerprint, client: text, result: "failed", reason: text }];
        await send({ ...envelope(device, text), mcp_servers, enforcement });
        const { data } = (await api.call("GET", `/api/ai-discovery/devices/${device}`)).body;
        for (const field of [data.hostname, data.os_version, data.usernames[0], data.scan_errors[0].path])
          assert.match(field, /\[REDACTED\]/);
        const violations = await api.call("GET", `/api/ai-discovery/violations?device_id=${device}`);
        assert.match(violations.body.data[0].enforcement, /^failed: .*\[REDACTED\]/);
        assert.equal(await written(api), "");
      });
    }

    it("are refused if an identifier is a secret", async () => {
      const message = "must not contain a credential";
      const report = reported("refused");
      await api.invalid(`report_id: ${message}`, "POST", REPORTS, { ...report, report_id: SECRET_PATH });
      const device = { ...report.device, id: SECRET_PATH };
      await api.invalid(`device.id: ${message}`, "POST", REPORTS, { ...report, device });
      assert.equal(await written(api), "");
    });
  },
  { log: "kept" },
);
