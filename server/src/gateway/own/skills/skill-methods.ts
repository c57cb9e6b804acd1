/** The methods of the skills extension (F19). They answer from the snapshot, in both eras. */

import { parseSkillUri, SKILL_MD, skillUri } from "#lib/skill-uri";
import { errorBody, INVALID_PARAMS } from "../../envelope/errors.ts";
import { META_SERVER_INFO } from "../../envelope/meta-keys.ts";
import { type GatewayContext, JSON_HEADERS, MAX_LOGGED_NAME, type McpRequest, type Method } from "../../request.ts";
import { resolve } from "../../snapshot/resolve.ts";
import type { SkillEntry } from "../../snapshot/skills.ts";

const SKILLS_PER_PAGE = 100;
const TTL_MS = 60_000;
const DIRECTORY = "inode/directory";
const COMMA = Buffer.from(",");

export const skillsList: Method = (request, context) => {
  const { skills } = context.holder.viewFor(request.principal, request.scope);
  const cursor = request.call.params?.cursor;
  const after = cursor === undefined ? "" : Buffer.from(cursor, "base64url").toString("utf8");
  if (cursor !== undefined && Buffer.from(after).toString("base64url") !== cursor) {
    return refuse(request, "Invalid cursor");
  }
  const start = firstAfter(skills, after);
  const page = skills.slice(start, start + SKILLS_PER_PAGE);
  const last = start + SKILLS_PER_PAGE < skills.length ? page.at(-1) : undefined;
  const next = last ? `,"nextCursor":"${Buffer.from(last.slug).toString("base64url")}"` : "";
  answer(request, [
    Buffer.from('{"skills":['),
    ...page.flatMap(({ entry }, at) => (at === 0 ? [entry] : [COMMA, entry])),
    Buffer.from(`]${next}${cachedTail(request, context)}}`),
  ]);
};

/** The index of the first skill after this slug. */
function firstAfter(skills: readonly SkillEntry[], slug: string): number {
  let low = 0;
  let high = skills.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((skills[middle]?.slug ?? "") > slug) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** D26: the same error for a skill that does not exist and for one out of reach. */
export const skillsGet: Method = (request, context) => {
  const { params } = request.call;
  if (params?.uri === undefined) return refuse(request, "params.uri must be a string");
  const named = parseSkillUri(params.uri);
  const { principal, scope } = request;
  const skill =
    named?.path === SKILL_MD ? resolve(context.holder.current(), principal, scope).skill(named.slug) : undefined;
  if (!skill) return refuse(request, "Skill not found", params.uri);
  answer(request, [Buffer.from('{"skill":'), skill.entry, Buffer.from(`${cachedTail(request, context)}}`)]);
};

/** The direct children of a folder of a skill. The number of files of a skill is limited, so there is one page. */
export const directoryRead: Method = (request, context) => {
  const { params } = request.call;
  if (params?.uri === undefined) return refuse(request, "params.uri must be a string");
  if (params.cursor !== undefined) return refuse(request, "Invalid cursor");
  const named = parseSkillUri(params.uri);
  const { principal, scope } = request;
  const skill = named && resolve(context.holder.current(), principal, scope).skill(named.slug);
  const children = skill && childrenOf(skill, named.path);
  if (!children) return refuse(request, "Directory not found", params.uri);
  answer(request, [Buffer.from(`{"resources":${JSON.stringify(children)}${tail(request, context)}}`)]);
};

/** Undefined if the skill has no such folder. */
function childrenOf({ slug, files }: SkillEntry, folder: string): object[] | undefined {
  const prefix = folder === "" ? "" : `${folder}/`;
  const children = new Map<string, object>();
  for (const [path, { mimeType, size }] of files) {
    if (!path.startsWith(prefix)) continue;
    const [name = "", ...rest] = path.slice(prefix.length).split("/");
    const uri = skillUri(slug, prefix + name);
    children.set(name, rest.length > 0 ? { uri, name, mimeType: DIRECTORY } : { uri, name, mimeType, size });
  }
  return children.size > 0 ? [...children.values()] : undefined;
}

/** The extension requires these members, also from callers of the legacy era, which ignore them. */
function tail({ era }: McpRequest, { serverInfo }: GatewayContext, more = ""): string {
  const info = era === "modern" ? `,"_meta":{${JSON.stringify(META_SERVER_INFO)}:${JSON.stringify(serverInfo)}}` : "";
  return `,"resultType":"complete"${more}${info}`;
}

function cachedTail(request: McpRequest, context: GatewayContext): string {
  return tail(request, context, `,"ttlMs":${TTL_MS},"cacheScope":"private"`);
}

function answer({ exchange, call }: McpRequest, result: readonly Buffer[]): void {
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${call.rawId},"result":`);
  exchange.answer(200, JSON_HEADERS, [head, ...result, Buffer.from("}")]);
}

function refuse({ exchange, call }: McpRequest, message: string, uri?: string): void {
  const data = uri === undefined ? undefined : { uri: uri.slice(0, MAX_LOGGED_NAME) };
  exchange.answer(200, JSON_HEADERS, [errorBody(call.rawId, INVALID_PARAMS, message, data)]);
}
