import { SKILL_MD, SKILL_SCHEME, skillUri } from "#lib/skill-uri";
import { parseTemplate } from "#lib/uri-template";
import { buildListing, EMPTY_LISTING, type Listing } from "./listing.ts";
import type { OwnSource, ResourceItem, TemplateItem } from "./shape.ts";
import type { SkillEntry } from "./skills.ts";

/** Selects the answer in `gateway/own`. */
export const SKILLS_CONTENT = "skills";

const TEMPLATE = `${SKILL_SCHEME}{skill}/{+path}`;

function templateListing(): Listing<TemplateItem> {
  const parts = parseTemplate(TEMPLATE);
  if (!parts) throw new Error("The template of skills is invalid");
  const definition = JSON.stringify({ name: "Skill file", description: "A file of a skill, by its relative path" });
  return buildListing(
    "resourceTemplates",
    [{ identifier: TEMPLATE, definition, fields: { uri: TEMPLATE, parts } }],
    keyOf,
  );
}

const TEMPLATES = templateListing();
const BYTES_PER_ITEM = 200;

/** The skills that one caller can use, as a source of lists. Its listing is built when it is first used. */
export class SkillSource implements OwnSource {
  readonly kind = "own";
  readonly content = SKILLS_CONTENT;
  /** Before the slugs of all servers, so that no server can take a URI of a skill. */
  readonly key = "+skills";
  readonly active = true;
  readonly groupIds: ReadonlySet<string> = new Set();
  readonly warnings = "";
  readonly tools = EMPTY_LISTING;
  readonly prompts = EMPTY_LISTING;
  readonly resourceTemplates = TEMPLATES;
  /** By slug. */
  readonly skills: readonly SkillEntry[];
  #resources: Listing<ResourceItem> | undefined;

  constructor(skills: readonly SkillEntry[]) {
    this.skills = skills;
  }

  get resources(): Listing<ResourceItem> {
    this.#resources ??= buildListing(
      "resources",
      this.skills.map(({ slug, resource }) => {
        const uri = skillUri(slug, SKILL_MD);
        return { identifier: uri, definition: resource, fields: { uri } };
      }),
      keyOf,
    );
    return this.#resources;
  }

  /** The size of its listing, whether it is built or not. */
  get bytes(): number {
    return this.skills.reduce((sum, { resource }) => sum + resource.length + BYTES_PER_ITEM, 0);
  }
}

/** For decisions, which need no lists. */
export const SKILLS = new SkillSource([]);

function keyOf({ uri }: { readonly uri: string }): readonly string[] {
  return [uri];
}
