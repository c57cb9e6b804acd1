/** `GET /skills/index.json` and `GET /skills/{name}.zip`, for clients that do not use MCP. */
import { createHash } from "node:crypto";
import { SKILL_MD, skillUri } from "#lib/skill-uri";
import { writeZip } from "#lib/zip/write-zip";
import type { Exchange } from "../../exchange.ts";
import { type GatewayContext, JSON_HEADERS } from "../../request.ts";
import type { Principal } from "../../snapshot/authenticate.ts";
import { type Resolution, resolve } from "../../snapshot/resolve.ts";
import { pathOf, scopeOf, TOOLKIT_HEADER } from "../../snapshot/scope.ts";
import type { SkillEntry } from "../../snapshot/skills.ts";
import { logDownload } from "../log-download.ts";

const FOLDER = "/skills/";
const INDEX = "/skills/index.json";
const ARCHIVE = /^\/skills\/([a-z0-9-]{1,64})\.zip$/;
const NOT_FOUND = Buffer.from('{"error":"Skill not found"}');
const FAILED = Buffer.from('{"error":"The skill could not be read; try again"}');
const PRIVATE = ["cache-control", "private, no-cache"] as const;

/** Whether the gateway answers this path. Other paths below `/skills` are pages of the app. */
export function isSkillPath(path: string): boolean {
  // Every request of the gateway is tested, and most are for other paths.
  return path.startsWith(FOLDER) && (path === INDEX || ARCHIVE.test(path));
}

export function answerSkillDownload(exchange: Exchange, principal: Principal, context: GatewayContext): void {
  if (exchange.method !== "GET") {
    return exchange.answer(405, [...JSON_HEADERS, "allow", "GET"], [Buffer.from('{"error":"Method not allowed"}')]);
  }
  const path = pathOf(exchange.target);
  const scope = scopeOf(`/mcp${exchange.target.slice(path.length)}`, exchange.header(TOOLKIT_HEADER));
  if (typeof scope === "string") {
    return exchange.answer(400, JSON_HEADERS, [Buffer.from(JSON.stringify({ error: scope }))]);
  }
  const resolution = resolve(context.holder.current(), principal, scope);
  if (path === INDEX) return answerIndex(exchange, resolution);
  const skill = resolution.skill(ARCHIVE.exec(path)?.[1] ?? "");
  // The same for a skill that does not exist and for one out of reach (D26).
  if (!skill) return exchange.answer(404, JSON_HEADERS, [NOT_FOUND]);
  answerArchive(exchange, principal, context, skill);
}

function answerIndex(exchange: Exchange, resolution: Resolution): void {
  const skills = resolution.skills().map(({ slug, description, version, digest, files }) => ({
    ...{ name: slug, description, version, digest, files_count: files.size },
    ...{ uri: skillUri(slug, SKILL_MD), archive: `${slug}.zip` },
  }));
  const body = Buffer.from(JSON.stringify({ skills }));
  const etag = `"sha256:${createHash("sha256").update(body).digest("hex")}"`;
  if (exchange.header("if-none-match") === etag) return exchange.answer(304, [...PRIVATE, "etag", etag], []);
  if (!exchange.hold(body.length)) return refuseBusy(exchange);
  exchange.answer(200, [...JSON_HEADERS, ...PRIVATE, "etag", etag], [body]);
}

function answerArchive(exchange: Exchange, principal: Principal, context: GatewayContext, skill: SkillEntry): void {
  const etag = `"${skill.digest}"`;
  if (exchange.header("if-none-match") === etag) return exchange.answer(304, [...PRIVATE, "etag", etag], []);
  const bytes = [...skill.files.values()].reduce((sum, { size }) => sum + size, 0);
  if (!exchange.hold(bytes)) return refuseBusy(exchange);
  const startedAt = context.clock.monotonic();
  const headers = ["content-type", "application/zip", ...PRIVATE, "etag", etag];
  const disposition = ["content-disposition", `attachment; filename="${skill.slug}.zip"`];
  archiveOf(context, skill).then(
    (body) => {
      const name = skillUri(skill.slug, SKILL_MD);
      logDownload(
        exchange,
        principal,
        context,
        { method: "resources/read", name, requestBytes: 0, body, startedAt },
        () => exchange.answer(200, [...headers, ...disposition], body),
      );
    },
    (error: unknown) => {
      context.logger.error({ err: error, requestId: exchange.requestId }, "a skill could not be downloaded");
      exchange.answer(500, JSON_HEADERS, [FAILED]);
    },
  );
}

function refuseBusy(exchange: Exchange): void {
  const body = Buffer.from('{"error":"The gateway is busy; try again"}');
  exchange.answer(503, [...JSON_HEADERS, "retry-after", "1"], [body]);
}

async function archiveOf({ skillFiles }: GatewayContext, { slug, files }: SkillEntry): Promise<Buffer[]> {
  const contents = async function* () {
    for (const { path, digest, executable } of files.values()) {
      yield { path: `${slug}/${path}`, executable, content: await skillFiles.read(digest) };
    }
  };
  const pieces: Buffer[] = [];
  for await (const piece of writeZip(contents())) pieces.push(piece);
  return pieces;
}
