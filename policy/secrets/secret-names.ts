/** Names of options and variables whose value is a secret. */
const SECRET_NAME =
  /(?:^|[^a-z])(?:api|access|private|secret|auth|encryption|signing|service|account|master|app|client|user|license|deploy)?[-_.]?(?:key|keys|token|tokens|secret|secrets|password|passwd|passphrase|passcode|pwd|pass|pat|jwt|credential|credentials|creds|auth|authorization|bearer|cookie|cookies|session|otp|sas|sig|dsn|connection[-_]?string|conn[-_]?str|webhook)(?:$|[^a-z])/i;
const SECRET_END = /(?:password|passwd|secret|token|apikey|accesskey|privatekey)$/i;
const CAMEL = /([a-z0-9])([A-Z])/g;

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replace(CAMEL, "$1_$2")) || SECRET_END.test(name);
}
