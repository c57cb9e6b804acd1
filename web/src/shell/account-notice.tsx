import { CloseButton } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useMe } from "../api/context.tsx";
import { Contact } from "../components/contact.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import "./account-notice.css";

/** Reports a reset of the account. Closing it affects only this browser, because somebody else may have used the link. */
export function AccountNotice() {
  const { data: me, organization } = useMe();
  const [reset] = me.account_resets ?? [];
  const [closedId, setClosedId] = useLocalStorage({ key: `gatehouse-notice-${me.id}`, defaultValue: "" });
  if (!reset || reset.id === closedId) return null;
  const { reason, invited_by: creator, invited_by_type: type, address, created_at: time } = reset;
  const by = creator === null ? "" : ` that ${type === "api_token" ? "the API token " : ""}${creator} created,`;
  return (
    <div role="status" className="gh-account-notice">
      <p>
        <strong>Your account was reset</strong> <TimeAgo time={time} />
        {reason === "invitation"
          ? `, with an invitation link${by} used from ${address}. `
          : ", at your first single sign-on. "}
        {reason === "invitation"
          ? "Your connections, web sessions, MCP clients, and API tokens were deleted. If you did not expect this, contact "
          : "Your password was removed, and all web sessions and MCP clients were signed out. For questions, contact "}
        <Contact contact={organization.help_contact} />.
      </p>
      <CloseButton aria-label="Close notice" onClick={() => setClosedId(reset.id)} />
    </div>
  );
}
