/** "12,340". */
export function formatCount(count: number): string {
  return count.toLocaleString("en");
}

/** "12,000". The number is an estimate, so it has two significant digits. */
export function formatTokens(tokens: number): string {
  return formatCount(Number(tokens.toPrecision(2)));
}

/** "0.4%". A part is never rounded to none or all; without a total there is no percentage. */
export function formatPercent(part: number, whole: number): string {
  if (whole === 0) return "–";
  if (part === 0) return "0%";
  const share = (part / whole) * 100;
  if (share < 0.1) return "<0.1%";
  if (share > 99 && part < whole) return `${Math.floor(share * 10) / 10}%`;
  return `${share.toFixed(share < 9.95 ? 1 : 0)}%`;
}
