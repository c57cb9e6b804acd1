import { useQuery } from "@tanstack/react-query";
import { useApi, useMe } from "../../api/context.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Attention } from "./attention.tsx";
import { Failures } from "./failures.tsx";
import { FirstRun } from "./first-run.tsx";
import { lastDayQuery } from "./last-day.ts";
import { NotConnected } from "./not-connected.tsx";
import { Numbers } from "./numbers.tsx";
import { TopTools } from "./top-tools.tsx";

export function HomePage() {
  const { data: me } = useMe();
  const day = useQuery(lastDayQuery(useApi()));
  return (
    <>
      <PageHeader title={`Welcome, ${me.name}`} description="Your gateway in the last 24 hours" />
      <FirstRun>
        <Numbers day={day} />
        <Attention />
        <Failures />
        <NotConnected />
        <TopTools day={day} />
      </FirstRun>
    </>
  );
}
