import { useApi } from "../../api/context.tsx";
import { type CallLimits, CallLimitsForm } from "../../components/call-limits-form.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { Section } from "../../components/section.tsx";
import { useMayChange } from "../config/managed-note.tsx";
import { useServerChanges } from "./server-changes.ts";
import type { Detail } from "./servers.ts";

type Tool = Detail["all_tools"][number];

export function ToolLimits({ server, tool }: { server: Detail; tool: Tool }) {
  const api = useApi();
  const changes = useMayChange({ kind: "servers", name: server.slug, fields: ["tool_limits"] });
  const { refresh } = useServerChanges(server);
  const save = async (limits: CallLimits) => {
    const body = { limits: [{ tool: tool.slug, ...limits }] };
    await api.updateMcpServerTools({ query: { slug: server.slug }, body });
    notifyDone();
    await refresh();
  };
  return (
    <Section title="Rate limits" description="For the calls of all users to this tool together">
      <CallLimitsForm limits={tool.limits} isReadOnly={!changes} save={save} />
    </Section>
  );
}
