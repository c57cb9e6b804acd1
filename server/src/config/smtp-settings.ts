import { BadSetting } from "#lib/bad-setting";
import { isEmail } from "#lib/email";
import { isLoopbackName } from "#lib/loopback-name";
import type { SmtpSettings } from "#lib/smtp-settings";

type Get = (name: string) => string | undefined;

const SECURITIES = ["starttls", "tls", "none"] as const;
const OTHERS = ["SMTP_PORT", "SMTP_TLS", "SMTP_USER", "SMTP_FROM"] as const;
const IMPLICIT_TLS_PORT = 465;
const SUBMISSION_PORT = 587;
const HOST = /^[A-Za-z0-9._:-]{1,253}$/;

/** Undefined without `SMTP_HOST`: no email is sent. */
export function readSmtpSettings(get: Get, getSecret: Get, orgName: string): SmtpSettings | undefined {
  const host = get("SMTP_HOST");
  const password = getSecret("SMTP_PASSWORD");
  if (host === undefined) {
    const unused = password === undefined ? OTHERS.find((name) => get(name) !== undefined) : "SMTP_PASSWORD";
    if (unused !== undefined) throw new BadSetting(`${unused} requires SMTP_HOST`);
    return undefined;
  }
  if (!HOST.test(host)) throw new BadSetting(`SMTP_HOST must be a host name or an IP address, not "${host}"`);
  const port = readPort(get("SMTP_PORT"));
  const security = readSecurity(get("SMTP_TLS") ?? (port === IMPLICIT_TLS_PORT ? "tls" : "starttls"));
  const user = get("SMTP_USER");
  if ((user === undefined) !== (password === undefined)) {
    throw new BadSetting("SMTP_USER and SMTP_PASSWORD must be set together");
  }
  if (security === "none" && password !== undefined && !isLoopbackName(host)) {
    throw new BadSetting("SMTP_PASSWORD requires SMTP_TLS=starttls or tls, because it must not be sent unencrypted");
  }
  return {
    host,
    port: port ?? (security === "tls" ? IMPLICIT_TLS_PORT : SUBMISSION_PORT),
    security,
    user,
    password,
    from: readFrom(get("SMTP_FROM"), orgName),
  };
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new BadSetting(`SMTP_PORT must be a number from 1 to 65535, not "${text}"`);
  return port;
}

function readSecurity(text: string): SmtpSettings["security"] {
  const security = SECURITIES.find((each) => each === text);
  if (security === undefined) throw new BadSetting(`SMTP_TLS must be one of ${SECURITIES.join(", ")}, not "${text}"`);
  return security;
}

/** `name <address>`, or an address alone. */
function readFrom(text: string | undefined, orgName: string): SmtpSettings["from"] {
  if (text === undefined) throw new BadSetting("SMTP_HOST requires SMTP_FROM, the address that emails are sent from");
  const match = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(text);
  const [name, address] = match ? [match[1]?.trim().replace(/^"(.*)"$/, "$1") ?? "", match[2] ?? ""] : ["", text];
  if (!isEmail(address)) {
    throw new BadSetting(`SMTP_FROM must be an email such as Gatehouse <gatehouse@example.com>, not "${text}"`);
  }
  return { name: name || orgName, address };
}
