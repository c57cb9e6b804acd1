import { Alert } from "@mantine/core";
import { IconAlertTriangle, IconShieldCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import "./audit.css";

const REFRESH_MS = 60_000;

/** What the periodic verification of the hash chain found. */
export function ChainState() {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ["audit-chain"],
    queryFn: async ({ signal }) => (await api.getAuditChain({ signal })).data,
    refetchInterval: REFRESH_MS,
  });
  if (!data) return null;
  if (data.problem) {
    return (
      <Alert color="red" icon={<IconAlertTriangle />} title="The audit log failed its verification" mb="md">
        {data.problem.message} Run <code>gatehouse audit verify</code> on the server, and compare the log with a backup.
      </Alert>
    );
  }
  if (data.verified_up_to === null) return null;
  return (
    <p className="gh-audit-chain">
      <IconShieldCheck size={16} aria-hidden="true" />
      <span>
        Verified up to entry {data.verified_seq.toLocaleString("en-US")}, <TimeAgo time={data.verified_up_to} />
      </span>
    </p>
  );
}
