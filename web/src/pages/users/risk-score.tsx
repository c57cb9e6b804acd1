import "./users.css";

const MIDDLE = 40;
const HIGH = 70;

/** A risk score from 0 to 100, set by an admin or through the API. */
export function RiskScore({ score }: { score: number | null }) {
  if (score === null) return <span className="gh-dim">–</span>;
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
