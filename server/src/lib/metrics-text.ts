import { BOUNDS, type DurationHistogram } from "./duration-histogram.ts";

type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: number];

/** Metrics in the Prometheus text format 0.0.4. */
export class MetricsText {
  static readonly contentType = "text/plain; version=0.0.4; charset=utf-8";
  #text = "";

  toString(): string {
    return this.#text;
  }

  gauge(name: string, help: string, samples: number | Iterable<Sample>): void {
    this.#family(name, "gauge", help, samples);
  }

  /** The name must end in `_total`. */
  counter(name: string, help: string, samples: number | Iterable<Sample>): void {
    this.#family(name, "counter", help, samples);
  }

  histogram(name: string, help: string, series: Iterable<readonly [Labels, DurationHistogram]>): void {
    this.#head(name, "histogram", help);
    for (const [labels, { counts, sum }] of series) {
      let below = 0;
      counts.forEach((count, place) => {
        below += count;
        this.#sample(`${name}_bucket`, { ...labels, le: String(BOUNDS[place] ?? "+Inf") }, below);
      });
      this.#sample(`${name}_sum`, labels, sum);
      this.#sample(`${name}_count`, labels, below);
    }
  }

  #family(name: string, type: string, help: string, samples: number | Iterable<Sample>): void {
    this.#head(name, type, help);
    const given: Iterable<Sample> = typeof samples === "number" ? [[{}, samples]] : samples;
    for (const [labels, value] of given) this.#sample(name, labels, value);
  }

  #head(name: string, type: string, help: string): void {
    this.#text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  }

  #sample(name: string, labels: Labels, value: number): void {
    const written = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    this.#text += `${name}${written.length > 0 ? `{${written.join(",")}}` : ""} ${value}\n`;
  }
}

function escaped(text: string): string {
  return text.replace(/[\\"\n]/g, (character) => (character === "\n" ? "\\n" : `\\${character}`));
}
