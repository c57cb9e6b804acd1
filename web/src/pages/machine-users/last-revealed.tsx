import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { type User, usersKey } from "../users/users.ts";

export const revealedKey = [...usersKey, "revealed"] as const;

/** Who revealed the secret last, and when, from the audit log. */
export function LastRevealed({ user: { id } }: { user: Pick<User, "id"> }) {
  const api = useApi();
  const { data } = useQuery({
    queryKey: [...revealedKey, id],
    queryFn: ({ signal }) => api.listAudit({ query: { operation: "revealUserSecret", target: id, limit: 1 }, signal }),
  });
  const last = data?.data[0];
  if (!data) return <span className="gh-dim">…</span>;
  if (!last) return <span>Never</span>;
  return (
    <span>
      <TimeAgo time={last.ts} /> by {last.actor.name}
    </span>
  );
}
