/** The peer sent what is no HTTP answer, or one that leaves in doubt where it ends. */
export class BadAnswer extends Error {
  /** `too-large`: more head than we read. */
  readonly kind: "protocol" | "too-large";

  constructor(message: string, kind: "protocol" | "too-large" = "protocol") {
    super(message);
    this.name = "BadAnswer";
    this.kind = kind;
  }
}
