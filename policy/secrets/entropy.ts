/** Shannon entropy in bits per character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let entropy = 0;
  let total = 0;
  for (const count of counts.values()) total += count;
  for (const count of counts.values()) entropy -= (count / total) * Math.log2(count / total);
  return entropy;
}
