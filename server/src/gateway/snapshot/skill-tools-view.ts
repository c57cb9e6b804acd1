import { SKILL_TOOLS } from "./skill-tools.ts";
import { View } from "./view.ts";

/** The view with the two tools. */
export function withSkillTools(view: View): View {
  if (view === View.EMPTY) return view;
  const sources = [...view.sources, SKILL_TOOLS].sort((a, b) => (a.key < b.key ? -1 : 1));
  return new View(sources, {
    resources: (source, kind) => (source === SKILL_TOOLS ? SKILL_TOOLS[kind] : view.listing(source, kind)),
    named: (source, kind) => (source === SKILL_TOOLS ? SKILL_TOOLS[kind] : view.named(source, kind)),
  });
}
