import { REDACTED, redactArgs, redactText } from "#policy/redact";
import { normalizeUrl } from "#policy/urls";

/** Fields whose values are shown. Others can be variables or headers. */
const SHOWN = new Set(["command", "cmd", "type", "transport", "name", "disabled", "enabled"]);
const URLS = new Set(["url", "serverUrl", "httpUrl", "uri", "endpoint"]);
const PAIR = /^(\s*"?([\w.$-]+)"?\s*[:=]\s*)"((?:[^"\\]|\\.)*)"(.*)$/;

/** A line of a configuration file without secrets, for the preview of a change. */
export function maskLine(line: string): string {
  const [, start = "", key = "", value = "", end = ""] = PAIR.exec(line) ?? [];
  if (start !== "") {
    const shown = URLS.has(key) ? normalizeUrl(value) : SHOWN.has(key) ? redactText(value) : REDACTED;
    return `${start}"${shown}"${/^[\s,}\]]*$/.test(end) ? end : " …"}`;
  }
  return line.replace(
    /"((?:[^"\\]|\\.)*)"(?!\s*[:=])/g,
    (_match, value: string) => `"${redactArgs([value]).args[0] ?? REDACTED}"`,
  );
}
