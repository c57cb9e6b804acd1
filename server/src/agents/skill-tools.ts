import { isObject } from "#lib/is-object";
import { skillUri } from "#lib/skill-uri";
import { findBlob } from "#records/file-blobs";
import { currentVersions, filesOfVersion, findSkillsBySlug, SKILL_MD } from "#records/skills";
import type { AgentRow } from "#storage/agent-tables";
import type { MainDb } from "#storage/database";
import type { AgentGateway, AgentTool, SentCall, ToolOutcome } from "./loop/ports.ts";

const LOAD_SKILL = "load_skill";
const TOOL: AgentTool = {
  name: LOAD_SKILL,
  description: "Reads the instructions of a skill, or another file of it",
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", description: "Name of the skill" },
      path: { type: "string", description: "Path of a file of the skill. Default: SKILL.md" },
    },
    required: ["name"],
  },
};

/** The agent's instructions, followed by the names, URIs and descriptions of its skills. */
export async function instructionsFor(db: MainDb, { instructions, skills }: AgentRow): Promise<string> {
  const active = await activeSkills(db, skills);
  if (active.length === 0) return instructions;
  const lines = active.map(({ slug, description }) => `- ${slug} (${skillUri(slug, SKILL_MD)}): ${description}`);
  return `${instructions}\n\nSkills, which you can read with the tool ${LOAD_SKILL}:\n${lines.join("\n")}`;
}

async function activeSkills(db: MainDb, slugs: readonly string[]) {
  const rows = await findSkillsBySlug(db, slugs);
  return rows.filter(({ status }) => status === "active");
}

/** Adds a tool for the agent's skills. It exists only in the loop: the gateway never lists it. */
export class SkillTools implements AgentGateway {
  readonly #db: MainDb;
  readonly #gateway: AgentGateway;
  readonly #slugs: readonly string[];

  constructor(db: MainDb, gateway: AgentGateway, slugs: readonly string[]) {
    this.#db = db;
    this.#gateway = gateway;
    this.#slugs = slugs;
  }

  async listTools(signal: AbortSignal): Promise<readonly AgentTool[]> {
    const tools = await this.#gateway.listTools(signal);
    return this.#slugs.length === 0 ? tools : [...tools, TOOL];
  }

  callTool(name: string, input: string, signal: AbortSignal, sent: (call: SentCall) => void): Promise<ToolOutcome> {
    if (name !== LOAD_SKILL || this.#slugs.length === 0) return this.#gateway.callTool(name, input, signal, sent);
    sent({ arguments: input, removed: [] });
    const value: unknown = JSON.parse(input);
    return this.#load(isObject(value) ? value : {});
  }

  async #load({ name, path = SKILL_MD }: Readonly<Record<string, unknown>>): Promise<ToolOutcome> {
    const known = typeof name === "string" && this.#slugs.includes(name) ? name : undefined;
    const [skill] = known === undefined ? [] : await activeSkills(this.#db, [known]);
    if (!skill) return { text: `Unknown skill: ${String(name)}`, isError: true };
    const version = (await currentVersions(this.#db, [skill.id])).get(skill.id);
    const files = version ? await filesOfVersion(this.#db, skill.id, version.version) : [];
    const file = files.find((each) => each.path === path);
    const content = file && (await findBlob(this.#db, file.digest));
    if (!content) return { text: `The skill has no file ${String(path)}`, isError: true };
    const text = Buffer.from(content).toString("utf8");
    return text.includes("\ufffd") ? { text: "The file is not text", isError: true } : { text, isError: false };
  }
}
