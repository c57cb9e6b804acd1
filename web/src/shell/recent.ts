import { useSessionStorage } from "@mantine/hooks";
import { useMe } from "../api/context.tsx";
import type { Hit } from "./search-records.tsx";

const KEPT = 5;

/** What this person opened from the palette in this tab, the last first. Nothing of it outlives the tab. */
export function useRecent(): [recent: readonly Hit[], remember: (hit: Hit) => void] {
  const { data: me } = useMe();
  const key = `gatehouse-recent-${me.id}`;
  const [recent, setRecent] = useSessionStorage<readonly Hit[]>({ key, defaultValue: [] });
  const remember = (hit: Hit) =>
    setRecent((old) => [hit, ...old.filter(({ href }) => href !== hit.href)].slice(0, KEPT));
  return [recent, remember];
}
