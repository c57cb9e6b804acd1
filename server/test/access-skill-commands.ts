/** The changes that an admin can make to skills, each applied through the API and to the model (AZ-2, F7). */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { AccessModel } from "./access-model.ts";
import type { AccessSetup } from "./access-setup.ts";
import { SKILLS, skillSlug } from "./access-skills.ts";

class SkillChange implements fc.AsyncCommand<AccessModel, AccessSetup> {
  readonly #text: string;
  readonly #act: (model: AccessModel, context: AccessSetup) => Promise<void>;

  constructor(text: string, act: (model: AccessModel, context: AccessSetup) => Promise<void>) {
    this.#text = text;
    this.#act = act;
  }

  check(): boolean {
    return true;
  }

  async run(model: AccessModel, context: AccessSetup): Promise<void> {
    await this.#act(model, context);
    await context.compareSome(model);
  }

  toString(): string {
    return this.#text;
  }
}

const putSkill = (at: number, active: boolean, places: readonly number[]) =>
  new SkillChange(`skill ${at} active: ${active} in ${places}`, async (model, context) => {
    const slug = skillSlug(at);
    const groups = places.flatMap((place) => model.groups[place] ?? []);
    const body = { status: active ? "active" : "draft", groups: groups.map(({ name }) => name) };
    const created = { name: slug, description: slug, content: slug, ...body };
    if (model.skills[at]) await context.write("PATCH", `/api/skills?slug=${slug}`, body);
    else await context.write("POST", "/api/skills", created);
    model.skills[at] = { slug, active, groups: new Set(groups) };
  });

const deleteSkill = (at: number) =>
  new SkillChange(`deletion of skill ${at}`, async (model, context) => {
    if (!model.skills[at]) return;
    await context.write("DELETE", `/api/skills?slug=${skillSlug(at)}`);
    model.skills[at] = undefined;
  });

const linkSkill = (at: number, place: number, isLinked: boolean) =>
  new SkillChange(`skill ${at} in group ${place}: ${isLinked}`, async (model, context) => {
    const [skill, group] = [model.skills[at], model.groups[place]];
    if (!skill || !group) return;
    const path = `/api/groups/${encodeURIComponent(group.name)}/skills`;
    if (isLinked) await context.write("POST", path, { slugs: [skill.slug] });
    else await context.write("DELETE", `${path}?slug=${skill.slug}`);
    if (isLinked) skill.groups.add(group);
    else skill.groups.delete(group);
  });

/** A user's own toolkit can name only skills that the user can use; others do not exist for the user. */
const bundleSkills = (kit: number, places: readonly number[]) =>
  new SkillChange(`toolkit ${kit} has the skills ${places}`, async (model, context) => {
    const toolkit = model.toolkits[kit];
    if (!toolkit) return;
    const slugs = places.map(skillSlug).filter((slug) => model.skills.some((skill) => skill?.slug === slug));
    const answer = await context.request("PATCH", `/api/toolkits?slug=${toolkit.slug}`, { skills: slugs });
    if (answer.status === 200) toolkit.skills = new Set(slugs);
    else assert.match(answer.text, /Skills not found/);
  });

/** The number of groups and toolkits. */
export function skillChanges(slots: number, toolkits: number) {
  const at = fc.nat({ max: SKILLS - 1 });
  const place = fc.nat({ max: slots - 1 });
  const put = fc.tuple(at, fc.constantFrom(true, true, false), fc.uniqueArray(place)).map((made) => putSkill(...made));
  return [
    put,
    put,
    at.map(deleteSkill),
    fc.tuple(at, place, fc.boolean()).map((made) => linkSkill(...made)),
    fc.tuple(fc.nat({ max: toolkits - 1 }), fc.uniqueArray(at)).map((made) => bundleSkills(...made)),
  ];
}
