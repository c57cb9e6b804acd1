/** The words of arguments, so that a command in a script, in JSON, or in encoded PowerShell is found. */
import { programName } from "./program-name.ts";
import { decodeScript } from "./secrets/encoded-script.ts";

const BETWEEN_WORDS = /[\s"'`;|&()<>{}$[\]\\]+/;
const JSON_KEY = /"(?:[^"\\]|\\.)*":/g;
const POWERSHELL = new Set(["powershell", "pwsh"]);

export function wordsOf(args: readonly string[], programs: readonly string[]): string[] {
  const words = args.flatMap((arg) => withoutKeys(arg).split(BETWEEN_WORDS)).filter((word) => /\w/.test(word));
  const runsPowerShell = [...programs, ...words.map(programName)].some((name) => POWERSHELL.has(name));
  return runsPowerShell ? words.flatMap((word, at) => [word, ...wordsEncodedIn(word, words[at - 1])]) : words;
}

/** Of JSON only the values: `{"command": "npx", "args": ["server"]}` starts `npx server`. */
function withoutKeys(arg: string): string {
  if (!/^\s*[{[]/.test(arg)) return arg;
  try {
    return JSON.stringify(JSON.parse(arg)).replace(JSON_KEY, " ");
  } catch {
    return arg;
  }
}

function wordsEncodedIn(word: string, before = ""): string[] {
  const script = decodeScript(word, before);
  return script === undefined ? [] : wordsOf([script], ["powershell"]);
}
