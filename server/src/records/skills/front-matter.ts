import { type Document, isScalar, parseDocument, type Scalar, stringify, visit } from "yaml";
import type { Findings } from "./findings.ts";
import { MAX_FRONT_MATTER_BYTES, SKILL_MD } from "./limits.ts";

export interface ParsedSkillMd {
  /** As its author wrote it, in the order of the file. */
  readonly frontMatter: Record<string, unknown>;
  /** The text of scalars below `metadata`, which are text although YAML reads some as numbers. */
  readonly metadataTexts: ReadonlyMap<string, string>;
  /** The Markdown below the front matter. */
  readonly content: string;
}

const FENCED = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

/** Undefined if there is no front matter that can be read; the findings then contain the reason. */
export function parseSkillMd(text: string, findings: Findings): ParsedSkillMd | undefined {
  const match = text.startsWith("---") ? FENCED.exec(text) : null;
  if (match?.index !== 0) {
    findings.error(SKILL_MD, "must start with front matter between two lines of ---");
    return undefined;
  }
  const [fenced, yaml = ""] = match;
  if (Buffer.byteLength(yaml) > MAX_FRONT_MATTER_BYTES) {
    findings.error(SKILL_MD, `front matter must be at most ${MAX_FRONT_MATTER_BYTES / 1024} KiB`);
    return undefined;
  }
  const parsed = parseYaml(yaml);
  if (typeof parsed === "string") {
    findings.error(SKILL_MD, parsed);
    return undefined;
  }
  return { ...parsed, content: text.slice(fenced.length) };
}

/** The fields of front matter, or what is wrong with it. */
export function parseFrontMatter(yaml: string): Record<string, unknown> | string {
  const parsed = parseYaml(yaml);
  return typeof parsed === "string" ? parsed : parsed.frontMatter;
}

/** Returns what is wrong instead if the text cannot be accepted. */
function parseYaml(yaml: string): Pick<ParsedSkillMd, "frontMatter" | "metadataTexts"> | string {
  const document = parseDocument(yaml, { schema: "core", version: "1.2", merge: false, uniqueKeys: true });
  const [fault] = document.errors;
  if (fault) return `front matter is not valid YAML: ${fault.message.split("\n")[0]?.replace(/:$/, "") ?? ""}`;
  const refused = refusedSyntax(document);
  if (refused !== undefined) return refused;
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "front matter must consist of fields and values";
  }
  // The check above leaves objects only.
  return { frontMatter: value as Record<string, unknown>, metadataTexts: metadataTextsOf(document) };
}

/** Aliases can make a small text large, and tags can mean anything to other readers. */
function refusedSyntax(document: Document): string | undefined {
  let refused: string | undefined;
  visit(document, {
    Alias: () => {
      refused = "front matter must not contain aliases";
      return visit.BREAK;
    },
    Node: (_key, node) => {
      if ("anchor" in node && node.anchor !== undefined) refused = "front matter must not contain anchors";
      else if (node.tag !== undefined) refused = "front matter must not contain tags";
      return refused === undefined ? undefined : visit.BREAK;
    },
    Pair: (_key, { key }) => {
      if (isScalar(key) && typeof key.value === "string") return undefined;
      refused = "names of fields in front matter must be text";
      return visit.BREAK;
    },
  });
  return refused;
}

function metadataTextsOf(document: Document): Map<string, string> {
  const texts = new Map<string, string>();
  const metadata = document.get("metadata", true);
  visit(metadata as never, {
    Pair: (_at, { key, value }) => {
      if (isScalar(key) && isScalar(value)) texts.set(String(key.value), scalarText(value));
      return visit.SKIP;
    },
  });
  return texts;
}

function scalarText({ source, value }: Scalar): string {
  return typeof value === "string" ? value : (source ?? "");
}

/** Fields in the order of the specification, then those that it does not define. LF and UTF-8. */
export function renderSkillMd(frontMatter: Readonly<Record<string, unknown>>, content: string): string {
  const yaml = stringify(frontMatter, { schema: "core", version: "1.2", lineWidth: 0, aliasDuplicateObjects: false });
  const separated = content.startsWith("\n") || content.startsWith("\r\n") ? content : `\n${content}`;
  return `---\n${yaml}---\n${separated.endsWith("\n") ? separated : `${separated}\n`}`;
}
