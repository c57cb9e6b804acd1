import { Table } from "@mantine/core";
import { Section } from "../../components/section.tsx";
import type { Call } from "./call-labels.ts";

/** What guards found in a call. The matched text is never logged. */
export function GuardFindings({ call }: { call: Call }) {
  if (call.guard_findings.length === 0) return null;
  return (
    <Section title="Guard findings">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Guard</Table.Th>
            <Table.Th>Check</Table.Th>
            <Table.Th>Found in</Table.Th>
            <Table.Th>Count</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {call.guard_findings.map(({ guard_slug: guard, check_name: check, direction, count }) => (
            <Table.Tr key={`${guard} ${check} ${direction}`}>
              <Table.Td>{guard}</Table.Td>
              <Table.Td>{check}</Table.Td>
              <Table.Td>{direction === "request" ? "Request" : "Response"}</Table.Td>
              <Table.Td>{count.toLocaleString("en")}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
