import { type CommandEntry, completionEntries, type ServerCommands, type VerbEntry } from "./completion-entries.ts";

const GLOBAL_OPTIONS = ["--help", "--version"];

const SCRIPTS: Readonly<Record<string, (entries: readonly CommandEntry[]) => string>> = { bash, zsh, fish };

/** The completion script for a shell; undefined for an unknown shell. */
export async function completionScript(shell: string, server: ServerCommands): Promise<string | undefined> {
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  return script?.(await completionEntries(server));
}

function bash(entries: readonly CommandEntry[]): string {
  return `# Completion of gatehouse for bash. Load it with: source <(gatehouse completion bash)
_gatehouse() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" first="\${COMP_WORDS[1]}" second="\${COMP_WORDS[2]}" position="$COMP_CWORD" candidates=""
${selection(entries)}
  COMPREPLY=($(compgen -W "$candidates" -- "$cur"))
}
complete -o default -F _gatehouse gatehouse
`;
}

function zsh(entries: readonly CommandEntry[]): string {
  return `#compdef gatehouse
# Completion of gatehouse for zsh. Load it with: source <(gatehouse completion zsh)
_gatehouse() {
  local cur="\${words[CURRENT]}" first="\${words[2]}" second="\${words[3]}" position="$((CURRENT - 1))" candidates=""
${selection(entries)}
  if [ -n "$candidates" ]; then
    compadd -- \${=candidates}
  else
    _files
  fi
}
if [ "\${funcstack[1]}" = "_gatehouse" ]; then
  _gatehouse "$@"
else
  compdef _gatehouse gatehouse
fi
`;
}

/** Shell code for bash and zsh that sets `candidates`. Without candidates, shells complete file names. */
function selection(entries: readonly CommandEntry[]): string {
  const cases = entries.flatMap((entry) => {
    const verbs = entry.verbs.map((verb) => `"${entry.name} ${verb.name}") candidates="${optionNames(verb)}" ;;`);
    return [...verbs, `"${entry.name} "*) candidates="${optionNames(entry)}" ;;`];
  });
  const plurals = entries.flatMap(({ name, spellings }) =>
    spellings.filter((spelling) => spelling !== name).map((spelling) => `${spelling}) first="${name}" ;;`),
  );
  const verbs = entries
    .filter((entry) => entry.verbs.length > 0)
    .map((entry) => `${entry.name}) candidates="${names(entry.verbs)}" ;;`);
  return `  case "$first" in
${indented(plurals)}
  esac
  if [ "$position" -eq 1 ]; then
    candidates="${[names(entries), ...GLOBAL_OPTIONS].join(" ")}"
  elif [ "\${cur#-}" != "$cur" ]; then
    case "$first $second" in
${indented(cases, "      ")}
    esac
  elif [ "$position" -eq 2 ]; then
    case "$first" in
${indented(verbs, "      ")}
    esac
  fi`;
}

function fish(entries: readonly CommandEntry[]): string {
  const lines = entries.flatMap((entry) => {
    const first = entry.spellings.join("|");
    return [
      completeWord("__gatehouse_at 1", entry),
      ...entry.verbs.map((verb) => completeWord(`__gatehouse_at 2 ${quoted(first)}`, verb)),
      ...completeOptions(`__gatehouse_in ${quoted(first)}${withoutVerb(entry)}`, entry),
      ...entry.verbs.flatMap((verb) => completeOptions(`__gatehouse_in ${quoted(first)} ${verb.name}`, verb)),
    ];
  });
  return `# Completion of gatehouse for fish. Load it with: gatehouse completion fish | source
# Whether the words after gatehouse start with these; alternatives are separated by |.
function __gatehouse_in
  set -l typed (commandline -opc)
  set -e typed[1]
  for i in (seq (count $argv))
    contains -- "$typed[$i]" (string split "|" -- $argv[$i]); or return 1
  end
  return 0
end
# The same, with the cursor at this position.
function __gatehouse_at
  test (count (commandline -opc)) -eq $argv[1]; or return 1
  __gatehouse_in $argv[2..-1]
end
${lines.join("\n")}
`;
}

function withoutVerb({ spellings, verbs }: CommandEntry): string {
  if (verbs.length === 0) return "";
  const any = verbs.map(({ name }) => name).join("|");
  return `; and not __gatehouse_in ${quoted(spellings.join("|"))} ${quoted(any)}`;
}

function completeWord(condition: string, { name, description }: VerbEntry): string {
  return `complete -c gatehouse -n ${quoted(condition)} -f -a ${name}${described(description)}`;
}

function completeOptions(condition: string, { options }: VerbEntry): string[] {
  return options.map(({ name, description, takesValue, choices }) => {
    const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(" "))}` : takesValue ? " -r" : "";
    return `complete -c gatehouse -n ${quoted(condition)} -l ${name.slice(2)}${value}${described(description)}`;
  });
}

function described(description: string): string {
  return description === "" ? "" : ` -d ${quoted(description)}`;
}

/** In single quotes, where fish treats only the backslash and the quote as special. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

function names(entries: readonly VerbEntry[]): string {
  return entries.map(({ name }) => name).join(" ");
}

function optionNames({ options }: VerbEntry): string {
  return options.map(({ name }) => name).join(" ");
}

function indented(lines: readonly string[], indent = "    "): string {
  return lines.map((line) => `${indent}${line}`).join("\n");
}
