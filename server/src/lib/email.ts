/**
 * Whether two spellings are one mailbox as its provider sees it: letters of ASCII in either case, and nothing else. Our
 * own keys fold far more, and would take two people's addresses for one.
 */
export function isSameAddress(one: string, other: string): boolean {
  return asciiLowerCase(one) === asciiLowerCase(other);
}

export function domainOf(email: string): string {
  return asciiLowerCase(email.slice(email.lastIndexOf("@") + 1));
}

function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** One `@`, something in front of it, a dotted name behind it, nothing that a header or a page could trip over. */
export function isEmail(value: string): boolean {
  const at = value.indexOf("@");
  const domain = value.slice(at + 1);
  return (
    value.length <= 254 &&
    value.isWellFormed() &&
    at > 0 &&
    at <= 64 &&
    /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+$/u.test(value.slice(0, at)) &&
    domain.split(".").length >= 2 &&
    domain.split(".").every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u.test(label))
  );
}
