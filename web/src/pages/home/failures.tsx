import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { Section } from "../../components/section.tsx";
import { errorGroupsQuery } from "../logs/calls.ts";
import { ErrorGroups, filtersOf } from "../logs/error-groups.tsx";

/** What failed alike in the last day, the most frequent first; nothing where all went well. */
export function Failures() {
  const navigate = useNavigate();
  const { data } = useQuery({ ...errorGroupsQuery(useApi(), {}), refetchInterval: 60_000 });
  if (!data || data.length === 0) return null;
  return (
    <Section title="What failed">
      <ErrorGroups groups={data} onChoose={(group) => void navigate({ to: "/logs", search: filtersOf(group) })} />
    </Section>
  );
}
