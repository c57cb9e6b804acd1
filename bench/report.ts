import { writeFileSync } from "node:fs";

/** One line of the table: the measurement, the result, and the budget. */
export interface Line {
  readonly what: string;
  readonly seen: string;
  readonly budget?: string;
  /** Undefined: for information. */
  readonly met?: boolean;
}

export class Report {
  readonly lines: Line[] = [];

  add(line: Line): void {
    this.lines.push(line);
    process.stdout.write(`${text(line)}\n`);
  }

  /** Replaces the table in the README between two markers. */
  table(): string {
    const rows = this.lines.map(
      ({ what, seen, budget = "", met }) => `| ${what} | ${seen} | ${budget} | ${verdict(met)} |`,
    );
    return ["| What | Seen | Budget | |", "|---|---|---|---|", ...rows].join("\n");
  }

  missed(): Line[] {
    return this.lines.filter((line) => line.met === false);
  }
}

function text({ what, seen, budget, met }: Line): string {
  return `${what.padEnd(66)} ${seen.padEnd(40)} ${budget === undefined ? "" : `budget ${budget}`} ${verdict(met)}`;
}

function verdict(met: boolean | undefined): string {
  return met === undefined ? "" : met ? "met" : "MISSED";
}

export function writeTable(readme: string, text: string, table: string): void {
  const updated = text.replace(/<!-- table -->[\s\S]*<!-- \/table -->/, `<!-- table -->\n${table}\n<!-- /table -->`);
  writeFileSync(readme, updated);
}
