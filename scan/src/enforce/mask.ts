import { REDACTED, redactText } from "#policy/redact";
import { normalizeUrl } from "#policy/urls";

const STRING = /"((?:[^"\\]|\\.)*)"|'([^']*)'/g;
/** Of TOML. A list of JSON has commas between its strings. */
const TABLE_HEADER = /^\s*\[{1,2}[\w-]+(?:\.(?:[\w-]+|"[^"]*"|'[^']*'))*\]{1,2}\s*$/;
const HARMLESS = new Set(["stdio", "http", "sse", "streamable-http", "streamableHttp", "local", "remote"]);

/** A line of a configuration file for the preview of a change: only strings that the report contains are shown. */
export function maskLine(line: string, reported: ReadonlySet<string>): string {
  const isHeader = TABLE_HEADER.test(line);
  let output = "";
  let from = 0;
  for (const match of line.matchAll(STRING)) {
    const end = match.index + match[0].length;
    const isKey = isHeader || /^\s*[:=]/.test(line.slice(end));
    const text = match[1] ?? match[2] ?? "";
    output += redactText(line.slice(from, match.index)) + (isKey ? match[0] : `"${maskValue(text, reported)}"`);
    from = end;
  }
  return output + redactText(line.slice(from));
}

function maskValue(text: string, reported: ReadonlySet<string>): string {
  if (text === "" || reported.has(text) || HARMLESS.has(text)) return text;
  const url = /^https?:\/\//i.test(text) ? normalizeUrl(text) : "";
  return url !== "" && reported.has(url) ? url : REDACTED;
}
