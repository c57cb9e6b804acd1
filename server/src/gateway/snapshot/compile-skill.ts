import { mediaTypeOf } from "#lib/media-type";
import { SKILL_MD, skillUri } from "#lib/skill-uri";
import type { SkillEntry, SkillFileEntry } from "./skills.ts";

/** An active skill as it is stored. */
export interface SkillContent {
  readonly id: string;
  readonly slug: string;
  readonly description: string;
  readonly version: number;
  readonly front_matter: Readonly<Record<string, unknown>>;
  readonly digest: string;
  readonly files: readonly {
    readonly path: string;
    readonly digest: string;
    readonly size: number;
    readonly executable: boolean;
    readonly is_text: boolean;
  }[];
  readonly groupIds: readonly string[];
}

/** Types besides `text/*` that are sent as text. */
const TEXT_TYPES = /^text\/|^application\/(?:json|yaml|toml|xml|x-sh)$|^image\/svg\+xml$/;
const META_VERSION = "io.gatehouse/version";
const META_DIGEST = "io.gatehouse/digest";

export function compileSkill(row: SkillContent, shareGroupId: (id: string) => string = (id) => id): SkillEntry {
  const { id, slug, description, version, digest } = row;
  const files = row.files.toSorted(byPath).map((file): [string, SkillFileEntry] => {
    const mimeType = mediaTypeOf(file.path, file.is_text);
    const isText = file.is_text && TEXT_TYPES.test(mimeType);
    return [
      file.path,
      { path: file.path, digest: file.digest, size: file.size, executable: file.executable, mimeType, isText },
    ];
  });
  const entry = {
    uri: skillUri(slug, SKILL_MD),
    frontmatter: row.front_matter,
    resources: files.map(([path, file]) => {
      return { uri: skillUri(slug, path), digest: `sha256:${file.digest}`, size: file.size };
    }),
  };
  return {
    ...{ id, slug, description, version, digest },
    groupIds: new Set(row.groupIds.map(shareGroupId)),
    files: new Map(files),
    entry: ownBuffer(JSON.stringify(entry)),
    resource: JSON.stringify({
      ...{ name: slug, description, mimeType: "text/markdown", size: new Map(files).get(SKILL_MD)?.size },
      _meta: { [META_VERSION]: version, [META_DIGEST]: digest },
    }),
  };
}

/** Not from Node's pool: a small slice would keep 64 KiB of short-lived neighbors in memory. */
function ownBuffer(text: string): Buffer {
  const buffer = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  buffer.write(text);
  return buffer;
}

/** SKILL.md comes first. */
function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  if (a.path === SKILL_MD || b.path === SKILL_MD) return a.path === SKILL_MD ? -1 : 1;
  return a.path < b.path ? -1 : 1;
}
