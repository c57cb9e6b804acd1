/** The width of a terminal that nobody has changed. */
export const HELP_COLUMNS = 80;

const INDENT = "  ";
const LONGEST_NAME = 26;

/** Breaks text at spaces into lines of at most `columns` characters. */
export function wrapText(text: string, columns: number = HELP_COLUMNS): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Names and their descriptions in two columns. The description of a long name starts on the next line. */
export function twoColumns(rows: readonly (readonly [name: string, description: string])[]): string[] {
  const fitting = rows.map(([name]) => name.length).filter((length) => length <= LONGEST_NAME);
  const width = Math.max(0, ...fitting);
  const left = INDENT.length * 2 + width;
  return rows.flatMap(([name, description]) => {
    const lines = wrapText(description, HELP_COLUMNS - left).map((line) => " ".repeat(left) + line);
    if (name.length > width) return [`${INDENT}${name}`, ...lines];
    const [first = "", ...rest] = lines;
    return [`${INDENT}${name.padEnd(width)}${first.slice(INDENT.length + width)}`, ...rest];
  });
}

/** A command line that continues behind a backslash where it is too long. Quoted words stay together. */
export function wrapCommand(command: string): string[] {
  const words = command.match(/(?:"[^"]*"|\S)+/g) ?? [];
  const text = words.map((word) => word.replaceAll(" ", "\0")).join(" ");
  const lines = wrapText(text, HELP_COLUMNS - INDENT.length * 2 - " \\".length);
  return lines.map((line, i) => {
    const indent = i === 0 ? INDENT : INDENT.repeat(2);
    return `${indent}${line.replaceAll("\0", " ")}${i === lines.length - 1 ? "" : " \\"}`;
  });
}
