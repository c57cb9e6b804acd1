import "./users.css";

const MIDDLE = 40;
const HIGH = 70;

/** From 0 to 100, as an admin or a program gave it. */
export function RiskScore({ score }: { score: number | null }) {
  if (score === null) return <span className="gh-dim">Not scored</span>;
  const level = score >= HIGH ? "high" : score >= MIDDLE ? "middle" : "low";
  return (
    <span className="gh-risk" data-level={level}>
      <span className="gh-risk-bar" aria-hidden>
        <span style={{ width: `${score}%` }} />
      </span>
      {score}
    </span>
  );
}
