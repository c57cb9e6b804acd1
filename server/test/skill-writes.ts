/** Every write of skills once, in an order in which each can succeed: its name, request, and sides in the audit log. */
export const SKILL_WRITES: readonly [string, string, string, object | undefined, string][] = [
  ["createSkill", "POST", "/api/skills", { name: "notes", description: "Notes", content: "# Notes" }, "after"],
  ["updateSkill", "PATCH", "/api/skills?slug=notes", { content: "# Changed" }, "both"],
  ["rollbackSkill", "POST", "/api/skills/notes/rollback", { version: 1 }, "both"],
  ["importSkill", "POST", "/api/skills/import", { skill_md: "---\nname: x\ndescription: X\n---\nX\n" }, "after"],
  ["addSkillsToGroup", "POST", "/api/groups/changed/skills", { slugs: ["notes"] }, "after"],
  ["removeSkillFromGroup", "DELETE", "/api/groups/changed/skills?slug=notes", undefined, "before"],
  ["deleteSkill", "DELETE", "/api/skills?slug=notes", undefined, "before"],
];
