/** Short options that hold a password for certain programs, and something else for others. */
import { programName } from "../program-name.ts";

interface PasswordOption {
  readonly option: string;
  /** Whether the value can be the next argument, or is a part of the same one. */
  readonly takesNext: boolean;
}

const OF_MYSQL: PasswordOption = { option: "-p", takesNext: false };
const OPTIONS: ReadonlyMap<string, PasswordOption> = new Map([
  ["sshpass", { option: "-p", takesNext: true }],
  ["redis-cli", { option: "-a", takesNext: true }],
  // Of docker, podman and others.
  ["login", { option: "-p", takesNext: true }],
  ["mysql", OF_MYSQL],
  ["mysqldump", OF_MYSQL],
  ["mysqladmin", OF_MYSQL],
  ["mariadb", OF_MYSQL],
]);

/**
 * Reads the words of a command line in order. Returns a word without its password, or undefined if none is known. `before` is
 * the beginning of the line.
 */
export function passwordOptions(redact: (value: string) => string, before = "") {
  let known: PasswordOption | undefined;
  let isNext = false;
  const read = (word: string): string | undefined => {
    const { option = "", takesNext = false } = known ?? {};
    const isValue = isNext;
    known = OPTIONS.get(programName(word)) ?? known;
    isNext = takesNext && word === option;
    if (isValue) return redact(word);
    const isJoined = option !== "" && word.length > option.length && word.startsWith(option);
    return isJoined ? option + redact(word.slice(option.length)) : undefined;
  };
  for (const word of before.trim().split(/\s+/)) read(word);
  return read;
}
