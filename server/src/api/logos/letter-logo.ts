/** A fallback logo: a letter on a color derived from it (D29). */
export function letterLogo(letter: string): string {
  const hue = (letter.charCodeAt(0) * 47) % 360;
  const size = letter.length > 1 ? 22 : 34;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="${letter.toUpperCase()}">` +
    `<rect width="64" height="64" rx="12" fill="hsl(${hue} 45% 42%)"/>` +
    `<text x="32" y="34" fill="#fff" font-family="system-ui,sans-serif" font-size="${size}" font-weight="600" ` +
    `text-anchor="middle" dominant-baseline="middle">${letter.toUpperCase()}</text></svg>`
  );
}
