import { type ConfigObject, dataOf, pick, recordKind, withoutNulls } from "../kind.ts";

export const skills = recordKind({
  name: "skills",
  key: "slug",
  fields: [
    ...["slug", "name", "description", "license", "compatibility", "metadata", "allowed_tools", "content", "files"],
    ...["status", "groups"],
  ],
  sets: ["groups"],
  operations: {
    list: "listSkills",
    get: "getSkill",
    create: "createSkill",
    update: "updateSkill",
    remove: "deleteSkill",
  },
  async present({ slug, files }, { invoke }) {
    const complete: ConfigObject[] = [];
    for (const { path } of (Array.isArray(files) ? files : []) as ConfigObject[]) {
      if (path === "SKILL.md") continue;
      const request = { path: { slug: String(slug) }, query: { path: String(path) } };
      const file = dataOf(await invoke("getSkillFile", request));
      complete.push(withoutNulls(pick(file, ["path", "content", "content_base64", "executable"])));
    }
    return { files: complete };
  },
  normalize: (object) =>
    Array.isArray(object.files)
      ? { ...object, files: object.files.toSorted((a, b) => (String(a.path) < String(b.path) ? -1 : 1)) }
      : object,
  bodyOf: ({ slug: _slug, ...rest }) => rest,
});
