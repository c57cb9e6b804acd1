import { useSessionStorage } from "@mantine/hooks";
import { useMe } from "../api/context.tsx";
import type { Hit } from "./search-records.tsx";

const KEPT = 5;

/** The records that the user opened from the palette in this tab, most recent first. Kept for the tab only. */
export function useRecent(): [recent: readonly Hit[], remember: (hit: Hit) => void] {
  const { data: me } = useMe();
  const key = `gatehouse-recent-${me.id}`;
  const [recent, setRecent] = useSessionStorage<readonly Hit[]>({ key, defaultValue: [] });
  const remember = (hit: Hit) =>
    setRecent((old) => [hit, ...old.filter(({ href }) => href !== hit.href)].slice(0, KEPT));
  return [recent, remember];
}
