import { useQuery } from "@tanstack/react-query";
import { useApi, useMe } from "../../api/context.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Attention } from "./attention.tsx";
import { FirstRun } from "./first-run.tsx";
import { lastDayQuery } from "./last-day.ts";
import { Numbers } from "./numbers.tsx";
import { TopTools } from "./top-tools.tsx";

export function HomePage() {
  const { data: me } = useMe();
  const day = useQuery(lastDayQuery(useApi()));
  return (
    <>
      <PageHeader title={`Welcome, ${me.name}`} description="The last 24 hours at your gateway." />
      <FirstRun />
      <Numbers day={day} />
      <Attention />
      <TopTools day={day} />
    </>
  );
}
