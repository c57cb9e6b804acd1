/** RFC 7644, table 9. */
export type ScimType =
  | "invalidFilter"
  | "uniqueness"
  | "mutability"
  | "invalidSyntax"
  | "invalidPath"
  | "noTarget"
  | "invalidValue";

/** A rejected SCIM request. The detail is public. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;
  /** Seconds, as the header has them. */
  readonly retryAfter: string | undefined;

  constructor(status: number, detail: string, scimType?: ScimType, retryAfter?: string) {
    super(detail);
    this.name = "ScimError";
    this.status = status;
    this.scimType = scimType;
    this.retryAfter = retryAfter;
  }
}

export function invalidValue(detail: string): ScimError {
  return new ScimError(400, detail, "invalidValue");
}

export function notUnique(detail: string): ScimError {
  return new ScimError(409, detail, "uniqueness");
}
