import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { Section } from "../../components/section.tsx";
import { errorGroupsQuery } from "../logs/calls.ts";
import { ErrorGroups, filtersOf } from "../logs/error-groups.tsx";

/** Errors of the last 24 hours, most frequent first. Hidden when there are none. */
export function Failures() {
  const navigate = useNavigate();
  const { data } = useQuery({ ...errorGroupsQuery(useApi(), {}), refetchInterval: 60_000 });
  if (!data || data.length === 0) return null;
  return (
    <Section title="Errors">
      <ErrorGroups groups={data} onChoose={(group) => void navigate({ to: "/logs", search: filtersOf(group) })} />
    </Section>
  );
}
