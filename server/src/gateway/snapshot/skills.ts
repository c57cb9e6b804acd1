/** Skills as the gateway uses them. They contain no content of files: the gateway reads it by digest. */

/** An active skill. */
export interface SkillEntry {
  readonly id: string;
  readonly slug: string;
  readonly description: string;
  readonly version: number;
  /** Of all files: `sha256:` and hexadecimal. */
  readonly digest: string;
  /** May contain ids of deleted groups. */
  readonly groupIds: ReadonlySet<string>;
  /** By path, SKILL.md first. */
  readonly files: ReadonlyMap<string, SkillFileEntry>;
  /** JSON text of its entry in `skills/list`. */
  readonly entry: Buffer;
  /** JSON text of its resource in `resources/list`, without the URI. */
  readonly resource: string;
}

export interface SkillFileEntry {
  readonly path: string;
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
  readonly size: number;
  readonly executable: boolean;
  readonly mimeType: string;
  /** Whether it is sent as text. */
  readonly isText: boolean;
}

/** Replaced entirely, because skills change rarely. */
export interface Skills {
  readonly byId: ReadonlyMap<string, SkillEntry>;
  readonly bySlug: ReadonlyMap<string, SkillEntry>;
  /** By slug. */
  readonly sorted: readonly SkillEntry[];
}

export const NO_SKILLS: Skills = { byId: new Map(), bySlug: new Map(), sorted: [] };

/** Undefined removes a skill. */
export function nextSkills({ byId: before }: Skills, changes: ReadonlyMap<string, SkillEntry | undefined>): Skills {
  const byId = new Map(before);
  for (const [id, entry] of changes) {
    if (entry) byId.set(id, entry);
    else byId.delete(id);
  }
  const sorted = [...byId.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
  return { byId, bySlug: new Map(sorted.map((skill) => [skill.slug, skill])), sorted };
}
