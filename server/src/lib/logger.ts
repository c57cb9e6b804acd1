import { type DestinationStream, type Logger, pino } from "pino";
import { TOKEN_PATTERN } from "./tokens.ts";

export type { Logger };

/**
 * Creates all logs and redacts secrets in them (SEC-10): by field name, and by the format of Gatehouse credentials, bearer
 * headers, JSON Web Tokens, common API keys, and parameters in URLs.
 */
const SECRET_NAME =
  /(?:authorization|cookie|password|passphrase|secrets?|tokens?|api_?key|private_?key|session_?id|verifier|credentials?|pepper)$|^key$/i;
const AUTHORIZATION = /\b(Bearer|Basic)\s+[^\s"',]+/;
const URL_PASSWORD = /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^:@/\s]*):[^@/\s]+@/;
/** Tokens of other services: JSON Web Tokens, and common prefixes of API keys. */
const FOREIGN_TOKEN =
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|\b(?:sk|pk|rk|ghp|gho|ghs|ghu|xox[abp])[-_][\w-]{16,}|\bwhsec_[\w+/=-]{16,}/;
/** A secret parameter in a URL or a form. */
const PARAMETER =
  /(?<=[?&](?:[\w-]{0,40}[_-])?(?:token|secret|password|code|key|assertion|verifier|state)=)[^&\s"'<>]+/;
const SECRET_VALUE = new RegExp(
  [TOKEN_PATTERN, AUTHORIZATION.source, URL_PASSWORD.source, FOREIGN_TOKEN.source, PARAMETER.source].join("|"),
  "gi",
);
const CUT = "[cut]";
const MAX_DEPTH = 6;

export function redactText(text: string): string {
  return text.replace(SECRET_VALUE, (_match, scheme?: string, address?: string) =>
    address ? `${address}:${CUT}@` : scheme ? `${scheme} ${CUT}` : CUT,
  );
}

export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH || value instanceof Uint8Array) return CUT;
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return value.map((entry) => redact(entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      redactText(name),
      isSecretName(name) ? CUT : redact(entry, depth + 1),
    ]),
  );
}

/** Treats `clientSecret`, `client_secret` and `x-client-secret` alike. */
function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replaceAll("-", "_"));
}

function redactError(error: Error, depth: number): unknown {
  return {
    type: error.name,
    message: redactText(error.message),
    stack: redactText(error.stack ?? ""),
    ...("code" in error ? { code: redact(error.code, depth + 1) } : {}),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
  };
}

export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // pino's default serializer would write an error's message before the hook below can redact it.
    serializers: { err: (error: unknown) => error },
    hooks: {
      logMethod(this: Logger, args: Parameters<Logger["info"]>, method: (...args: unknown[]) => void) {
        method.apply(
          this,
          args.map((argument) => redact(argument)),
        );
      },
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
