/** The default width of a terminal. */
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

const GAP = 2;
const NARROWEST_COLUMN = 8;

/** Narrows the widest columns of a table until it fits the terminal. `least` are the minimum widths. */
export function fitWidths(widths: readonly number[], least: readonly number[], columns = HELP_COLUMNS): number[] {
  const fitted = [...widths];
  let excess = fitted.reduce((sum, width) => sum + width + GAP, -GAP) - columns;
  while (excess > 0) {
    const room = fitted.map((width, i) => width - Math.max(NARROWEST_COLUMN, least[i] ?? 0));
    const widest = Math.max(...fitted.filter((_, i) => (room[i] ?? 0) > 0));
    const index = fitted.findLastIndex((width, i) => width === widest && (room[i] ?? 0) > 0);
    if (index < 0) break;
    fitted[index] = widest - 1;
    excess -= 1;
  }
  return fitted;
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

/** Breaks a long command line with backslashes. Quoted words stay together. */
export function wrapCommand(command: string): string[] {
  const words = command.match(/(?:"[^"]*"|\S)+/g) ?? [];
  const text = words.map((word) => word.replaceAll(" ", "\0")).join(" ");
  const lines = wrapText(text, HELP_COLUMNS - INDENT.length * 2 - " \\".length);
  return lines.map((line, i) => {
    const indent = i === 0 ? INDENT : INDENT.repeat(2);
    return `${indent}${line.replaceAll("\0", " ")}${i === lines.length - 1 ? "" : " \\"}`;
  });
}
