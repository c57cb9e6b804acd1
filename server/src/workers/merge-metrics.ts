/** One family: its `# HELP` and `# TYPE` lines, and the samples of all workers. */
interface Family {
  readonly head: string[];
  readonly samples: string[];
}

/** Joins the metrics of all workers: each family once, and each sample with the number of its worker as a label. */
export function mergeMetrics(texts: readonly (readonly [worker: number, text: string])[]): string {
  const families = new Map<string, Family>();
  for (const [worker, text] of texts) {
    let family: Family | undefined;
    for (const line of text.split("\n")) {
      if (line.startsWith("# ")) {
        const name = line.split(" ")[2] ?? "";
        const known: Family = families.get(name) ?? { head: [], samples: [] };
        families.set(name, known);
        if (!known.head.includes(line)) known.head.push(line);
        family = known;
      } else if (line !== "") family?.samples.push(labeled(line, worker));
    }
  }
  return [...families.values()]
    .flatMap(({ head, samples }) => [...head, ...samples, ""])
    .join("\n")
    .replaceAll("\n\n", "\n");
}

/** A metric's name contains neither braces nor spaces. */
function labeled(sample: string, worker: number): string {
  const label = `worker="${worker}"`;
  const [, name = "", rest = ""] = /^([^{ ]+)(.*)$/s.exec(sample) ?? [];
  return rest.startsWith("{") ? `${name}{${label},${rest.slice(1)}` : `${name}{${label}}${rest}`;
}
