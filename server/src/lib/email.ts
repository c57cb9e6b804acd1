/**
 * Whether two spellings are the same mailbox for its provider: only the case of ASCII letters may differ. The keys of
 * user records fold more characters and could treat two people's addresses as one.
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

/** One `@` with text before it and a dotted name after it, without characters that are unsafe in a header or a page. */
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
