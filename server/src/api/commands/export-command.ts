import { download } from "#api/kit/operation";
import { choiceParameter, pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { type CommandForm, exportClaude, exportCursor, exportGemini, findCommand, formOf } from "#records/commands";

const MARKDOWN = "text/markdown";
const TOML = "application/toml";

interface Format {
  readonly type: string;
  readonly extension: string;
  readonly write: (command: CommandForm) => string;
}

const FORMATS = {
  claude: { type: MARKDOWN, extension: "md", write: exportClaude },
  cursor: { type: MARKDOWN, extension: "md", write: exportCursor },
  gemini: { type: TOML, extension: "toml", write: exportGemini },
} as const satisfies Record<string, Format>;

/** Families 4. */
export const exportCommand = download({
  id: "exportCommand",
  route: "GET /api/commands/{slug}/export",
  tag: "Commands",
  summary: "Export a command",
  description:
    "As a file for an MCP client. Files for Claude Code and Gemini CLI can be imported again without loss. Cursor has no arguments, and Gemini CLI has one.",
  scope: "admin:read",
  path: { slug: pathParameter("The command's slug", "release-notes") },
  query: { format: choiceParameter("The client. Default: claude", ["claude", "cursor", "gemini"]) },
  media: { [MARKDOWN]: "For Claude Code and Cursor", [TOML]: "For Gemini CLI" },
  refusals: [400, 404],
  onCrash: "Failed to export command",
  async run({ db, path, query }) {
    const row = await findCommand(db, path.slug);
    if (!row) throw notFound.command();
    const { type, extension, write } = FORMATS[query.format ?? "claude"];
    return { type, fileName: `${row.slug}.${extension}`, pieces: onePiece(write(formOf(row))) };
  },
});

async function* onePiece(text: string) {
  yield text;
}
