import "./initials.css";

/** A round avatar with initials. Decorative: it is always shown next to the name. */
export function Initials({ name, size = 24 }: { name: string; size?: number }) {
  return (
    <span className="gh-initials" style={{ width: size, height: size, fontSize: size * 0.42 }} aria-hidden>
      {initialsOf(name)}
    </span>
  );
}

export function initialsOf(name: string): string {
  const words = name.split(/[\s._@-]+/u).filter((word) => word !== "");
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen.map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "").join("");
}
