/** A text that can contain secrets. */
export interface SecretText {
  readonly text: string;
  /** The key that the text is the value of, in lower case; empty if there is none. */
  readonly key: string;
}

export type FindSecret = (start: number, end: number, certainty: number) => void;

/** Recognizes one kind of secret by its structure, at places where one of the literals occurs. */
export interface StructuredSecret {
  readonly provider: string;
  readonly literals: readonly string[];
  /** `at` is where the literal starts. */
  find(form: SecretText, at: number, found: FindSecret): void;
}

const WORD = /\w/;
const JWT = /eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{0,2000}/y;

const jwt: StructuredSecret = {
  provider: "jwt",
  literals: ["eyJ"],
  find({ text }, at, found) {
    if (WORD.test(text.charAt(at - 1))) return;
    JWT.lastIndex = at;
    const token = JWT.exec(text)?.[0];
    if (token !== undefined && isJoseHeader(token.slice(0, token.indexOf(".")))) found(at, at + token.length, 9);
  },
};

function isJoseHeader(segment: string): boolean {
  const header = Buffer.from(segment, "base64url").toString("utf8");
  return header.startsWith("{") && /"(?:alg|typ|enc)"\s{0,3}:/.test(header);
}

const KEY_BEGIN = /-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const KEY_END = /-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const MAX_KEY_LENGTH = 32 * 1024;
const PUTTY_KEY = /PuTTY-User-Key-File-\d/y;

const privateKey: StructuredSecret = {
  provider: "private_key",
  literals: ["-----BEGIN ", "PuTTY-User-Key-File-"],
  find({ text }, at, found) {
    PUTTY_KEY.lastIndex = at;
    if (PUTTY_KEY.test(text)) return found(at, Math.min(text.length, at + MAX_KEY_LENGTH), 10);
    KEY_BEGIN.lastIndex = at;
    const begin = KEY_BEGIN.exec(text);
    if (begin === null) return;
    const body = text.slice(at, at + MAX_KEY_LENGTH);
    KEY_END.lastIndex = begin[0].length;
    const end = KEY_END.exec(body);
    // A key that is cut off is secret up to the end of the text.
    found(at, at + (end === null ? body.length : end.index + end[0].length), 10);
  },
};

/** Scheme, user and password before the host; the password is what matters. */
const CREDENTIALS = /:\/\/([^\s:@/"'`<>]{0,128}):([^\s@/"'`<>]{1,256})@[A-Za-z0-9[._-]/y;
const SCHEME_CHARACTERS = /[a-z0-9+.-]{2,20}$/i;
const DATABASES =
  /^(?:postgres(?:ql)?|mysql2?|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|oracle|cockroachdb|clickhouse|kafka|nats|ldaps?|smtps?|neo4j(?:\+s)?|couchdb|jdbc:\w+)$/i;

function credentialsIn(provider: string, isScheme: (scheme: string) => boolean): StructuredSecret {
  return {
    provider,
    literals: ["://"],
    find({ text }, at, found) {
      CREDENTIALS.lastIndex = at;
      const match = CREDENTIALS.exec(text);
      if (match === null) return;
      const [, user = "", password = ""] = match;
      const scheme = SCHEME_CHARACTERS.exec(text.slice(Math.max(0, at - 20), at))?.[0];
      if (scheme === undefined || !isScheme(scheme)) return;
      const start = at + 3 + user.length + 1;
      found(start, start + password.length, isPlaceholder(password) ? 4 : 9);
    },
  };
}

const PLACEHOLDER =
  /^(?:x{3,}|\*{2,}|\.{3,}|#{3,}|(?:my|your|the|some|a)?[-_]?(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[-_]?key|key|user(?:name)?|changeme|change[-_]me|example|sample|dummy|test|foobar|redacted|postgres|root|admin|guest|value|string|null|none|undefined|true|false)\d{0,3}|\[?redacted.*|p(?:4|a)ss(?:w0rd)?)$/i;
const TEMPLATE =
  /^(?:\$|%|<|\{|\[|process\.env|os\.environ|env\.|config\.|secrets?\.|vars\.|var\.|args\.|self\.|this\.|options\.)|\$\{|\{\{|<[a-z]|\.\.\.|…|your[-_]|[-_](?:here|placeholder)|example/i;

/** Whether the value only shows where a secret belongs. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || TEMPLATE.test(value) || new Set(value).size <= 3;
}

export const STRUCTURED_SECRETS: readonly StructuredSecret[] = [
  jwt,
  privateKey,
  credentialsIn("connection_string", (scheme) => DATABASES.test(scheme)),
  credentialsIn("basic_auth_url", (scheme) => /^(?:https?|ftps?|sftp|ssh|git|wss?)$/i.test(scheme)),
];
