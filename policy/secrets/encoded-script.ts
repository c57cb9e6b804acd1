/** The script after PowerShell's option `-EncodedCommand`: Base64 of UTF-16. */
import { matchesOption } from "../powershell-option.ts";

/** What scripts consist of. Random bytes have other characters. */
const SCRIPT = /^[\t\n\r -~\u00a0-\u024f\u2010-\u203a]+$/;

/** Whether the argument after this option can be a script. */
export function canBeEncoded(arg: string, before: string): boolean {
  return matchesOption(before, ["encodedcommand", "ec"]) && /^[A-Za-z0-9+/]{8,}={0,2}$/.test(arg);
}

/** The script in an argument. Undefined if there is none. */
export function decodeScript(arg: string, before: string): string | undefined {
  if (!canBeEncoded(arg, before)) return undefined;
  const script = Buffer.from(arg, "base64").toString("utf16le");
  return SCRIPT.test(script) && /\s/.test(script) ? script : undefined;
}

export function encodeScript(script: string): string {
  return Buffer.from(script, "utf16le").toString("base64");
}
