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
