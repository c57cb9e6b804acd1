/** The peer sent an invalid HTTP response, or one whose end is ambiguous. */
export class BadAnswer extends Error {
  /** `too-large`: the head exceeds the limit. */
  readonly kind: "protocol" | "too-large";

  constructor(message: string, kind: "protocol" | "too-large" = "protocol") {
    super(message);
    this.name = "BadAnswer";
    this.kind = kind;
  }
}
