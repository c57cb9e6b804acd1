import { isEmail } from "#lib/email";
import type { AttributePath, Filter } from "./filter.ts";
import { asBoolean, matchesFilter, memberOf } from "./match-filter.ts";
import { invalidValue } from "./scim-error.ts";

interface Email {
  value?: string;
  type?: string;
  primary?: boolean;
}

/** The attributes of a user that SCIM manages, while a request changes them. Others are accepted and ignored. */
export interface UserDraft {
  userName: string | null;
  externalId: string | null;
  displayName: string | null;
  formatted: string | null;
  givenName: string | null;
  familyName: string | null;
  active: boolean;
  emails: Email[];
}

/** The result, as it is stored. */
export interface ScimUserFields {
  readonly userName: string;
  readonly externalId: string | null;
  readonly name: string;
  readonly email: string;
  readonly active: boolean;
  readonly profile: ScimProfile;
}

/** What the provider sent besides the fields of a user, so that it reads what it wrote. */
export interface ScimProfile {
  readonly displayName?: string;
  readonly formatted?: string;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly emailType?: string;
}

export type PatchOp = "add" | "replace" | "remove";

const MAX_TEXT_LENGTH = 255;
const MAX_EMAILS = 20;
export const DEFAULT_EMAIL_TYPE = "work";
const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:user";
const TEXTS = {
  username: "userName",
  externalid: "externalId",
  displayname: "displayName",
} as const;
const NAMES = { formatted: "formatted", givenname: "givenName", familyname: "familyName" } as const;
const NAME_KEYS = ["formatted", "givenname", "familyname"] as const;

export function emptyDraft(): UserDraft {
  return {
    userName: null,
    externalId: null,
    displayName: null,
    formatted: null,
    givenName: null,
    familyName: null,
    active: true,
    emails: [],
  };
}

/** Applies one attribute of a body or one operation of a PATCH. */
export function changeDraft(draft: UserDraft, op: PatchOp, path: AttributePath, value: unknown): void {
  const { attribute, schema, sub } = path;
  if (schema !== undefined && schema !== USER_SCHEMA) return;
  if (attribute === "emails") return changeEmails(draft, op, path, value);
  if (path.filter !== undefined) return;
  if (attribute === "active") return changeActive(draft, op, value);
  if (attribute === "name") return changeName(draft, op, sub, value);
  if (!Object.hasOwn(TEXTS, attribute) || sub !== undefined) return;
  const name = TEXTS[attribute as keyof typeof TEXTS]; // checked above
  draft[name] = op === "remove" ? null : readText(name, value);
}

function changeActive(draft: UserDraft, op: PatchOp, value: unknown): void {
  const active = op === "remove" ? undefined : asBoolean(unwrap(value));
  if (active === undefined) throw invalidValue("active: must be true or false");
  draft.active = active;
}

function changeName(draft: UserDraft, op: PatchOp, sub: string | undefined, value: unknown): void {
  if (sub === undefined && op !== "remove" && (typeof value !== "object" || Array.isArray(value))) {
    throw invalidValue("name: must be an object");
  }
  for (const key of NAME_KEYS.filter((each) => sub === undefined || sub === each)) {
    const name = NAMES[key];
    const given = sub === undefined ? memberOf(value ?? {}, key) : value;
    if (op === "remove") draft[name] = null;
    else if (given !== undefined) draft[name] = readText(`name.${name}`, given);
    else if (op === "replace") draft[name] = null;
  }
}

function changeEmails(draft: UserDraft, op: PatchOp, { filter, sub }: AttributePath, value: unknown): void {
  if (filter === undefined && sub === undefined) return changeAllEmails(draft, op, value);
  const isSelected = (email: Email) => filter === undefined || matchesFilter(filter, email);
  if (op === "remove") {
    draft.emails =
      sub === undefined || sub === "value"
        ? draft.emails.filter((email) => !isSelected(email))
        : draft.emails.map((email) => (isSelected(email) ? without(email, sub) : email));
    return;
  }
  const change = sub === undefined ? readEmail(value) : readEmail({ [sub]: unwrap(value) });
  const selected = draft.emails.filter(isSelected);
  // Entra replaces the value of an email that it has not added before.
  if (selected.length === 0) draft.emails.push(Object.assign(emailOfFilter(filter), change));
  for (const email of selected) Object.assign(email, change);
  if (change.primary) keepOnePrimary(draft, selected[0] ?? draft.emails.at(-1));
}

function changeAllEmails(draft: UserDraft, op: PatchOp, value: unknown): void {
  const given = (Array.isArray(value) ? value : value == null ? [] : [value]).map(readEmail);
  if (given.length > MAX_EMAILS) throw invalidValue(`emails: must contain at most ${MAX_EMAILS} values`);
  if (op === "replace") draft.emails = given;
  else if (op === "remove" && given.length === 0) draft.emails = [];
  else if (op === "remove") draft.emails = draft.emails.filter((email) => !given.some((each) => isSame(each, email)));
  else draft.emails = [...draft.emails.filter((email) => !given.some((each) => isSame(each, email))), ...given];
  keepOnePrimary(
    draft,
    given.findLast((email) => email.primary),
  );
}

function isSame(one: Email, other: Email): boolean {
  return one.value?.toLowerCase() === other.value?.toLowerCase();
}

function keepOnePrimary(draft: UserDraft, primary: Email | undefined): void {
  if (!primary) return;
  for (const email of draft.emails) if (email !== primary && email.primary) email.primary = false;
}

function without(email: Email, sub: string): Email {
  const { value, type, primary } = email;
  return {
    ...(value !== undefined && { value }),
    ...(type !== undefined && sub !== "type" && { type }),
    ...(primary !== undefined && sub !== "primary" && { primary }),
  };
}

function readEmail(given: unknown): Email {
  const object = typeof given === "object" && given !== null ? given : { value: given };
  const [value, type, primary] = ["value", "type", "primary"].map((name) => memberOf(object, name));
  const address = value === undefined ? null : readText("emails.value", value);
  const kind = type === undefined ? null : readText("emails.type", type);
  const flag = primary === undefined ? undefined : asBoolean(primary);
  if (primary != null && flag === undefined) throw invalidValue("emails.primary: must be true or false");
  return {
    ...(address !== null && { value: address }),
    ...(kind !== null && { type: kind }),
    ...(flag !== undefined && { primary: flag }),
  };
}

/** A new email has the values that the filter compares with, such as its type. */
function emailOfFilter(filter: Filter | undefined): Email {
  const parts = filter?.kind === "and" ? filter.filters : filter ? [filter] : [];
  const entries = parts.flatMap((part) =>
    part.kind === "compare" && part.operator === "eq" ? [[part.path.attribute, part.value]] : [],
  );
  return readEmail(Object.fromEntries(entries));
}

/** Entra wraps some simple values. */
function unwrap(value: unknown): unknown {
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof single === "object" && single !== null ? (memberOf(single, "value") ?? single) : single;
}

/** Null if there is no text. */
export function readText(name: string, given: unknown): string | null {
  const value = unwrap(given);
  if (value === null || value === undefined) return null;
  if (typeof value !== "string") throw invalidValue(`${name}: must be a string`);
  const text = value.trim();
  if (text.length > MAX_TEXT_LENGTH) throw invalidValue(`${name}: must be at most ${MAX_TEXT_LENGTH} characters`);
  if (!text.isWellFormed() || /\p{Cc}/u.test(text))
    throw invalidValue(`${name}: must be text without control characters`);
  return text === "" ? null : text;
}

export function finishDraft(draft: UserDraft): ScimUserFields {
  const { userName, externalId, displayName, formatted, givenName, familyName, active } = draft;
  if (userName === null) throw invalidValue("userName: userName is required");
  const { email, type } = chooseEmail(draft, userName);
  const parts = [givenName, familyName].filter((part) => part !== null).join(" ");
  const name = (displayName ?? formatted ?? (parts === "" ? userName : parts)).slice(0, MAX_TEXT_LENGTH);
  const profile = {
    ...(displayName !== null && { displayName }),
    ...(formatted !== null && { formatted }),
    ...(givenName !== null && { givenName }),
    ...(familyName !== null && { familyName }),
    ...(type !== undefined && type !== DEFAULT_EMAIL_TYPE && { emailType: type }),
  };
  return { userName, externalId, name, email, active, profile };
}

/** People have one email: the primary one, else the one for work, else the first, else the user name. */
function chooseEmail({ emails }: UserDraft, userName: string): { email: string; type: string | undefined } {
  const known = emails.filter((email) => email.value !== undefined);
  const chosen =
    known.find((email) => email.primary) ?? known.find((email) => email.type?.toLowerCase() === "work") ?? known[0];
  const email = chosen?.value ?? userName;
  if (!isEmail(email)) {
    throw invalidValue(
      chosen ? `emails: ${email} is not a valid email` : "emails: required, because userName is not an email",
    );
  }
  return { email, type: chosen?.type };
}
