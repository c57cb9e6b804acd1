import { invalid } from "#lib/errors";

/** A rule that the content of a skill violates. */
export interface Finding {
  readonly field: string;
  readonly message: string;
}

/** What is wrong with the content of a skill. Errors prevent saving it; warnings do not. */
export class Findings {
  readonly errors: Finding[] = [];
  readonly warnings: Finding[] = [];

  error(field: string, message: string): void {
    this.errors.push({ field, message });
  }

  warn(field: string, message: string): void {
    this.warnings.push({ field, message });
  }

  /** An API response names one field (Spec 7). */
  throwFirst(): void {
    const [first] = this.errors;
    if (first) throw invalid(first.field, first.message);
  }
}

export function warningText({ field, message }: Finding): string {
  return `${field}: ${message}`;
}
