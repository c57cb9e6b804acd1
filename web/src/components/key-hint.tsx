import "./key-hint.css";

/** Keys as labeled on this platform's keyboard. */
export function KeyHint({ keys }: { keys: readonly string[] }) {
  return (
    <span className="gh-keys">
      {keys.map((key) => (
        <kbd key={key}>{key === "mod" ? (isApple() ? "⌘" : "Ctrl") : key}</kbd>
      ))}
    </span>
  );
}

function isApple(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent);
}
