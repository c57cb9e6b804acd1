/** "12,340". */
export function formatCount(count: number): string {
  return count.toLocaleString("en");
}

/** "0.4 %", and never "0 %" where there was one. Of nothing at all there is no share. */
export function formatPercent(part: number, whole: number): string {
  if (whole === 0) return "–";
  if (part === 0) return "0 %";
  const share = (part / whole) * 100;
  return share < 0.1 ? "< 0.1 %" : `${share.toFixed(share < 10 ? 1 : 0)} %`;
}
